import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { descriptorsOf, spawnService } from '../helpers/process.js'
import { eventually, redisMissing, TestRedis } from '../helpers/redis.js'
import { ask, makeFolder, type Answer } from '../helpers/service.js'
import { connectBare, headOf } from '../helpers/sockets.js'

t.jobs = 3

/** A head has 15 s; a busy machine may take longer to show it. */
const HEAD_CLOSED_WITHIN_MS = 20_000
/** Fewer would not do for loading the modules, which Node opens side by side. */
const DESCRIPTORS = 192
const CROWD = Math.min(2000, Math.floor(openLimit() / 3))

function openLimit (): number {
  return Number(/^Max open files\s+(\d+)/m.exec(fs.readFileSync('/proc/self/limits', 'latin1'))?.[1])
}

t.test(`${CROWD} sockets that send half a head`, { buffered: true }, async t => {
  const { url, port, pid } = await spawnService(t, { ARTIFACT_ROOT: makeFolder(t, { 'a.log': 'one\n' }) })
  const descriptors = descriptorsOf(pid)
  const half = 'GET /read?path=a.log HTTP/1.1\r\nHost: localhost\r\nX-Half: '
  const sockets = []
  for (let opened = 0; opened < CROWD; opened++) sockets.push(await connectBare(t, port, opened % 3 === 0 ? '' : half))
  const open = new Set(sockets)
  const closings = sockets.map(async one => {
    const ms = await one.closed
    open.delete(one)
    return ms
  })
  const latencies: number[] = []
  while (open.size > 0) {
    const startMs = performance.now()
    t.equal((await ask(`${url}/read?path=a.log`)).status, 200)
    latencies.push(performance.now() - startMs)
    await sleep(100)
  }
  const times = await Promise.all(closings)
  t.ok(Math.max(...times) < HEAD_CLOSED_WITHIN_MS, `the last after ${Math.round(Math.max(...times))} ms`)
  const answered = sockets.filter(({ received }) => received().startsWith('HTTP/1.1 408 '))
  t.equal(answered.length, CROWD)
  t.match(sockets.at(-1)!.received(), /application\/problem\+json[^]*"code":"MALFORMED_HTTP"/)
  t.ok(Math.max(...latencies) < 5000, `ordinary reads took ${Math.round(Math.max(...latencies))} ms at most`)
  t.comment(`closed after ${Math.round(Math.min(...times))} to ${Math.round(Math.max(...times))} ms; reads at most ${Math.round(Math.max(...latencies))} ms`)
  await eventually(async () => { if (descriptorsOf(pid) > descriptors + 2) throw new Error('descriptors are left') })
})

t.test('a head that drips does not live longer', { buffered: true }, async t => {
  const { port } = await spawnService(t, { ARTIFACT_ROOT: makeFolder(t, { 'a.log': 'one\n' }) })
  const first = headOf('/read?path=a.log')
  // The second request on a connection is the one that drips.
  const { socket, received, closed } = await connectBare(t, port, `${first}GET /read?path=a.log HTTP/1.1\r\nX-Drip: `)
  const drip = setInterval(() => socket.write('x'), 500)
  t.teardown(() => clearInterval(drip))
  t.ok(await closed < HEAD_CLOSED_WITHIN_MS)
  t.match(received(), /^HTTP\/1.1 200 OK/)
})

t.test('a call that waits for news is not taken for a client that does not read', { buffered: true }, async t => {
  const env = { ARTIFACT_ROOT: makeFolder(t, { 'a.log': '' }), READ_DEADLINE_MS: '5000' }
  const { url } = await spawnService(t, env)
  // Ten seconds beyond the deadline a silent connection is closed.
  const answer = await ask(`${url}/tail?run=r&path=a.log&wait=20`, { method: 'POST' })
  t.match(answer, { status: 200, body: { content: '' } })
})

t.test('more requests than lanes and queue: refused at once, none hangs', { buffered: true }, async t => {
  const folder = makeFolder(t, { 'a.log': 'one\n' })
  fs.writeFileSync(path.join(folder, 'sparse.log'), '')
  fs.truncateSync(path.join(folder, 'sparse.log'), 60 * 2 ** 30)
  const { url } = await spawnService(t, { ARTIFACT_ROOT: folder, READ_DEADLINE_MS: '2000', MAX_CONCURRENT_READS: '2' })
  const statuses = new Map<string, number>()
  const retries = new Set<string>()
  const startMs = performance.now()
  const read = async (): Promise<void> => {
    const { status, body, headers }: Answer = await ask(`${url}/read?path=sparse.log&startLine=1000000`)
    const key = `${status} ${body.code}`
    statuses.set(key, (statuses.get(key) ?? 0) + 1)
    if (status === 503) retries.add(headers.get('retry-after')!)
  }
  await Promise.all(Array.from({ length: 1500 }, read))
  const ms = performance.now() - startMs
  t.comment([...statuses].map(([key, count]) => `${key}: ${count}`).join(', '), `in ${Math.round(ms)} ms`)
  t.ok(ms < 15_000, `${Math.round(ms)} ms`)
  t.ok(statuses.get('503 OVERLOADED')! >= 1500 - 1024, 'those past the queue')
  const known = ['503 OVERLOADED', '422 READ_LIMIT_EXCEEDED', '504 READ_DEADLINE_EXCEEDED']
  t.same([...statuses.keys()].filter(key => !known.includes(key)), [])
  t.same([...retries].sort(), ['1', '2', '3'], 'jittered')
  t.equal((await ask(`${url}/read?path=a.log`)).status, 200)
})

t.test('when descriptors run out: refused or closed, and it heals', { buffered: true }, async t => {
  const folder = makeFolder(t, { 'a.log': 'one\n' })
  const service = await spawnService(t, { ARTIFACT_ROOT: folder, MAX_CONCURRENT_READS: '16' }, `ulimit -n ${DESCRIPTORS}`)
  const { url, port, pid } = service
  t.equal((await ask(`${url}/read?path=a.log`)).status, 200)
  const sockets = await Promise.all(Array.from({ length: 2 * DESCRIPTORS }, async () => connectBare(t, port)))
  await sleep(200)
  t.ok(descriptorsOf(pid) > DESCRIPTORS - 4, `${descriptorsOf(pid)} of ${DESCRIPTORS} descriptors are open`)
  // On connections that it has, reads need descriptors that it has not.
  for (const { socket } of sockets) socket.write(headOf('/read?path=a.log'))
  await sleep(1000)
  const answers = sockets.map(({ received }) => received()).filter(answer => answer !== '')
  const refused = answers.filter(answer => answer.startsWith('HTTP/1.1 503 '))
  t.ok(answers.every(answer => /^HTTP\/1.1 (200|503) /.test(answer)))
  t.ok(refused.every(answer => /STORAGE_UNAVAILABLE|OVERLOADED/.test(answer)))
  t.comment(`${answers.length} of ${sockets.length} answered, ${refused.length} with 503`)
  for (const { socket } of sockets) socket.destroy()
  await eventually(async () => {
    const { status } = await ask(`${url}/read?path=a.log`)
    if (status !== 200) throw new Error(`still ${status}`)
  })
  t.equal(service.child.exitCode, null)
  t.notMatch(service.log(), /"level":60|Error:/, 'no crash')
})

t.test('a tail while its Redis hangs', { skip: redisMissing(), buffered: true }, async t => {
  const redis = await TestRedis.start()
  t.teardown(() => redis.close())
  const folder = makeFolder(t, { 'a.log': 'one\n' })
  const { url } = await spawnService(t, { ARTIFACT_ROOT: folder, REDIS_URL: redis.url, READ_DEADLINE_MS: '1000' })
  const post = async (ack = '0'): Promise<Answer> => ask(`${url}/tail?run=r&path=a.log&ack=${ack}`, { method: 'POST' })
  const first = await eventually(async () => {
    const answer = await post()
    if (answer.status !== 200) throw new Error(answer.text)
    return answer
  })
  t.match(first.body, { content: 'one\n', seq: 1 })
  fs.appendFileSync(path.join(folder, 'a.log'), 'two\n')
  redis.stop()
  t.teardown(() => redis.cont())
  const startMs = performance.now()
  const hung = await post(first.body.cursor)
  const ms = performance.now() - startMs
  t.match(hung, { status: 503, body: { code: 'CURSOR_STORE_UNAVAILABLE' } })
  t.ok(ms < 3000, `${Math.round(ms)} ms`)
  t.equal((await ask(`${url}/read?path=a.log`)).status, 200, 'reads need no Redis')
  t.equal((await ask(`${url}/readyz`)).status, 503)
  redis.cont()
  const after = await eventually(async () => {
    const answer = await post(first.body.cursor)
    if (answer.status !== 200) throw new Error(answer.text)
    return answer
  })
  t.match(after.body, { content: 'two\n', startByte: 4, endByte: 8, seq: 2, reset: null }, 'nothing is lost')
})
