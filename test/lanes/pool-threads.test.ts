import fs from 'node:fs'
import t from 'tap'
import { openRoot } from '../../src/files/root.js'
import { Deadline } from '../../src/lanes/deadline.js'
import { CallerGone } from '../../src/lanes/interruption.js'
import { startThread, type LaneThread } from '../../src/lanes/thread.js'
import { makePool } from '../helpers/pool.js'
import { eventually } from '../helpers/redis.js'
import { makeFolder } from '../helpers/service.js'

const LONG_MS = 60_000
const LINES = 20_000
const CALLERS = 60
const READS_A_CALLER = 300

t.test('everybody gets the page that was asked for, in a crowd whose reads are offered, taken back and given up', async t => {
  const starts: number[] = []
  let text = ''
  for (let line = 1; line <= LINES; line++) {
    starts.push(text.length)
    text += `${line} ${'x'.repeat(line % 90)}\n`
  }
  const root = openRoot(makeFolder(t, { 'a.log': text }))
  t.teardown(() => fs.closeSync(root.fd))
  const faults: Error[] = []
  const onFault = (error: Error): void => { faults.push(error) }
  const start = (memory: SharedArrayBuffer): LaneThread => startThread(root, memory)
  const pool = makePool({ startThread: start, maxLanes: 4, warmLanes: 2, maxOffers: 32, onFault })
  t.teardown(() => pool.close())
  const wrong: string[] = []
  let [answered, left] = [0, 0]
  const readOnce = async (): Promise<void> => {
    const line = 1 + Math.floor(Math.random() * LINES)
    // Far lines take a lane long enough to lose what it was offered.
    const { result, giveUp } = pool.read({
      address: { components: ['a.log' as never], scopeDepth: 0 },
      page: { unit: 'lines', query: { path: 'a.log', startLine: line, maxLines: 1 } },
      format: 'text'
    }, new Deadline(LONG_MS))
    if (Math.random() < 0.1) setImmediate(giveUp)
    try {
      const { page, buffer, bodyStart, bodyEnd, release } = await result
      const expected = text.slice(starts[line - 1], starts[line])
      const got = buffer.toString('latin1', bodyStart, bodyEnd)
      if (got !== expected || page.startByte !== starts[line - 1]) wrong.push(`${line}: ${got}`)
      answered++
      release()
    } catch (error) {
      if (!(error instanceof CallerGone)) throw error
      left++
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, async () => {
    for (let read = 0; read < READS_A_CALLER; read++) await readOnce()
  }))
  t.strictSame(wrong, [])
  t.strictSame(faults, [])
  t.equal(answered + left, CALLERS * READS_A_CALLER)
  t.ok(left > 0, `${left} were given up in time`)
  // Those that were given up may still come back.
  await eventually(async () => { if (pool.figures.busy > 0) throw new Error('lanes are busy') })
  t.match(pool.figures, { stuck: 0, queued: 0, unsentBytes: 0 })
})
