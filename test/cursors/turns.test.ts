import t from 'tap'
import { Turns } from '../../src/cursors/turns.js'
import { Deadline } from '../../src/lanes/deadline.js'
import { CallerGone } from '../../src/lanes/interruption.js'

const LONG_MS = 100_000
const here = new AbortController().signal

/** Work that goes on until it is told to end. */
function work (name: string, log: string[]) {
  let end!: () => void
  const ended = new Promise<void>(resolve => { end = resolve })
  return {
    end,
    run: async () => {
      log.push(`${name} starts`)
      await ended
      log.push(`${name} ends`)
      return name
    }
  }
}

t.test('one after another, in the order they came', async t => {
  const turns = new Turns()
  const log: string[] = []
  const works = ['a', 'b', 'c'].map(name => work(name, log))
  const results = works.map(({ run }) => turns.run('key', new Deadline(LONG_MS), here, run))
  for (const { end } of [...works].reverse()) end()
  t.strictSame(await Promise.all(results), ['a', 'b', 'c'])
  t.strictSame(log, ['a starts', 'a ends', 'b starts', 'b ends', 'c starts', 'c ends'])
})

t.test('keys do not wait for each other', async t => {
  const turns = new Turns()
  const held = work('held', [])
  const first = turns.run('one', new Deadline(LONG_MS), here, held.run)
  t.equal(await turns.run('other', new Deadline(LONG_MS), here, async () => 'done'), 'done')
  held.end()
  await first
})

t.test('work that fails gives its turn on', async t => {
  const turns = new Turns()
  const first = turns.run('key', new Deadline(LONG_MS), here, async () => { throw new Error('failed') })
  const second = turns.run('key', new Deadline(LONG_MS), here, async () => 'done')
  await t.rejects(first, { message: 'failed' })
  t.equal(await second, 'done')
  t.equal(await turns.run('key', new Deadline(LONG_MS), here, async () => 'again'), 'again')
})

t.test('who is late or leaves is passed over', async t => {
  const turns = new Turns()
  const log: string[] = []
  const held = work('held', log)
  const first = turns.run('key', new Deadline(LONG_MS), here, held.run)
  const gone = new AbortController()
  const late = turns.run('key', new Deadline(1), here, work('late', log).run)
  const leaving = turns.run('key', new Deadline(LONG_MS), gone.signal, work('leaving', log).run)
  const last = turns.run('key', new Deadline(LONG_MS), here, async () => 'last')
  await t.rejects(late, { code: 'OVERLOADED', status: 503 })
  gone.abort()
  await t.rejects(leaving, new CallerGone())
  await t.rejects(turns.run('key', new Deadline(LONG_MS), gone.signal, work('gone', log).run), new CallerGone())
  held.end()
  await first
  t.equal(await last, 'last')
  t.strictSame(log, ['held starts', 'held ends'])
})
