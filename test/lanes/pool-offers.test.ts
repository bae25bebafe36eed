import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { Deadline } from '../../src/lanes/deadline.js'
import { CallerGone } from '../../src/lanes/interruption.js'
import type { LanePool, Read } from '../../src/lanes/pool.js'
import { FakeThreads, JOB, type FakeThread } from './fake-threads.js'
import { makePool } from '../helpers/pool.js'

const LONG_MS = 60_000

interface Setup { pool: LanePool, busy: FakeThread, other: FakeThread, reads: Read[] }

/** Two lanes, and three reads at once: the lane that takes the first is offered the others. */
async function setUp (t: Test): Promise<Setup> {
  const fakes = new FakeThreads()
  const pool = makePool({ startThread: fakes.start, maxLanes: 2, warmLanes: 2, maxOffers: 2 })
  t.teardown(() => pool.close())
  await sleep(1)
  const reads = Array.from({ length: 3 }, () => pool.read(JOB, new Deadline(LONG_MS)))
  const busy = fakes.threads.find(thread => thread.requests.length > 0)!
  const other = fakes.threads.find(thread => thread !== busy)!
  return { pool, busy, other, reads }
}

t.test('a brisk lane goes on with what waits, in order, and no other is woken', async t => {
  const { pool, busy, other, reads } = await setUp(t)
  t.equal(busy.requests.length, 3)
  t.equal(other.requests.length, 0)
  t.match(pool.figures, { busy: 1, queued: 2 })
  for (const { id } of busy.requests) busy.answer({ id })
  await Promise.all(reads.map(read => read.result))
  t.match(pool.figures, { busy: 0, queued: 0 })
})

t.test('a lane that is not brisk loses what was offered to it', async t => {
  const { pool, busy, other, reads } = await setUp(t)
  const [first, second, third] = busy.requests.map(({ id }) => id)
  await sleep(20)
  t.same(busy.takenBack.slice(0, 2), [second, third])
  t.equal(other.requests[0]!.slot, busy.requests[1]!.slot)
  t.not(other.requests[0]!.id, second, 'what lies in the queue of the busy lane must not look like it')
  other.answer({ id: other.requests[0]!.id })
  t.equal(other.requests.at(-1)!.slot, busy.requests[2]!.slot)
  other.answer()
  busy.answer({ id: first! })
  await Promise.all(reads.map(read => read.result))
  t.match(pool.figures, { busy: 0, queued: 0 })
})

t.test('what has been begun stays with its lane', async t => {
  const { pool, busy, other, reads } = await setUp(t)
  for (const { id } of busy.requests) busy.begun.add(id)
  await sleep(20)
  t.equal(other.requests.length, 0)
  reads[1]!.giveUp()
  await t.rejects(reads[1]!.result, new CallerGone())
  t.same(busy.givenUp, [busy.requests[1]!.id])
  for (const { id } of [...busy.requests]) busy.answer({ id })
  await reads[2]!.result
  t.match(pool.figures, { busy: 0, queued: 0 })
})

t.test('given up while it is offered: it never begins', async t => {
  const { pool, busy, reads } = await setUp(t)
  const [first, second, third] = busy.requests.map(({ id }) => id)
  reads[1]!.giveUp()
  await t.rejects(reads[1]!.result, new CallerGone())
  t.same(busy.takenBack, [second])
  t.same(busy.givenUp, [])
  busy.answer({ id: first! })
  busy.answer({ id: third! })
  await reads[2]!.result
  t.match(pool.figures, { busy: 0, queued: 0 })
})

t.test('a thread that ends costs the read it was at; the offered ones go to another', async t => {
  const { busy, other, reads } = await setUp(t)
  busy.crash(new Error('out of memory'))
  await t.rejects(reads[0]!.result, { message: 'out of memory' })
  t.equal(other.requests.length, 2)
  for (const { id } of [...other.requests]) other.answer({ id })
  await Promise.all([reads[1]!.result, reads[2]!.result])
})
