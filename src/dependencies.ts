import fs from 'node:fs'
import { availableParallelism } from 'node:os'
import type { FastifyBaseLogger } from 'fastify'
import type { FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { Config } from './config.js'
import { MemoryCursorStore } from './cursors/memory-store.js'
import { RedisCursorStore } from './cursors/redis-store.js'
import type { CursorStore } from './cursors/store.js'
import { openRoot, type Root } from './files/root.js'
import { monotonicMs } from './lanes/clock.js'
import { LanePool } from './lanes/pool.js'
import { startThread } from './lanes/thread.js'
import { ThreadWatcher, type Watcher } from './lanes/watcher.js'
import { RATE_LIMIT_TIMEOUT_MS, rateLimitStore } from './plugins/rate-limit-store.js'

/** As many small reads as a lane does in about a millisecond. */
const MAX_OFFERS = 32
/** What a small read takes. */
const LOOK_OUT_MS = 0.2

/** What the service works with. A test gives its own. */
export interface Dependencies {
  root: Root
  pool: LanePool
  store: CursorStore
  watcher: Watcher
  rateLimitStore: FastifyRateLimitStoreCtor
}

/** Makes what is not given, and a way to close it; what was given is its giver's. */
export async function makeDependencies (config: Config, given: Partial<Dependencies>, log: FastifyBaseLogger) {
  const closers: (() => unknown)[] = []
  const root = given.root ?? openRoot(config.artifactRoot)
  const maker = new Maker(config, root, log, closers)
  const dependencies: Dependencies = {
    root,
    pool: given.pool ?? maker.pool(),
    watcher: given.watcher ?? maker.watcher(),
    store: given.store ?? await maker.store(),
    rateLimitStore: given.rateLimitStore ?? await maker.rateLimitStore()
  }
  // Last: lanes walk from it.
  if (given.root === undefined) closers.push(() => fs.closeSync(root.fd))
  return { ...dependencies, close: async () => { for (const close of closers) await close() } }
}

class Maker {
  private readonly config: Config
  private readonly root: Root
  private readonly log: FastifyBaseLogger
  private readonly closers: (() => unknown)[]

  constructor (config: Config, root: Root, log: FastifyBaseLogger, closers: (() => unknown)[]) {
    this.config = config
    this.root = root
    this.log = log
    this.closers = closers
  }

  pool (): LanePool {
    const maxLanes = this.config.maxConcurrentReads
    const warmLanes = Math.min(maxLanes, availableParallelism())
    const pool = new LanePool({
      startThread: memory => startThread(this.root, memory),
      maxLanes,
      warmLanes,
      maxOffers: MAX_OFFERS,
      // On a single processor the event loop would only be in the way of the read.
      lookOutMs: availableParallelism() > 1 ? LOOK_OUT_MS : 0,
      onFault: err => this.log.error({ err }, 'a thread that reads failed or did not start')
    })
    this.closers.push(() => pool.close())
    return pool
  }

  watcher (): Watcher {
    const watcher = new ThreadWatcher(this.root, err => this.log.error({ err }, 'the thread that watches failed or did not start'))
    this.closers.push(() => watcher.close())
    return watcher
  }

  async store (): Promise<CursorStore> {
    const { cursorTtlSeconds: ttlSeconds, cursorMax: maxCursors, redisUrl } = this.config
    if (redisUrl === null) {
      this.log.info('cursors are in memory: they serve this process alone and end with it; for replicas set REDIS_URL')
      return new MemoryCursorStore({ maxCursors, ttlMs: ttlSeconds * 1000, nowMs: monotonicMs })
    }
    const store = new RedisCursorStore({ client: await this.connect(redisUrl, 'cursors'), ttlSeconds })
    this.closers.push(() => store.close())
    return store
  }

  async rateLimitStore (): Promise<FastifyRateLimitStoreCtor> {
    const { redisUrl, rateLimitMax } = this.config
    const onFailure = (err: Error): void => this.log.warn({ err }, 'rate limits are counted in this process')
    if (redisUrl === null || rateLimitMax === 0) return rateLimitStore({ nowMs: monotonicMs, onFailure })
    const client = await this.connect(redisUrl, 'rate limit', RATE_LIMIT_TIMEOUT_MS)
    this.closers.push(() => client.disconnect())
    return rateLimitStore({ client, nowMs: monotonicMs, onFailure })
  }

  private async connect (url: string, purpose: string, commandTimeoutMs?: number) {
    // Some 10 MiB that a service without Redis does not need.
    const { connectRedis } = await import('./redis-connection.js')
    return connectRedis(url, {
      ...commandTimeoutMs === undefined ? {} : { commandTimeoutMs },
      onError: err => this.log.warn({ err }, `Redis (${purpose})`)
    })
  }
}
