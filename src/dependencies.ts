import { availableParallelism } from 'node:os'
import type { FastifyBaseLogger } from 'fastify'
import type { FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { Config } from './config.js'
import { MemoryCursorStore } from './cursors/memory-store.js'
import type { Watcher } from './cursors/news.js'
import { RedisCursorStore } from './cursors/redis-store.js'
import type { CursorStore } from './cursors/store.js'
import { openRoot, type Root } from './files/root.js'
import { monotonicMs } from './lanes/clock.js'
import { LanePool } from './lanes/pool.js'
import { startThread } from './lanes/thread.js'
import { ThreadWatcher } from './lanes/watcher.js'
import { RATE_LIMIT_TIMEOUT_MS, rateLimitStore } from './plugins/rate-limit-store.js'
import { connectRedis } from './redis.js'

/** What the service works with. A test gives its own. */
export interface Dependencies {
  root: Root
  pool: LanePool
  store: CursorStore
  watcher: Watcher
  rateLimitStore: FastifyRateLimitStoreCtor
}

/** Makes what is not given, and a way to close it; what was given is its giver's. */
export function makeDependencies (config: Config, given: Partial<Dependencies>, log: FastifyBaseLogger) {
  const closers: (() => unknown)[] = []
  const redis = (purpose: string, commandTimeoutMs?: number) => connectRedis(config.redisUrl!, {
    ...commandTimeoutMs === undefined ? {} : { commandTimeoutMs },
    onError: err => log.warn({ err }, `Redis (${purpose})`)
  })
  const root = given.root ?? openRoot(config.artifactRoot)
  const dependencies: Dependencies = {
    root,
    pool: given.pool ?? makePool(),
    watcher: given.watcher ?? makeWatcher(),
    store: given.store ?? makeStore(),
    rateLimitStore: given.rateLimitStore ?? makeRateLimitStore()
  }
  return { ...dependencies, close: async () => { for (const close of closers) await close() } }

  function makePool (): LanePool {
    const maxLanes = config.maxConcurrentReads
    const warmLanes = Math.min(maxLanes, availableParallelism())
    const pool = new LanePool({ startThread: () => startThread(root), maxLanes, warmLanes })
    closers.push(() => pool.close())
    return pool
  }

  function makeWatcher (): Watcher {
    const watcher = new ThreadWatcher(root)
    closers.push(() => watcher.close())
    return watcher
  }

  function makeStore (): CursorStore {
    const { cursorTtlSeconds: ttlSeconds, cursorMax: maxCursors } = config
    if (config.redisUrl === null) {
      log.info('cursors are in memory: they serve this process alone and end with it; for replicas set REDIS_URL')
      return new MemoryCursorStore({ maxCursors, ttlMs: ttlSeconds * 1000, nowMs: monotonicMs })
    }
    const store = new RedisCursorStore({ client: redis('cursors'), ttlSeconds })
    closers.push(() => store.close())
    return store
  }

  function makeRateLimitStore (): FastifyRateLimitStoreCtor {
    const onFailure = (err: Error): void => log.warn({ err }, 'rate limits are counted in this process')
    if (config.redisUrl === null || config.rateLimitMax === 0) return rateLimitStore({ nowMs: monotonicMs, onFailure })
    const client = redis('rate limit', RATE_LIMIT_TIMEOUT_MS)
    closers.push(() => client.disconnect())
    return rateLimitStore({ client, nowMs: monotonicMs, onFailure })
  }
}
