import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { Deadline } from '../../src/lanes/deadline.js'
import { makePool } from '../helpers/pool.js'
import { eventually } from '../helpers/redis.js'
import { FakeThreads, JOB } from './fake-threads.js'

const LONG_MS = 60_000

async function until (condition: () => boolean): Promise<void> {
  await eventually(async () => { if (!condition()) throw new Error('not yet') })
}

t.test('lanes grow with what waits, and never past the limit, hung ones included', async t => {
  const fakes = new FakeThreads()
  const pool = makePool({ startThread: fakes.start, maxLanes: 5, warmLanes: 1 })
  t.teardown(() => pool.close())
  const hung = Array.from({ length: 3 }, () => pool.read(JOB, new Deadline(30)).result)
  for (const result of await Promise.allSettled(hung)) t.equal(result.status, 'rejected')
  const reads = Array.from({ length: 20 }, () => pool.read(JOB, new Deadline(LONG_MS)))
  await until(() => pool.figures.lanes === 5)
  await sleep(200)
  t.equal(fakes.threads.length, 5)
  t.match(pool.figures, { lanes: 5, busy: 5 })
  const answerAll = setInterval(() => { for (const thread of fakes.posted()) thread.answer() }, 1)
  t.teardown(() => clearInterval(answerAll))
  await Promise.all(reads.map(async ({ result }) => result))
  t.equal(fakes.threads.length, 5)
})

t.test('all stuck: refused at once, and one that comes back heals it', async t => {
  const fakes = new FakeThreads()
  const pool = makePool({ startThread: fakes.start, maxLanes: 2, warmLanes: 2 })
  t.teardown(() => pool.close())
  await sleep(1)
  const hung = [pool.read(JOB, new Deadline(10)), pool.read(JOB, new Deadline(10))]
  await Promise.allSettled(hung.map(async ({ result }) => result))
  t.ok(pool.allStuck)
  const startMs = performance.now()
  await t.rejects(pool.read(JOB, new Deadline(LONG_MS)).result, { code: 'OVERLOADED' })
  t.ok(performance.now() - startMs < 1000)
  const [first] = fakes.threads
  first!.answer()
  t.notOk(pool.allStuck)
  const { result } = pool.read(JOB, new Deadline(LONG_MS))
  first!.answer()
  await result
})

t.test('what waits is bounded', async t => {
  const fakes = new FakeThreads()
  fakes.ready = false
  const pool = makePool({ startThread: fakes.start, maxLanes: 1, warmLanes: 1 })
  t.teardown(() => pool.close())
  const reads = Array.from({ length: 1024 }, () => pool.read(JOB, new Deadline(LONG_MS)))
  t.equal(pool.figures.queued, 1024)
  await t.rejects(pool.read(JOB, new Deadline(LONG_MS)).result, { code: 'OVERLOADED' })
  reads[0]!.giveUp()
  t.equal(pool.figures.queued, 1023)
})

t.test('a thread that ends', async t => {
  await t.test('in the middle of a read fails that read alone', async t => {
    const fakes = new FakeThreads()
    const pool = makePool({ startThread: fakes.start, maxLanes: 2, warmLanes: 1 })
    t.teardown(() => pool.close())
    await sleep(1)
    const [first, second] = [pool.read(JOB, new Deadline(LONG_MS)), pool.read(JOB, new Deadline(LONG_MS))]
    fakes.threads[0]!.crash(new Error('out of memory'))
    await t.rejects(first.result, new Error('out of memory'))
    await until(() => fakes.threads.length === 2 && fakes.threads[1]!.requests.length === 1)
    fakes.threads[1]!.answer()
    t.match(await second.result, { bodyEnd: 8195 })
    t.match(pool.figures, { lanes: 1, busy: 0 })
  })

  await t.test('without an error, too', async t => {
    const fakes = new FakeThreads()
    const pool = makePool({ startThread: fakes.start, maxLanes: 1, warmLanes: 1 })
    t.teardown(() => pool.close())
    await sleep(1)
    const { result } = pool.read(JOB, new Deadline(LONG_MS))
    fakes.threads[0]!.crash(null)
    await t.rejects(result, /ended in the middle/)
  })

  await t.test('or cannot be started: those who wait get others, which are not started in a storm', async t => {
    const fakes = new FakeThreads()
    const pool = makePool({ startThread: fakes.start, maxLanes: 4, warmLanes: 0 })
    t.teardown(() => pool.close())
    fakes.fail = true
    const { result } = pool.read(JOB, new Deadline(LONG_MS))
    await sleep(100)
    fakes.fail = false
    fakes.ready = false
    await until(() => fakes.threads.length === 1)
    fakes.threads[0]!.crash(new Error('no descriptor is left'))
    await sleep(150)
    t.equal(fakes.threads.length, 1)
    fakes.ready = true
    await until(() => fakes.posted().length === 1)
    fakes.posted()[0]!.answer()
    await result
  })
})

t.test('idle lanes are let go, but the warm ones', async t => {
  const { timers, advance } = fakeIdleTimers(t)
  const fakes = new FakeThreads()
  const pool = makePool({ startThread: fakes.start, maxLanes: 4, warmLanes: 2 })
  t.teardown(() => pool.close())
  const reads = Array.from({ length: 4 }, () => pool.read(JOB, new Deadline(LONG_MS)))
  await until(() => fakes.posted().length === 4)
  for (const thread of fakes.threads) thread.answer()
  await Promise.all(reads.map(async ({ result }) => result))
  t.equal(timers.filter(({ cleared }) => !cleared).length, 4)
  // One of them ends by itself: its time must not take another with it.
  fakes.threads[0]!.crash(new Error('defect'))
  advance()
  t.equal(pool.figures.lanes, 2)
  t.equal(fakes.threads.filter(({ endAsked }) => endAsked).length, 1)
  const both = [pool.read(JOB, new Deadline(LONG_MS)), pool.read(JOB, new Deadline(LONG_MS))]
  t.equal(fakes.posted(2).length, 2, 'both that are left take reads')
  for (const thread of fakes.posted(2)) thread.answer()
  await Promise.all(both.map(async ({ result }) => result))
})

t.test('a pool is closed', async t => {
  await t.test('with reads that wait', async t => {
    const fakes = new FakeThreads()
    const pool = makePool({ startThread: fakes.start, maxLanes: 1, warmLanes: 1 })
    await sleep(1)
    const [running, waiting] = [pool.read(JOB, new Deadline(LONG_MS)), pool.read(JOB, new Deadline(LONG_MS))]
    const closed = pool.close()
    await t.rejects(waiting.result, /gone/)
    await t.rejects(running.result, /ended/)
    await closed
    await t.rejects(pool.read(JOB, new Deadline(LONG_MS)).result, { code: 'OVERLOADED' })
  })

  await t.test('with a lane that hangs: within two seconds, and it stays counted', async t => {
    const fakes = new FakeThreads()
    fakes.hang = true
    const pool = makePool({ startThread: fakes.start, maxLanes: 1, warmLanes: 1 })
    await sleep(1)
    const { result } = pool.read(JOB, new Deadline(10))
    await t.rejects(result, { code: 'READ_DEADLINE_EXCEEDED' })
    const startMs = performance.now()
    await pool.close()
    t.ok(performance.now() - startMs < 2000)
    t.equal(pool.figures.busy, 1)
  })
})

/** Holds back the timers of idle lanes, the only ones of ten seconds, until they are let run. */
function fakeIdleTimers (t: { teardown: (end: () => void) => void }) {
  const { setTimeout: start, clearTimeout: stop } = globalThis
  const timers: { run: () => void, cleared: boolean, unref: () => object }[] = []
  const fakeStart = (run: () => void, ms: number): unknown => {
    if (ms !== 10_000) return start(run, ms)
    const timer = { run, cleared: false, unref: () => timer }
    timers.push(timer)
    return timer
  }
  const fakeStop = (timer: never): void => {
    const fake = timers.find(one => one === timer)
    if (fake === undefined) stop(timer)
    else fake.cleared = true
  }
  Object.assign(globalThis, { setTimeout: fakeStart, clearTimeout: fakeStop })
  t.teardown(() => Object.assign(globalThis, { setTimeout: start, clearTimeout: stop }))
  return { timers, advance: () => { for (const { run, cleared } of timers) if (!cleared) run() } }
}
