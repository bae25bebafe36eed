import { once } from 'node:events'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { ask, type Answer, type Service } from './service.js'

const PATIENCE_MS = 60_000

/**
 * Asks again while a service that is under load refuses all requests: it shares the event loop of the test, which a
 * busy machine holds up.
 */
export async function askPatiently (url: string, init: RequestInit = {}): Promise<Answer> {
  const endsAt = performance.now() + PATIENCE_MS
  for (;;) {
    const answer = await ask(url, init)
    const isRefused = answer.status === 503 && answer.body?.detail.includes('does not keep up')
    if (!isRefused || performance.now() > endsAt) return answer
    await sleep(200)
  }
}

export type Parameters = Record<string, string | number | boolean>

/** Calls `/tail` for one run and path. */
export class TailClient {
  readonly service: Service
  readonly run: string
  readonly path: string

  constructor (service: Service, run: string, path: string) {
    this.service = service
    this.run = run
    this.path = path
  }

  post (parameters: Parameters = {}, init: RequestInit = {}): Promise<Answer> {
    return askPatiently(`${this.service.url}${this.target(parameters)}`, { method: 'POST', ...init })
  }

  peek (parameters: Parameters = {}, init: RequestInit = {}): Promise<Answer> {
    return askPatiently(`${this.service.url}${this.target(parameters)}`, init)
  }

  forget (): Promise<Answer> {
    return askPatiently(`${this.service.url}${this.target({})}`, { method: 'DELETE' })
  }

  /** Calls over a connection of its own that the caller may destroy. */
  async dial (parameters: Parameters = {}): Promise<net.Socket> {
    const socket = net.connect(this.service.port, '127.0.0.1')
    await once(socket, 'connect')
    socket.on('error', () => {})
    socket.write(`POST ${this.target(parameters)} HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n`)
    return socket
  }

  private target (parameters: Parameters): string {
    const pairs = Object.entries({ run: this.run, path: this.path, ...parameters })
    return `/tail?${pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`
  }
}

/**
 * Asserts that all the members of `expected` are in `actual`, with just these values (`t.match` takes a part of a
 * string for the whole).
 */
export function holds (t: Test, actual: unknown, expected: object, message = JSON.stringify(expected)): void {
  t.strictSame(pick(actual, expected), expected, message)
}

function pick (actual: unknown, expected: unknown): unknown {
  if (!isObject(actual) || !isObject(expected)) return actual
  return Object.fromEntries(Object.keys(expected).map(name => [name, pick(actual[name], expected[name])]))
}

function isObject (value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
