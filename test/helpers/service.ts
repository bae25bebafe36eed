import fs from 'node:fs'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import type { Test } from 'tap'
import { buildApp, type App } from '../../src/app.js'
import { readConfig } from '../../src/config.js'
import type { Dependencies } from '../../src/dependencies.js'

/** A folder of a test's own, gone after it. */
export function makeFolder (t: Test, files: Record<string, string | Uint8Array> = {}): string {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'artifact-pager-')))
  t.teardown(() => fs.rmSync(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    fs.writeFileSync(path.join(folder, name), content)
  }
  return folder
}

export interface Service {
  /** Without a slash at its end. */
  url: string
  port: number
  app: App
  close: () => Promise<void>
}

/**
 * Starts the service on a free port, closed after the test. Quiet, without a rate limit, and with time for a slow
 * machine to start its lanes, unless `env` says otherwise.
 */
export async function startService (
  t: Test, env: Record<string, string>, given: Partial<Dependencies> = {}
): Promise<Service> {
  const config = readConfig({ PORT: '0', LOG_LEVEL: 'silent', RATE_LIMIT_MAX: '0', READ_DEADLINE_MS: '60000', ...env })
  const app = await buildApp(config, given)
  await app.fastify.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.fastify.server.address() as AddressInfo
  const close = async (): Promise<void> => { await app.fastify.close() }
  t.teardown(close)
  return { url: `http://127.0.0.1:${port}`, port, app, close }
}

export interface Answer { status: number, headers: Headers, body: any, text: string }

/** Asks, and parses what is JSON. */
export async function ask (url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, init)
  // `response.text()` would drop a byte order mark.
  const text = Buffer.from(await response.arrayBuffer()).toString()
  const isJson = response.headers.get('content-type')?.includes('json')
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : undefined, text }
}
