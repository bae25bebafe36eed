import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { DEFAULT_BYTE_WINDOW } from '../schemas/bytes.js'
import { DEFAULT_LINES, MAX_LINES } from '../schemas/read.js'
import { NoQuery, Service, Status } from '../schemas/service.js'
import { MAX_WAIT_SECONDS } from '../schemas/tail.js'
import type { Config } from '../src/config.js'
import { Problem } from '../src/errors.js'
import { MAX_PATH_BYTES } from '../src/files/request-path.js'
import { MAX_BYTE_WINDOW } from '../src/pages/bytes.js'
import { MAX_CHARS, MAX_CHAR_PAGE_BYTES } from '../src/pages/characters.js'
import { MAX_CONTENT_BYTES } from '../src/pages/reading.js'
import { MAX_TAIL_BYTES } from '../src/pages/tail.js'
import { serviceResponses } from '../src/plugins/openapi-responses.js'

export interface ServiceOptions {
  config: Config
  version: string
  /** What keeps the service from being ready, as short sentences; none if it is. */
  faults: () => Promise<string[]>
  /** In the text format of Prometheus. */
  metrics: () => Promise<{ type: string, text: string }>
}

/** What callers, probes and scrapers ask of the service itself: no token, no rate limit. */
export const service: FastifyPluginAsyncTypebox<ServiceOptions> = async (app, { config, version, faults, metrics }) => {
  const open = { config: { service: true } }
  const routes: string[] = []
  app.addHook('onReady', async () => { routes.push(...listRoutes(app.swagger().paths as Record<string, object>)) })

  app.get('/', {
    ...open,
    schema: {
      operationId: 'service',
      summary: 'What this is, and its limits',
      querystring: NoQuery,
      security: [],
      response: serviceResponses(Service)
    }
  }, async () => ({ name: 'artifact-pager', version, routes, limits: limitsOf(config) }))

  app.get('/openapi.json', {
    ...open,
    schema: {
      operationId: 'openapi',
      summary: 'This description',
      querystring: NoQuery,
      security: [],
      response: serviceResponses(Type.Object({}, { additionalProperties: true }))
    }
  }, async () => app.swagger())

  app.get('/livez', {
    ...open,
    schema: {
      operationId: 'livez',
      summary: 'The process answers',
      querystring: NoQuery,
      security: [],
      response: serviceResponses(Status)
    }
  }, async () => ({ status: 'alive' }))

  app.get('/readyz', {
    ...open,
    schema: {
      operationId: 'readyz',
      summary: 'The service can serve: root in place, cursor store reachable, not draining, reads not all hung',
      querystring: NoQuery,
      security: [],
      response: serviceResponses(Status, 'application/json', ['NOT_READY'])
    }
  }, async () => {
    const reasons = await faults()
    if (reasons.length > 0) throw new Problem('NOT_READY', `Not ready: ${reasons.join('; ')}. Ask another replica until this answers 200.`)
    return { status: 'ready' }
  })

  app.get('/metrics', {
    ...open,
    schema: {
      operationId: 'metrics',
      summary: 'Metrics for Prometheus',
      querystring: NoQuery,
      security: [],
      response: serviceResponses(Type.String(), 'text/plain')
    }
  }, async (_request, reply) => {
    const { type, text } = await metrics()
    return reply.type(type).send(text)
  })
}

function listRoutes (paths: Record<string, object>): string[] {
  return Object.entries(paths).flatMap(([path, item]) => Object.keys(item).map(method => `${method.toUpperCase()} ${path}`))
}

function limitsOf (config: Config) {
  return {
    maxPathBytes: MAX_PATH_BYTES,
    defaultLines: DEFAULT_LINES,
    maxLines: MAX_LINES,
    maxLinePageBytes: MAX_CONTENT_BYTES,
    maxChars: MAX_CHARS,
    maxCharPageBytes: MAX_CHAR_PAGE_BYTES,
    defaultByteWindow: DEFAULT_BYTE_WINDOW,
    maxByteWindow: MAX_BYTE_WINDOW,
    maxTailBytes: MAX_TAIL_BYTES,
    maxWaitSeconds: MAX_WAIT_SECONDS,
    deadlineMs: config.readDeadlineMs,
    requestsPerMinute: config.rateLimitMax
  }
}
