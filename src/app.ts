import type { TObject } from '@sinclair/typebox'
import Fastify, { type FastifyInstance } from 'fastify'
import type { DestinationStream } from 'pino'
import { bytes } from '../routes/bytes.js'
import { read } from '../routes/read.js'
import { service } from '../routes/service.js'
import { tail } from '../routes/tail.js'
import type { Config } from './config.js'
import { News } from './cursors/news.js'
import { Tailer } from './cursors/tailer.js'
import { makeDependencies, type Dependencies } from './dependencies.js'
import { Problem } from './errors.js'
import { MAX_CONNECTIONS, serverOptions } from './http.js'
import { standardOutput } from './log.js'
import { parseParameters, splitQuery } from './parameters.js'
import { callers, type TokenBook } from './plugins/callers.js'
import { Metrics } from './plugins/metrics.js'
import { openapi } from './plugins/openapi.js'
import { outcome } from './plugins/outcome.js'
import { refuseUnderPressure } from './plugins/pressure.js'
import { problems, type Refusal } from './plugins/problems.js'
import { reader } from './plugins/reader.js'
import { turn } from './plugins/turn.js'
import { Readiness } from './readiness.js'
import { version } from './version.js'

/** Late by this much, the event loop does not keep up, and requests are refused. */
const MAX_LOOP_DELAY_MS = 1000
/** Calls of `/tail` that may wait for news at once. */
const MAX_WAITING = 1000

export interface App {
  fastify: FastifyInstance
  /** The tokens in force. */
  book: TokenBook
  /** Ends waits and turns `/readyz` red; requests go on. */
  drain: () => void
  /** Once closed: a call to the storage or a look-up still hangs, and with it a thread that does not end. */
  hangs: () => boolean
}

/**
 * Builds the service; nothing listens yet.
 * @param given what to use instead of what would be made by the configuration
 * @param logStream where log lines go instead of standard output
 */
export async function buildApp (
  config: Config, given: Partial<Dependencies> = {}, logStream: DestinationStream = standardOutput
): Promise<App> {
  const metrics = new Metrics()
  const noteRefusal = (refusal: Refusal): void => {
    metrics.problem(refusal.code)
    fastify.log.info({ route: null, ...refusal }, 'request')
  }
  const fastify = Fastify({
    ...serverOptions(config, noteRefusal),
    logger: { level: config.logLevel, stream: logStream }
  })
  fastify.server.maxConnections = MAX_CONNECTIONS
  const { close, ...made } = await makeDependencies(config, given, fastify.log)
  const store = metrics.measured(made.store)
  const news = new News({ watcher: made.watcher, maxWaiting: MAX_WAITING })
  const readiness = new Readiness({ ...made, store, artifactRoot: config.artifactRoot })
  const book: TokenBook = { tokens: config.tokens }
  metrics.watch(made.pool, () => made.store.size(), () => news.waiting)
  const drain = (): void => {
    readiness.draining = true
    news.drain()
  }

  fastify.setValidatorCompiler(({ schema }) => query => parseQuery(schema as TObject, query as string))
  fastify.setSerializerCompiler(() => body => JSON.stringify(body))
  fastify.addHook('preClose', async () => drain())
  fastify.addHook('onClose', close)
  await fastify.register(outcome)
  await fastify.register(turn)
  await fastify.register(problems, { noteRefusal })
  await fastify.register(metrics.plugin)
  await fastify.register(openapi, { version })
  // Before what may take time: the deadline counts from a request's arrival.
  await fastify.register(reader, { root: made.root, pool: made.pool, deadlineMs: config.readDeadlineMs })
  await fastify.register(callers, { config, book, rateLimitStore: made.rateLimitStore })
  await fastify.register(service, {
    config,
    version,
    faults: () => readiness.faults(),
    metrics: async () => ({ type: metrics.registry.contentType, text: await metrics.registry.metrics() })
  })
  await fastify.register(async data => {
    refuseUnderPressure(data, MAX_LOOP_DELAY_MS)
    await data.register(read)
    await data.register(bytes)
    await data.register(tail, { tailer: new Tailer(store, news), onPage: page => metrics.tailPage(page) })
  })
  const hangs = (): boolean => made.pool.figures.busy > 0 || made.watcher.hangs || hasOpenCalls()
  return { fastify, book, drain, hangs }
}

/** Calls on the threads of libuv that have not come back. */
function hasOpenCalls (): boolean {
  return process.getActiveResourcesInfo().some(resource => /^(FSReq|GetAddrInfoReq|GetNameInfoReq)/.test(resource))
}

/** The validator of all routes: the query as it came, against the schema of its parameters. */
function parseQuery (schema: TObject, query: string): { value: object } | { error: Error } {
  const { pairs, fault } = splitQuery(query)
  const parsed = parseParameters(schema, pairs)
  const [first] = fault === null ? parsed.faults : [fault]
  if (first === undefined) return { value: parsed.values! }
  const { name, detail } = first
  return { error: new Problem('INVALID_REQUEST', detail, name === undefined ? {} : { parameter: name }) }
}
