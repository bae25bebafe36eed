// Mixed load at the machine's limit, every body checked: `npm run soak` (10 minutes), `npm run soak -- --seconds 60`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { GrowingFile, writeStaticFiles } from './soak/files.mjs'
import { abort, err, probe, readPages } from './soak/readers.mjs'
import { makeRequest } from './soak/request.mjs'
import { Sampler } from './soak/sampler.mjs'
import { neverRead, sip } from './soak/slow-clients.mjs'
import { Tail } from './soak/tails.mjs'
import { START_FLAGS } from './start-flags.mjs'

const SERVER = fileURLToPath(new URL('../../dist/src/server.js', import.meta.url))
const DEADLINE_MS = 2000
/** Twice the deadline and ten seconds of silence; and what a machine at its limit takes to see it. */
const NEVER_READ_CLOSED_WITHIN_MS = 2 * (DEADLINE_MS + 10_000) + 10_000
const STOPPED_WITHIN_MS = 15_000
const MAX_FAILURES = 20

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '600' }, server: { type: 'string', default: SERVER } }
})
const seconds = Number(values.seconds)
if (!(seconds >= 10)) {
  console.error('Usage: npm run soak -- [--seconds 600] (10 at least)')
  process.exit(2)
}

const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'artifact-pager-soak-')))
process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true }))
const { server, port } = await startServer(folder, values.server)
process.once('exit', () => server.kill('SIGKILL'))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

const counts = new Map()
const failures = []
const agent = new http.Agent({ keepAlive: true })
const context = {
  port,
  files: writeStaticFiles(folder),
  request: makeRequest(port, agent),
  count: what => counts.set(what, (counts.get(what) ?? 0) + 1)
}
const growing = ['grows-1.log', 'grows-2.log', 'rotates-1.log', 'rotates-2.log']
  .map(name => new GrowingFile(folder, name, { rotates: name.startsWith('rotates') }))
const tails = growing.flatMap(file => ['a', 'b', 'c'].map(run => new Tail(run, file)))

const sampler = new Sampler(server.pid)
const endMs = performance.now() + seconds * 1000
const running = () => performance.now() < endMs && failures.length < MAX_FAILURES && server.exitCode === null
await Promise.all([
  ...Array.from({ length: 16 }, () => repeat(() => readPages(context))),
  ...tails.map(tail => repeat(() => tail.step(context))),
  ...Array.from({ length: 4 }, () => repeat(() => abort(context), 20)),
  ...Array.from({ length: 2 }, () => repeat(() => err(context), 10)),
  ...Array.from({ length: 4 }, () => repeat(() => sip(context))),
  repeat(() => probe(context), 500),
  seconds * 1000 > NEVER_READ_CLOSED_WITHIN_MS ? leaveUnread().catch(error => failures.push(error)) : null
])
sampler.end()
for (const file of growing) file.end()
agent.destroy()
await stopServer()
report()

/** Repeats a step until the time is over; what it throws is a failure of the service. */
async function repeat (step, pauseMs = 0) {
  while (running()) {
    try {
      await step()
    } catch (error) {
      failures.push(error)
    }
    await Promise.race([sleep(pauseMs), sleep(Math.max(0, endMs - performance.now()))])
  }
}

async function leaveUnread () {
  const ms = await neverRead(context, NEVER_READ_CLOSED_WITHIN_MS)
  if (ms === null) throw new Error(`a client that never reads is still connected after ${NEVER_READ_CLOSED_WITHIN_MS} ms`)
  context.count(`never read, closed after ${Math.round(ms / 1000)} s`)
}

async function startServer (root, entry) {
  const env = {
    ...process.env, ARTIFACT_ROOT: root, PORT: '0', RATE_LIMIT_MAX: '0', LOG_LEVEL: 'info', READ_DEADLINE_MS: String(DEADLINE_MS)
  }
  const server = spawn(process.execPath, [...START_FLAGS, entry], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const port = await new Promise((resolve, reject) => {
    server.once('exit', () => reject(new Error('the service does not start: `npm run build` first')))
    server.stdout.on('data', chunk => {
      const [, port] = /listening at http:\/\/127\.0\.0\.1:(\d+)/.exec(chunk.toString()) ?? []
      if (port !== undefined) resolve(Number(port))
      if (/"level":(50|60)/.test(chunk.toString())) failures.push(new Error(`the service logs: ${chunk.toString().slice(0, 2000)}`))
    })
  })
  return { server, port }
}

async function stopServer () {
  if (server.exitCode !== null || server.signalCode !== null) {
    failures.push(new Error(`the service ended: ${server.exitCode ?? server.signalCode}`))
    return
  }
  const ended = once(server, 'exit')
  server.kill('SIGTERM')
  const exit = await Promise.race([ended, sleep(STOPPED_WITHIN_MS)])
  if (exit?.[0] !== 0) failures.push(new Error(`after SIGTERM: ${exit === undefined ? 'still there' : exit.join(' ')}`))
}

function report () {
  const figures = sampler.judge()
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  console.log(`${seconds} s, ${total} answers, ${Math.round(total / seconds)} a second:`)
  for (const [what, count] of [...counts].sort()) console.log(`  ${what}: ${count}`)
  for (const { name, reference, last, most, bound, verdict } of figures) {
    const [at, end, high, limit] = [reference, last, most, bound].map(value => value?.toFixed(1))
    console.log(`${name}: ${at} after the start, ${end} in the last third (at most ${limit}), ${high} at its highest: ${verdict}`)
  }
  for (const failure of failures) console.error(failure)
  const failed = failures.length > 0 || figures.some(({ verdict }) => verdict === 'FAILS')
  console.log(failed ? 'FAILED' : 'All holds.')
  process.exit(failed ? 1 : 0)
}
