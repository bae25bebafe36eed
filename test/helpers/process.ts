import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import type { Test } from 'tap'
import { PROJECT, SERVER } from './project.js'

const START_MS = 60_000

export interface Ended { code: number | null, signal: NodeJS.Signals | null }

/** The service in a process of its own. */
export interface ServiceProcess {
  url: string
  port: number
  pid: number
  child: ChildProcess
  ended: Promise<Ended>
  /** What it wrote to standard output and error. */
  log: () => string
}

/** Quiet about nothing but requests, so that the log tells what went wrong. */
const DEFAULTS = { PORT: '0', LOG_LEVEL: 'info', RATE_LIMIT_MAX: '0' }

/**
 * Starts the service as its own process on a free port, and ends it after the test.
 * @param shell runs before it in the same process, for limits: `ulimit -n 64`
 * @param wrapper a program, with its arguments, that runs it
 */
export async function spawnService (
  t: Test, env: Record<string, string>, shell = '', wrapper: string[] = []
): Promise<ServiceProcess> {
  // The test runner makes its own processes load more than the service would.
  const script = ['unset NODE_OPTIONS', ...shell === '' ? [] : [shell], 'exec "$@"'].join(' && ')
  const command = ['-c', script, 'sh', ...wrapper, process.execPath, SERVER]
  const child = spawn('sh', command, {
    cwd: PROJECT, env: { ...process.env, ...DEFAULTS, ...env }, stdio: ['ignore', 'pipe', 'pipe']
  })
  const ended = once(child, 'exit').then(([code, signal]) => ({ code, signal }) as Ended)
  t.teardown(async () => {
    child.kill('SIGKILL')
    await ended
  })
  let log = ''
  const port = await new Promise<number>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the service does not start: ${log}`)), START_MS)
    const listen = (chunk: Buffer): void => {
      log += chunk.toString()
      const [, port] = /listening at http:\/\/127\.0\.0\.1:(\d+)/.exec(log) ?? []
      if (port === undefined) return
      clearTimeout(timer)
      resolve(Number(port))
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    ended.then(() => reject(new Error(`the service ended: ${log}`)))
  })
  return { url: `http://127.0.0.1:${port}`, port, pid: child.pid!, child, ended, log: () => log }
}

/** How many descriptors a process has open. */
export function descriptorsOf (pid: number): number {
  return fs.readdirSync(`/proc/${pid}/fd`).length
}

/** Resident memory of a process, in bytes. */
export function residentBytesOf (pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'latin1')) ?? []
  return Number(kib) * 1024
}

/** The value that a share of the samples is at or under. */
export function quantile (samples: number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
}
