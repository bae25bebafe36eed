import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'

/** Where a Redis is. */
export interface RedisAddress {
  host: string
  port: number
  username?: string
  password?: string
  db: number
  tls?: object
}

/**
 * Reads `redis://[[user]:password@]host[:port][/database]`, or `rediss://` for TLS.
 * @throws Error that says what is wrong, without the URL: it may hold a password
 */
export function parseRedisUrl (url: string): RedisAddress {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  const database = parsed && /^\/?(\d{0,5})$/.exec(parsed.pathname)
  // A query could undo the options that make a command fail fast.
  if (!parsed || !database || !/^rediss?:$/.test(parsed.protocol) || parsed.hostname === '' || parsed.search || parsed.hash) {
    throw new Error('must be redis://[user:password@]host[:port][/database], or rediss:// for TLS')
  }
  return {
    host: parsed.hostname.replace(/^\[|\]$/g, ''),
    port: parsed.port === '' ? 6379 : Number(parsed.port),
    ...parsed.username && { username: credential(parsed.username) },
    ...parsed.password && { password: credential(parsed.password) },
    db: Number(database[1]),
    ...parsed.protocol === 'rediss:' && { tls: {} }
  }
}

function credential (escaped: string): string {
  try {
    return decodeURIComponent(escaped)
  } catch {
    throw new Error('has a malformed percent-escape in its user or password')
  }
}

/** What an error of ioredis says; the error itself carries the command's arguments, AUTH's password among them. */
export function plainError (error: unknown): Error {
  const { message, code } = error as NodeJS.ErrnoException
  return new Error(message || code || 'unknown error')
}

/** A Lua script. */
export interface RedisScript { lua: string, sha: string }

export function redisScript (lua: string): RedisScript {
  return { lua, sha: createHash('sha1').update(lua).digest('hex') }
}

/** Runs a script by its digest, and by its text where the server does not hold it (a restart, SCRIPT FLUSH). */
export async function runScript (
  client: Redis, { lua, sha }: RedisScript, keys: string[], args: (string | number)[]
): Promise<unknown> {
  try {
    return await client.evalsha(sha, keys.length, ...keys, ...args)
  } catch (error) {
    if (!(error as Error).message.startsWith('NOSCRIPT')) throw error
    return await client.eval(lua, keys.length, ...keys, ...args)
  }
}
