import { hash } from 'node:crypto'
import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { Redis } from 'ioredis'
import { plainError, redisScript, runScript } from '../redis.js'

/** What a count may take of a read's time: `commandTimeoutMs` of the client given to `rateLimitStore`. */
export const RATE_LIMIT_TIMEOUT_MS = 500

const PREFIX = 'artifact-pager:rate:'
const PAUSE_MS = 2000
const MAX_LOCAL_KEYS = 10_000

/** A counter that cannot be read, or that would never expire, is begun anew: it must not lock a caller out. */
const COUNT = redisScript(`
local count = redis.pcall('INCR', KEYS[1])
if type(count) == 'table' then
  redis.call('DEL', KEYS[1])
  count = redis.call('INCR', KEYS[1])
end
local ttl = redis.call('PTTL', KEYS[1])
if ttl < 0 then
  ttl = tonumber(ARGV[1])
  redis.call('PEXPIRE', KEYS[1], ttl)
end
return { count, ttl }`)

export interface RateLimitStoreDeps {
  /** A client of its own, made with `RATE_LIMIT_TIMEOUT_MS`; absent: every process counts for itself. */
  client?: Redis | undefined
  /** A clock that never goes back. */
  nowMs: () => number
  /** Callers counted in this process: 1 and above, default 10,000; the oldest window goes first. */
  maxLocalKeys?: number
  /** Told when Redis fails and counting goes on in this process. */
  onFailure?: (error: Error) => void
}

/** The `store` of `@fastify/rate-limit`, which makes it with `new`. */
export function rateLimitStore (deps: RateLimitStoreDeps): FastifyRateLimitStoreCtor {
  return class extends RateLimitStore {
    constructor () {
      super(deps)
    }
  }
}

type Callback = Parameters<FastifyRateLimitStore['incr']>[1]

/**
 * Counts in Redis, for all replicas together. If Redis fails it counts in this process and lets Redis be for 2 s, after
 * which a single request tries it again: no request fails, and next to none waits.
 */
class RateLimitStore implements FastifyRateLimitStore {
  readonly #deps: RateLimitStoreDeps
  readonly #local: LocalWindows
  #failing = false
  #retryAtMs = 0

  constructor (deps: RateLimitStoreDeps) {
    this.#deps = deps
    this.#local = new LocalWindows(deps.maxLocalKeys ?? MAX_LOCAL_KEYS)
  }

  incr (key: string, callback: Callback, windowMs: number): void {
    const { client, nowMs } = this.#deps
    // Of one length, whatever a proxy passes for an address.
    const name = hash('sha256', key, 'base64url')
    const countLocally = () => callback(null, this.#local.count(name, windowMs, nowMs()))
    if (!client || !this.#mayAsk()) return countLocally()
    runScript(client, COUNT, [PREFIX + name], [windowMs]).then(answer => {
      this.#failing = false
      const [current, ttl] = answer as [number, number]
      callback(null, { current, ttl })
    }, (error: unknown) => {
      this.#fail(plainError(error))
      countLocally()
    })
  }

  /** A caller has one budget, whichever route it calls. */
  child (): this {
    return this
  }

  #mayAsk (): boolean {
    if (!this.#failing) return true
    const nowMs = this.#deps.nowMs()
    if (nowMs < this.#retryAtMs) return false
    this.#retryAtMs = nowMs + PAUSE_MS
    return true
  }

  #fail (error: Error): void {
    this.#retryAtMs = this.#deps.nowMs() + PAUSE_MS
    if (this.#failing) return
    this.#failing = true
    this.#deps.onFailure?.(error)
  }
}

interface Window { count: number, startedAtMs: number }

/** Fixed windows of one length, in the order of their start. */
class LocalWindows {
  readonly #maxKeys: number
  readonly #windows = new Map<string, Window>()

  constructor (maxKeys: number) {
    this.#maxKeys = maxKeys
  }

  count (key: string, windowMs: number, nowMs: number): { current: number, ttl: number } {
    let window = this.#windows.get(key)
    if (!window || window.startedAtMs + windowMs <= nowMs) {
      this.#windows.delete(key)
      this.#makeRoom(windowMs, nowMs)
      window = { count: 0, startedAtMs: nowMs }
      this.#windows.set(key, window)
    }
    window.count++
    return { current: window.count, ttl: window.startedAtMs + windowMs - nowMs }
  }

  #makeRoom (windowMs: number, nowMs: number): void {
    for (const [key, { startedAtMs }] of this.#windows) {
      if (startedAtMs + windowMs > nowMs && this.#windows.size < this.#maxKeys) break
      this.#windows.delete(key)
    }
  }
}
