import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { CallerGone } from '../../src/lanes/interruption.js'
import { Deadline } from '../../src/lanes/deadline.js'
import type { LanePool, PoolOptions } from '../../src/lanes/pool.js'
import { makePool } from '../helpers/pool.js'
import { eventually } from '../helpers/redis.js'
import { FakeThreads, JOB } from './fake-threads.js'

/** Long enough never to pass in a test. */
const LONG_MS = 60_000

interface Setup { pool: LanePool, fakes: FakeThreads, read: (deadlineMs?: number) => ReturnType<LanePool['read']> }

async function setUp (t: Test, options: Partial<PoolOptions> = {}, fakes = new FakeThreads()): Promise<Setup> {
  const pool = makePool({ startThread: fakes.start, maxLanes: 1, warmLanes: 1, ...options })
  t.teardown(() => pool.close())
  await sleep(1)
  return { pool, fakes, read: (deadlineMs = LONG_MS) => pool.read(JOB, new Deadline(deadlineMs)) }
}

async function until (condition: () => boolean): Promise<void> {
  await eventually(async () => { if (!condition()) throw new Error('not yet') })
}

t.test('a read is answered, and its lane takes the next', async t => {
  const { pool, fakes, read } = await setUp(t)
  const [first, second] = [read(), read()]
  t.match(pool.figures, { lanes: 1, busy: 1, stuck: 0, queued: 1 })
  const [thread] = fakes.threads
  thread!.answer()
  t.match(await first.result, { bodyEnd: 8195 })
  t.equal(thread!.requests.length, 2)
  thread!.answer()
  await second.result
  t.match(pool.figures, { busy: 0, queued: 0 })
})

t.test('given up', async t => {
  await t.test('in the queue: it never starts', async t => {
    const { pool, fakes, read } = await setUp(t)
    const [first, second, third] = [read(), read(), read()]
    second.giveUp()
    await t.rejects(second.result, new CallerGone())
    t.equal(pool.figures.queued, 1)
    fakes.threads[0]!.answer()
    await first.result
    fakes.threads[0]!.answer()
    await third.result
    t.equal(fakes.threads[0]!.requests.length, 2)
  })

  await t.test('while it runs: settled at once, its lane counted until the answer', async t => {
    const { pool, fakes, read } = await setUp(t)
    const { result, giveUp } = read()
    giveUp()
    giveUp()
    await t.rejects(result, new CallerGone())
    const [thread] = fakes.threads
    t.same(thread!.givenUp, [thread!.id])
    const next = read()
    t.match(pool.figures, { lanes: 1, busy: 1, queued: 1 }, 'its permit is not free yet')
    thread!.answer({ type: 'failure', error: new CallerGone() })
    thread!.answer()
    await next.result
  })

  await t.test('after the answer: nothing happens', async t => {
    const { fakes, read } = await setUp(t)
    const { result, giveUp } = read()
    fakes.threads[0]!.answer()
    giveUp()
    t.match(await result, { bodyEnd: 8195 })
    t.same(fakes.threads[0]!.givenUp, [])
  })

  await t.test('and hung: stuck when its time is over', async t => {
    const { pool, read } = await setUp(t)
    const { result, giveUp } = read(20)
    giveUp()
    await t.rejects(result, new CallerGone())
    t.equal(pool.figures.stuck, 0)
    await until(() => pool.figures.stuck === 1)
  })
})

t.test('the deadline', async t => {
  await t.test('in the queue', async t => {
    const { pool, fakes, read } = await setUp(t)
    const first = read()
    await t.rejects(read(20).result, { code: 'OVERLOADED' })
    t.equal(pool.figures.queued, 0)
    fakes.threads[0]!.answer()
    await first.result
    t.equal(fakes.threads[0]!.requests.length, 1)
  })

  await t.test('in the queue, passed when a lane comes free', async t => {
    const { fakes, read } = await setUp(t)
    const first = read()
    const second = read(10)
    await sleep(20)
    fakes.threads[0]!.answer()
    await first.result
    await t.rejects(second.result, { code: 'OVERLOADED' })
    t.equal(fakes.threads[0]!.requests.length, 1)
  })

  await t.test('while it runs: settled, the lane stuck until it comes back', async t => {
    const { pool, fakes, read } = await setUp(t)
    await t.rejects(read(20).result, { code: 'READ_DEADLINE_EXCEEDED' })
    t.match(pool.figures, { busy: 1, stuck: 1 })
    t.ok(pool.allStuck)
    await t.rejects(read().result, { code: 'OVERLOADED' }, 'refused at once')
    fakes.threads[0]!.answer()
    t.match(pool.figures, { busy: 0, stuck: 0 })
    t.notOk(pool.allStuck)
    const next = read()
    fakes.threads[0]!.answer()
    await next.result
  })

  await t.test('while it scans: how far it was when it last told', async t => {
    const { fakes, read } = await setUp(t)
    const { result } = read(20)
    fakes.threads[0]!.reached(100)
    fakes.threads[0]!.reached(200)
    const members = { reason: 'deadline', reached: { line: 7, byte: 200 }, at: 'token' }
    await t.rejects(result, { code: 'READ_LIMIT_EXCEEDED', members })
    fakes.threads[0]!.reached(300)
    fakes.threads[0]!.answer()
    const next = read(20)
    await t.rejects(next.result, { code: 'READ_DEADLINE_EXCEEDED' }, 'nothing is left of the scan before')
  })

  await t.test('told by the lane itself', async t => {
    const { pool, fakes, read } = await setUp(t)
    const { result } = read(20)
    fakes.threads[0]!.answer({ type: 'problem', problem: { code: 'READ_DEADLINE_EXCEEDED', detail: 'd', members: {} } })
    await t.rejects(result, { code: 'READ_DEADLINE_EXCEEDED', detail: 'd' })
    await sleep(150)
    t.equal(pool.figures.stuck, 0)
  })
})

t.test('a defect in a lane rejects with its error', async t => {
  const { fakes, read } = await setUp(t)
  const { result } = read()
  fakes.threads[0]!.answer({ type: 'failure', error: new RangeError('a defect') })
  await t.rejects(result, new RangeError('a defect'))
})

t.test('memory for bodies is used again, once it is released, and never by two at once', async t => {
  const { fakes, read } = await setUp(t)
  const [thread] = fakes.threads
  const slots: (number | null)[] = []
  const run = async () => {
    const { result } = read()
    slots.push(thread!.requests.at(-1)!.slot)
    thread!.answer()
    return await result
  }
  const first = await run()
  const second = await run()
  first.release()
  const third = await run()
  t.not(slots[0], slots[1])
  t.equal(slots[2], slots[0])
  second.release()
  third.release()
  const body = new ArrayBuffer(8192 + 5 + 16)
  const { result } = read()
  thread!.answer({ bodyBytes: 5, body })
  const own = await result
  t.equal(own.buffer.buffer, body)
  t.equal(own.bodyEnd, 8197)
})

t.test('whatever becomes of a read, its slot is free again when nobody writes to it or sends from it', async t => {
  const { fakes, read } = await setUp(t)
  const last = () => fakes.threads.at(-1)!
  /** Begins a read on the lane, which may have to be started first. */
  const begin = async () => {
    const one = read()
    await until(() => last().requests.length > 0 && !last().answered)
    return { ...one, slot: last().requests.at(-1)!.slot }
  }
  const own = (): ArrayBuffer => new ArrayBuffer(8192 + 3 + 16)
  const held = []
  for (let taken = 0; taken < 32; taken++) {
    const { result, slot } = await begin()
    last().answer()
    held.push({ page: await result, slot })
  }
  t.equal(new Set(held.map(({ slot }) => slot)).size, 32)
  const { result, slot } = await begin()
  t.equal(slot, null, 'all are taken')
  last().answer({ body: own() })
  t.equal((await result).buffer.length, own().byteLength)
  const { page, slot: only } = held[7]!
  page.release()
  page.release()
  const ends: Record<string, () => void> = {
    refused: () => last().answer({ type: 'problem', problem: { code: 'NOT_A_FILE', detail: 'd', members: {} } }),
    failed: () => last().answer({ type: 'failure', error: new Error('a defect') }),
    'too large for it': () => last().answer({ body: own() }),
    'its lane ended': () => last().crash(new Error('lost')),
    'given up': () => {},
    sent: () => last().answer()
  }
  for (const [name, end] of Object.entries(ends)) {
    const { result, giveUp, slot } = await begin()
    t.equal(slot, only, `before: ${name}`)
    if (name === 'given up') giveUp()
    end()
    await result.then(({ release }) => release(), () => {})
    if (name === 'given up') last().answer()
  }
  t.equal((await begin()).slot, only)
})

t.test('an answer to another read than the lane was at is nobody\'s page', async t => {
  const faults: Error[] = []
  const { pool, fakes, read } = await setUp(t, { onFault: error => faults.push(error) })
  const { result } = read()
  const [thread] = fakes.threads
  thread!.answer({ id: thread!.id + 1 })
  await t.rejects(result, /ended in the middle/)
  t.match(faults, [{ message: /what it was not asked/ }])
  t.ok(thread!.endAsked)
  const next = read()
  await until(() => fakes.threads[1]?.requests.length === 1)
  fakes.threads[1]!.answer()
  await next.result
  t.match(pool.figures, { lanes: 1, busy: 0 })
})

t.test('bodies in no slot count until they are released, once', async t => {
  const { pool, fakes, read } = await setUp(t)
  const answerLarge = async (bodyBytes: number) => {
    const { result } = read()
    fakes.threads[0]!.answer({ bodyBytes, body: new ArrayBuffer(bodyBytes) })
    return await result
  }
  const first = await answerLarge(100)
  const second = await answerLarge(10)
  t.equal(pool.figures.unsentBytes, 110)
  first.release()
  first.release()
  t.equal(pool.figures.unsentBytes, 10)
  const { result, giveUp } = read()
  giveUp()
  fakes.threads[0]!.answer({ bodyBytes: 50, body: new ArrayBuffer(50) })
  await t.rejects(result, new CallerGone())
  t.equal(pool.figures.unsentBytes, 10, 'nobody waits for that one')
  const most = await answerLarge(134_217_728 - 10)
  await t.rejects(read().result, { code: 'OVERLOADED', message: /waits to be sent/ })
  second.release()
  const next = read()
  fakes.threads[0]!.answer()
  await next.result
  most.release()
  t.equal(pool.figures.unsentBytes, 0)
})

t.test('what was read counts, whatever came of it', async t => {
  const { fakes, read } = await setUp(t)
  const failed = read()
  t.equal(failed.bytesRead, 0)
  fakes.threads[0]!.answer({ type: 'problem', problem: { code: 'READ_DEADLINE_EXCEEDED', detail: 'd', members: {} }, bytesRead: 65_536 })
  await t.rejects(failed.result)
  t.equal(failed.bytesRead, 65_536)
  const page = read()
  fakes.threads[0]!.answer()
  await page.result
  t.equal(page.bytesRead, 3)
})
