import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { ProblemCode } from '../errors.js'

/** What became of a request, for its log line and the metrics. */
export interface Outcome {
  /** The normalised path of the file. */
  path?: string
  unit?: string
  startByte?: number
  endByte?: number
  /** From the storage, scanned ones included. */
  bytesRead: number
  code?: ProblemCode
}

declare module 'fastify' {
  interface FastifyRequest { outcome: Outcome }
}

const TRACEPARENT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/

/** One line a request: never content, never a token. */
export const outcome = fp(async (app: FastifyInstance) => {
  app.decorateRequest('outcome')
  app.addHook('onRequest', (request, _reply, done) => {
    request.outcome = { bytesRead: 0 }
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { traceparent } = request.headers
    const { path, unit, startByte, endByte, bytesRead, code } = request.outcome
    request.log.info({
      reqId: request.id,
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 1000) / 1000,
      path,
      unit,
      startByte,
      endByte,
      bytesRead,
      code,
      // W3C Trace Context: what the gateway and the service log can be laid side by side.
      traceparent: typeof traceparent === 'string' && TRACEPARENT.test(traceparent) ? traceparent : undefined
    }, 'request')
    done()
  })
  app.addHook('onRequestAbort', async request => {
    request.log.info({ reqId: request.id, route: request.routeOptions.url ?? null, ...request.outcome }, 'caller gone')
  })
}, { name: 'outcome' })
