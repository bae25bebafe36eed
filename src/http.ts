import { LogController, type FastifyHttpOptions } from 'fastify'
import type { Server } from 'node:http'
import type { Config } from './config.js'
import { answerClientError, answerFrameworkError, requestIdOf, type NoteRefusal } from './plugins/problems.js'

/** The request line and headers together: room for the longest path in escaped form, and 4 KiB more. */
const MAX_HEAD_BYTES = 16_384
/** With the checks, a head that is not complete is closed within 15 s, on a busy machine too. */
const HEAD_TIMEOUT_MS = 13_000
const CONNECTION_CHECK_MS = 500
/** For the rest of a request: a body, which is refused, but has to be let in first. */
const REQUEST_TIMEOUT_MS = 30_000
/** Longer than a gateway keeps its idle connections (nginx: 60 s), so that it is the gateway that closes them. */
const KEEP_ALIVE_MS = 75_000
/**
 * What a connection may be silent beyond the deadline; a call that waits for news adds its wait. Clients that do not
 * read are closed after that or twice that: what the kernel's buffers still took counts as one sign of life.
 */
const SILENCE_MS = 10_000

/** Connections at once; more are closed as they come. */
export const MAX_CONNECTIONS = 8192

/** How Fastify, and Node beneath it, speak HTTP. */
export function serverOptions (config: Config, noteRefusal: NoteRefusal): FastifyHttpOptions<Server> {
  return {
    // One line a request is written by the `outcome` plugin.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIdOf,
    // A logger a request costs as much as its line; who logs of a request names it.
    childLoggerFactory: logger => logger,
    exposeHeadRoutes: false,
    // Requests that come in on open connections during a shutdown are served.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: config.readDeadlineMs + SILENCE_MS,
    http: {
      maxHeaderSize: MAX_HEAD_BYTES,
      headersTimeout: HEAD_TIMEOUT_MS,
      connectionsCheckingInterval: CONNECTION_CHECK_MS,
      // Answered by a hook, in our form.
      requireHostHeader: false
    },
    // The validator splits the query itself: it must see malformed escapes.
    routerOptions: { querystringParser: query => query as unknown as Record<string, string> },
    frameworkErrors: (error, request, reply) => answerFrameworkError(error, request, reply, noteRefusal),
    clientErrorHandler: (error, socket) => answerClientError(error, socket, noteRefusal)
  }
}
