import { createHash } from 'node:crypto'
import { Redis, type Command } from 'ioredis'

const COMMAND_TIMEOUT_MS = 1000
/** Leaves time for one SYN that was lost. Commands don't wait for it: until there is a connection they are rejected. */
const CONNECT_TIMEOUT_MS = 2000
const DISCONNECT_TIMEOUT_MS = 200
const FIRST_BACKOFF_MS = 50
const MAX_BACKOFF_MS = 1000
const LOADING_RETRY_MS = 500

/** Where a Redis is. */
export interface RedisAddress {
  host: string
  port: number
  username?: string
  password?: string
  db: number
  tls?: object
}

export interface RedisClientOptions {
  /** The longest that a command may take: 1 ms and above, default 1000. */
  commandTimeoutMs?: number
  /** Told of each fault of the connection once, until it is up again. The error holds neither URL nor password. */
  onError?: (error: Error) => void
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

/**
 * A client that answers soon, whatever its server does: a command is rejected at once while there is no connection,
 * after `commandTimeoutMs` if no answer comes, and is never sent twice. It connects again by itself for ever, waiting
 * at most 1 s between attempts; it does not need a server to begin with.
 * @throws Error if the URL is malformed
 */
export function connectRedis (url: string, options: RedisClientOptions = {}): Redis {
  const client = new FailFastRedis({
    ...parseRedisUrl(url),
    commandTimeout: options.commandTimeoutMs ?? COMMAND_TIMEOUT_MS,
    connectTimeout: CONNECT_TIMEOUT_MS,
    disconnectTimeout: DISCONNECT_TIMEOUT_MS,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    maxLoadingRetryTime: LOADING_RETRY_MS,
    retryStrategy: attempts => Math.min(attempts * FIRST_BACKOFF_MS, MAX_BACKOFF_MS),
    // CLIENT SETINFO came with Redis 7.2, and would be one more command to wait for.
    disableClientInfo: true
  })
  let lastFault: string | undefined
  client.on('ready', () => { lastFault = undefined })
  client.on('error', (error: Error) => {
    const plain = plainError(error)
    if (plain.message === lastFault) return
    lastFault = plain.message
    options.onError?.(plain)
  })
  return client
}

/**
 * Gives up a connection with its first command that is not answered in time: those behind it would wait as long, a
 * broken connection could look alive for the quarter of an hour that TCP retries, and no late answer is left to come.
 */
class FailFastRedis extends Redis {
  override sendCommand (...[command, stream]: Parameters<Redis['sendCommand']>): unknown {
    const socket = this.stream
    const answer = super.sendCommand(command as Command, stream) as Promise<unknown>
    answer.catch((error: Error) => {
      if (error.message === 'Command timed out') socket?.destroy()
    })
    return answer
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
