import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const START_MS = 20_000
const PORT_ATTEMPTS = 5

/** Why tests that need a Redis are skipped, or false if they are not. */
export function redisMissing (): string | false {
  return spawnSync('redis-server', ['--version']).error
    ? 'there is no redis-server: `apt-get install redis-server`'
    : false
}

/** A `redis-server` of the test's own, empty and without persistence. */
export class TestRedis {
  readonly url: string
  readonly #folder: string
  readonly #port: number
  #server: ChildProcess | undefined

  private constructor (port: number) {
    this.#port = port
    this.url = `redis://127.0.0.1:${port}`
    this.#folder = mkdtempSync(join(tmpdir(), 'test-redis-'))
    process.once('exit', this.#endNow)
  }

  static async start (): Promise<TestRedis> {
    // A port that was free may be taken by the time the server asks for it.
    for (let attempt = 1; ; attempt++) {
      const redis = new TestRedis(await freePort())
      try {
        await redis.start()
        return redis
      } catch (error) {
        await redis.close()
        if (attempt === PORT_ATTEMPTS) throw error
      }
    }
  }

  /** Starts it after `kill`, on the same port and empty; resolves when it serves. */
  async start (): Promise<void> {
    const args = ['--port', `${this.#port}`, '--bind', '127.0.0.1', '--dir', this.#folder, '--save', '', '--appendonly', 'no']
    const server = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'ignore'] })
    this.#server = server
    let log = ''
    const ready = new Promise<void>((resolve, reject) => {
      server.stdout.on('data', (chunk: Buffer) => {
        log += chunk.toString()
        if (/ready to accept connections/i.test(log)) resolve()
      })
      server.once('error', reject)
      server.once('exit', () => reject(new Error(`redis-server ended: ${log}`)))
      setTimeout(() => reject(new Error(`redis-server does not start: ${log}`)), START_MS).unref()
    })
    await ready
  }

  /** Hangs it: connections stay and new ones are made, but nothing is answered. */
  stop (): void {
    this.#server?.kill('SIGSTOP')
    // It may go on for a moment after the signal was sent.
    const endsAt = performance.now() + START_MS
    while (!/\) T /.test(readFileSync(`/proc/${this.#server?.pid}/stat`, 'latin1'))) {
      if (performance.now() > endsAt) throw new Error('redis-server does not stop')
    }
  }

  cont (): void {
    this.#server?.kill('SIGCONT')
  }

  /** Ends it at once, and all it held. */
  async kill (): Promise<void> {
    const server = this.#server
    this.#server = undefined
    if (!server || server.exitCode !== null || server.signalCode !== null || server.pid === undefined) return
    const ended = once(server, 'exit')
    server.kill('SIGKILL')
    await ended
  }

  async close (): Promise<void> {
    await this.kill()
    process.off('exit', this.#endNow)
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #endNow = (): void => {
    this.#server?.kill('SIGKILL')
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

export async function freePort (): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/**
 * Repeats an action until it succeeds.
 * @throws the last error once `limitMs` (default 15 s) have passed
 */
export async function eventually<Value> (action: () => Promise<Value>, limitMs = 15_000): Promise<Value> {
  const endsAt = performance.now() + limitMs
  for (;;) {
    try {
      return await action()
    } catch (error) {
      if (performance.now() > endsAt) throw error
    }
    await sleep(20)
  }
}
