import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { descriptorsOf, quantile, residentBytesOf, spawnService, type ServiceProcess } from '../helpers/process.js'
import { eventually } from '../helpers/redis.js'
import { ask, makeFolder, type Answer } from '../helpers/service.js'
import { connectBare, headOf } from '../helpers/sockets.js'

const SIZE = 60 * 2 ** 30
const DEADLINE_MS = 1000
const MIB = 1_048_576
/** Characters of two bytes at the front shift what follows, so that numbers of characters and bytes differ. */
const FRONT = 'é'.repeat(1001)
const FAR = 2 ** 50

async function startOnSparse (t: Test, maxReads: number): Promise<ServiceProcess> {
  const folder = makeFolder(t, { 'sparse.log': `${FRONT}\n`, 'a.log': 'one\n'.repeat(1000) })
  fs.truncateSync(path.join(folder, 'sparse.log'), SIZE)
  return await spawnService(t, {
    ARTIFACT_ROOT: folder, READ_DEADLINE_MS: String(DEADLINE_MS), MAX_CONCURRENT_READS: String(maxReads)
  })
}

interface Reached { line?: number, char?: number, byte: number }

/** Follows `next` from a scan that ran out of time, and gives the places that were reached. */
async function follow (t: Test, { url }: ServiceProcess, first: string): Promise<Reached[]> {
  const reached = []
  let next = first
  for (let page = 0; page < 3; page++) {
    const answer: Answer = await ask(`${url}/${next}`)
    t.match(answer, { status: 422, body: { code: 'READ_LIMIT_EXCEEDED', reason: 'deadline', reached: { byte: Number } } })
    t.notOk('at' in answer.body || 'encoding' in answer.body, 'nothing of the inside')
    reached.push(answer.body.reached)
    next = answer.body.next
    t.match(next, /^read\?.*at=/)
  }
  t.ok(reached[0].byte < reached[1].byte && reached[1].byte < reached[2].byte, reached.map(({ byte }) => byte).join(' < '))
  return reached
}

t.test('a far-away start in a file of 60 GiB', async t => {
  const service = await startOnSparse(t, 8)
  const { url, pid } = service

  await t.test('by lines', async t => {
    const reached = await follow(t, service, `read?path=sparse.log&startLine=${FAR}&maxLines=5`)
    for (const place of reached) t.equal(place.line, 2)
  })

  await t.test('by characters, to the very character', async t => {
    const reached = await follow(t, service, `read?path=sparse.log&offsetChars=${FAR}&limitChars=5`)
    for (const { char, byte } of reached) t.equal(byte, char! + FRONT.length)
  })

  await t.test('around a line', async t => {
    const answer = await ask(`${url}/read?path=sparse.log&aroundLine=${FAR}&maxLevels=1`)
    t.match(answer, { status: 422, body: { reason: 'deadline', reached: { line: 2 } } })
    t.match(answer.body.next, /startLine=1125899906842624.*at=/)
    const next = await ask(`${url}/${answer.body.next}`)
    t.match(next, { status: 422, body: { reason: 'deadline' } })
    t.ok(next.body.reached.byte > answer.body.reached.byte)
  })

  await t.test('four at once: the process stays alive and small', async t => {
    // What the first scans leave behind is not what these take.
    const before = residentBytesOf(pid)
    const latencies: number[] = []
    let most = before
    const scanning = new Set<Promise<void>>()
    for (let scan = 0; scan < 4; scan++) {
      const rounds = (async () => {
        for (let round = 0; round < 3; round++) {
          const answer = await ask(`${url}/read?path=sparse.log&startLine=${FAR}`)
          // In the first round threads have to be started, which a busy machine may not do in time.
          if (round > 0 || answer.status !== 503) t.match(answer, { status: 422, body: { reason: 'deadline' } })
        }
      })().finally(() => scanning.delete(rounds))
      scanning.add(rounds)
    }
    while (scanning.size > 0) {
      const startMs = performance.now()
      await ask(`${url}/livez`)
      latencies.push(performance.now() - startMs)
      most = Math.max(most, residentBytesOf(pid))
      await sleep(5)
    }
    const p99 = quantile(latencies, 0.99)
    const grown = (most - before) / MIB
    t.ok(p99 < 250, `livez p99 ${p99.toFixed(1)} ms of ${latencies.length}`)
    t.ok(grown < 64, `${grown.toFixed(1)} MiB more`)
    t.comment(`livez p50 ${quantile(latencies, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms; grew ${grown.toFixed(1)} MiB`)
  })
})

t.test('500 clients that leave in the middle of a scan', async t => {
  const { url, port, pid } = await startOnSparse(t, 2)
  const line = async (): Promise<number> => {
    const startMs = performance.now()
    t.equal((await ask(`${url}/read?path=a.log&startLine=500&maxLines=1`)).status, 200)
    return performance.now() - startMs
  }
  await line()
  const round = async (count: number): Promise<void> => {
    const sockets = await Promise.all(Array.from({ length: count }, async () => connectBare(
      t, port, headOf(`/read?path=sparse.log&startLine=${FAR}`)
    )))
    await sleep(50)
    for (const { socket } of sockets) socket.destroy()
  }
  // All lanes are started by the first.
  await round(100)
  await sleep(300)
  const before = descriptorsOf(pid)
  for (let rounds = 0; rounds < 5; rounds++) await round(100)
  const ms = await line()
  t.ok(ms < 1000, `the next read took ${ms.toFixed(1)} ms`)
  await eventually(async () => {
    const after = descriptorsOf(pid)
    if (after > before) throw new Error(`${before} descriptors before, ${after} after`)
  })
  t.comment(`next read ${ms.toFixed(1)} ms; descriptors ${before} -> ${descriptorsOf(pid)}`)
})
