import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { LogStream } from '../src/log.js'
import { PROJECT, SERVER } from './helpers/project.js'
import { eventually, freePort } from './helpers/redis.js'
import { ask, makeFolder } from './helpers/service.js'

t.jobs = 3

/** A pipe that nobody reads unless the test does: 64 KiB fit in. */
function makePipe (t: Test, flags: number): number {
  const pipe = path.join(makeFolder(t), 'pipe')
  execFileSync('mkfifo', [pipe])
  const fd = fs.openSync(pipe, fs.constants.O_RDWR | flags)
  t.teardown(() => fs.closeSync(fd))
  return fd
}

const SINKS: Record<string, (t: Test) => number> = {
  'a full disk': t => {
    const fd = fs.openSync('/dev/full', 'w')
    t.teardown(() => fs.closeSync(fd))
    return fd
  },
  'a pipe whose reader stalls': t => makePipe(t, 0),
  'a pipe that does not block': t => makePipe(t, fs.constants.O_NONBLOCK)
}

for (const [name, open] of Object.entries(SINKS)) {
  t.test(`standard output is ${name}: the service answers, and ends when it is told to`, { buffered: true }, async t => {
    const port = await freePort()
    const env = {
      ...process.env, NODE_OPTIONS: '', PORT: `${port}`, ARTIFACT_ROOT: makeFolder(t, { 'a.log': 'one\n' }), RATE_LIMIT_MAX: '0', LOG_LEVEL: 'info', READ_DEADLINE_MS: '60000'
    }
    const child = spawn(process.execPath, [SERVER], { cwd: PROJECT, env, stdio: ['ignore', open(t), 'ignore'] })
    t.teardown(() => child.kill('SIGKILL'))
    const ended = once(child, 'exit')
    const url = `http://127.0.0.1:${port}`
    await eventually(async () => { await ask(`${url}/livez`) })
    // More lines than any pipe takes.
    for (let turn = 0; turn < 20; turn++) {
      const headers = { 'x-request-id': 'x'.repeat(128) }
      const answers = await Promise.all(Array.from({ length: 50 }, () => ask(`${url}/read?path=a.log`, { headers })))
      const refused = answers.filter(({ status }) => status !== 200)
      t.strictSame(refused.map(({ text }) => text), [], `turn ${turn}`)
    }
    await sleep(1500)
    t.match(await ask(`${url}/read?path=a.log`), { status: 200, body: { content: 'one' } })
    const startMs = performance.now()
    child.kill('SIGTERM')
    await ended
    const ms = performance.now() - startMs
    t.ok(ms < 15_000, `gone after ${Math.round(ms)} ms`)
  })
}

t.test('lines come whole and in order, whatever the reader does', async t => {
  const fd = makePipe(t, fs.constants.O_NONBLOCK)
  const log = new LogStream(fd)
  const lines = Array.from({ length: 5000 }, (_, index) => `${index} ${'x'.repeat(index % 100)}\n`)
  let written = 0
  let received = ''
  const buffer = Buffer.alloc(65_536)
  const drain = (): void => {
    try {
      received += buffer.toString('latin1', 0, fs.readSync(fd, buffer))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
    }
  }
  // The pipe fills before anybody reads.
  while (written < 2500) log.write(lines[written++]!)
  await sleep(50)
  for (; written < lines.length; written++) {
    log.write(lines[written]!)
    if (written % 50 === 0) {
      drain()
      await sleep(1)
    }
  }
  const expected = lines.join('')
  for (const endsAt = performance.now() + 20_000; received.length < expected.length && performance.now() < endsAt;) {
    drain()
    await sleep(5)
  }
  t.ok(received === expected, `${received.length} of ${expected.length}`)
})

t.test('beyond 16 MiB that nobody takes, lines are dropped, and that is told', async t => {
  const fd = makePipe(t, fs.constants.O_NONBLOCK)
  const log = new LogStream(fd)
  const line = `${'x'.repeat(1023)}\n`
  const count = 20_000
  for (let written = 0; written < count; written++) log.write(line)
  let lines = 0
  let rest = ''
  let told: { msg?: string } = {}
  const buffer = Buffer.alloc(1_048_576)
  for (const endsAt = performance.now() + 60_000; told.msg === undefined && performance.now() < endsAt;) {
    try {
      const parts = (rest + buffer.toString('latin1', 0, fs.readSync(fd, buffer))).split('\n')
      rest = parts.pop()!
      for (const part of parts) {
        if (part.startsWith('{')) told = JSON.parse(part)
        else lines++
      }
    } catch {}
    await sleep(0)
  }
  t.equal(told.msg, `${count - lines} log lines were dropped`)
  t.ok(lines > 16_000, `${lines} lines`)
})
