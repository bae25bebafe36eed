import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { Deadline } from '../../src/lanes/deadline.js'
import { makePool } from '../helpers/pool.js'
import { FakeThreads, JOB } from './fake-threads.js'

/** Whether the event loop will turn without sleeping. */
function isAwake (): boolean {
  return process.getActiveResourcesInfo().includes('Immediate')
}

async function setUp (t: Test, lookOutMs: number) {
  const fakes = new FakeThreads()
  const pool = makePool({ startThread: fakes.start, maxLanes: 1, warmLanes: 1, lookOutMs })
  t.teardown(() => pool.close())
  await sleep(1)
  return { fakes, read: () => pool.read(JOB, new Deadline(60_000)) }
}

t.test('awake from a read to its answer', async t => {
  const { fakes, read } = await setUp(t, 60_000)
  t.notOk(isAwake(), 'nothing is awaited')
  for (const round of ['first', 'second']) {
    const { result } = read()
    for (let turns = 0; turns < 5; turns++) {
      t.ok(isAwake(), round)
      await sleep(1)
    }
    fakes.threads[0]!.answer()
    await result
    await sleep(5)
    t.notOk(isAwake(), `${round}: answered`)
  }
})

t.test('not for longer than a small read takes, and not at all if so chosen', async t => {
  for (const lookOutMs of [1, 0]) {
    const { fakes, read } = await setUp(t, lookOutMs)
    const { result } = read()
    t.equal(isAwake(), lookOutMs > 0)
    await sleep(20)
    t.notOk(isAwake())
    fakes.threads[0]!.answer()
    await result
  }
})
