import { Redis, type Command } from 'ioredis'
import { parseRedisUrl, plainError } from './redis.js'

const COMMAND_TIMEOUT_MS = 1000
/** Leaves time for one SYN that was lost. Commands don't wait for it: until there is a connection they are rejected. */
const CONNECT_TIMEOUT_MS = 2000
const DISCONNECT_TIMEOUT_MS = 200
const FIRST_BACKOFF_MS = 50
const MAX_BACKOFF_MS = 1000
const LOADING_RETRY_MS = 500

export interface RedisClientOptions {
  /** The longest that a command may take: 1 ms and above, default 1000. */
  commandTimeoutMs?: number
  /** Told of each fault of the connection once, until it is up again. The error holds neither URL nor password. */
  onError?: (error: Error) => void
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
