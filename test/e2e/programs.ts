import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const START_MS = 20_000
/** Below the ports of outgoing connections, so that none of those is in the way when a program starts again. */
const FIRST_PORT = 20_000
const LAST_PORT = 30_000

const PACKAGES = { nginx: 'nginx-light', 'redis-server': 'redis-server', promtool: 'prometheus' }

/** @throws Error that says how to install what is missing: nothing is skipped */
export function requirePrograms (...names: (keyof typeof PACKAGES)[]): void {
  const missing = names.filter(name => spawnSync(name, ['--version']).error !== undefined)
  if (missing.length === 0) return
  throw new Error(`missing: ${missing.join(', ')}; apt-get install ${missing.map(name => PACKAGES[name]).join(' ')}`)
}

export interface ProgramOptions {
  command: string
  args: string[]
  env?: Record<string, string>
  /** What it prints goes here. */
  logFile: string
  /** Resolves when it serves, rejects while it does not. */
  probe: () => Promise<unknown>
}

/** A program of the test's own, which can be ended and started again. */
export class Program {
  readonly #options: ProgramOptions
  #process: ChildProcess | undefined

  constructor (options: ProgramOptions) {
    this.#options = options
    process.once('exit', this.#endNow)
  }

  /** Resolves when it serves. */
  async start (): Promise<void> {
    const { command, args, env, logFile, probe } = this.#options
    const log = fs.openSync(logFile, 'a')
    const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', log, log] })
    fs.closeSync(log)
    this.#process = child
    const endsAt = performance.now() + START_MS
    for (;;) {
      if (await probe().then(() => true, () => false)) return
      const isGone = child.exitCode !== null || child.signalCode !== null || child.pid === undefined
      if (isGone || performance.now() > endsAt) {
        throw new Error(`${command} does not serve: ${fs.readFileSync(logFile, 'utf8').slice(-2000)}`)
      }
      await sleep(50)
    }
  }

  /** Sends the signal and resolves when the program has ended, with its exit code or the signal that ended it. */
  async end (signal: NodeJS.Signals): Promise<number | NodeJS.Signals | null> {
    const child = this.#process
    this.#process = undefined
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return null
    const ended = once(child, 'exit')
    child.kill(signal)
    const [code, endSignal] = await ended
    return code ?? endSignal
  }

  async close (): Promise<void> {
    await this.end('SIGTERM')
    process.off('exit', this.#endNow)
  }

  #endNow = (): void => { this.#process?.kill('SIGTERM') }
}

/** Ports that are free, all different. */
export async function freePorts (count: number): Promise<number[]> {
  const servers: net.Server[] = []
  while (servers.length < count) {
    const port = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT))
    const server = net.createServer()
    const isFree = await new Promise<boolean>(resolve => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
    })
    if (isFree) servers.push(server)
  }
  const ports = servers.map(server => (server.address() as net.AddressInfo).port)
  await Promise.all(servers.map(server => new Promise(resolve => server.close(resolve))))
  return ports
}

/** Resolves when something listens on the port. */
export async function listens (port: number): Promise<void> {
  const socket = net.connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
  } finally {
    socket.destroy()
  }
}

/** Resolves when the URL answers 200. */
export async function answers (url: string): Promise<void> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2000) })
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`${url}: ${response.status}`)
}
