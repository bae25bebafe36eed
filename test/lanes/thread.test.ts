import fs from 'node:fs'
import t from 'tap'
import { toComponents, isName } from '../../src/files/request-path.js'
import { openRoot, type Root } from '../../src/files/root.js'
import { monotonicMs } from '../../src/lanes/clock.js'
import { Deadline } from '../../src/lanes/deadline.js'
import { CLAIMS, type FinalAnswer, type Job, type LaneRequest, type PageQuery } from '../../src/lanes/messages.js'
import type { LaneThread } from '../../src/lanes/thread.js'
import { Slots } from '../../src/lanes/slots.js'
import { startThread } from '../../src/lanes/thread.js'
import { makePool } from '../helpers/pool.js'
import { descriptorsOf } from '../helpers/process.js'
import { makeFolder } from '../helpers/service.js'

const LONG_MS = 60_000

function jobOf (name: string, page: PageQuery): Job {
  return { address: { components: toComponents(name).filter(isName), scopeDepth: 0 }, page, format: 'text' }
}

t.test('threads that read', async t => {
  const folder = makeFolder(t, { 'a.log': 'one\ntwo\n' })
  fs.writeFileSync(`${folder}/sparse`, '')
  fs.truncateSync(`${folder}/sparse`, 2 ** 40)
  const root: Root = openRoot(folder)
  t.teardown(() => fs.closeSync(root.fd))
  const threads: LaneThread[] = []
  const pool = makePool({
    startThread: memory => {
      const thread = startThread(root, memory)
      threads.push(thread)
      return thread
    },
    maxLanes: 2,
    warmLanes: 1
  })
  t.teardown(() => pool.close())
  const lines = jobOf('a.log', { unit: 'lines', query: { path: 'a.log', startLine: 2, maxLines: 1 } })
  const scan = jobOf('sparse', { unit: 'lines', query: { path: 'sparse', startLine: 2, maxLines: 1 } })
  const readLine = async (): Promise<string> => {
    const read = await pool.read(lines, new Deadline(LONG_MS)).result
    const text = read.buffer.toString('utf8', read.bodyStart, read.bodyEnd)
    read.release()
    return text
  }

  t.equal(await readLine(), 'two\n')
  const descriptors = descriptorsOf(process.pid)

  await t.test('a scan that is given up ends at once', async t => {
    const { result, giveUp } = pool.read(scan, new Deadline(LONG_MS))
    giveUp()
    await t.rejects(result, /gone/)
    t.equal(await readLine(), 'two\n')
    t.equal(descriptorsOf(process.pid), descriptors)
  })

  await t.test('a scan that runs out of time says how far it came', async t => {
    await t.rejects(pool.read(scan, new Deadline(300)).result, { code: 'READ_LIMIT_EXCEEDED', members: { reason: 'deadline' } })
    t.equal(await readLine(), 'two\n')
    t.equal(pool.figures.stuck, 0)
  })

  await t.test('a thread that ends in the middle of a read costs that read, and no descriptor', async t => {
    const { result } = pool.read(scan, new Deadline(LONG_MS))
    threads[0]!.end()
    await t.rejects(result, /ended in the middle/)
    t.equal(await readLine(), 'two\n')
    t.equal(threads.length, 2)
    t.ok(descriptorsOf(process.pid) <= descriptors, `${descriptorsOf(process.pid)} of ${descriptors}`)
  })
})

t.test('what waits at a thread is begun in order, however much is posted and taken back meanwhile', async t => {
  const folder = makeFolder(t, { 'a.log': 'one\ntwo\n' })
  fs.writeFileSync(`${folder}/sparse`, '')
  fs.truncateSync(`${folder}/sparse`, 2 ** 40)
  const root = openRoot(folder)
  t.teardown(() => fs.closeSync(root.fd))
  const thread = startThread(root, new Slots().memory)
  t.teardown(() => thread.end())
  const answers: FinalAnswer[] = []
  let told = (): void => {}
  thread.onAnswer(answer => {
    if (answer.type === 'ready') return told()
    if (answer.type === 'reached') return told()
    answers.push(answer)
    told()
  })
  const news = (): Promise<void> => new Promise(resolve => { told = resolve })
  await news()
  const request = (id: number, name: string, startLine: number): Omit<LaneRequest, 'claim'> => ({
    id,
    job: jobOf(name, { unit: 'lines', query: { path: name, startLine, maxLines: 1 } }),
    slot: 0,
    deadlineMs: monotonicMs() + LONG_MS
  })
  thread.post(request(1, 'sparse', 2))
  await news()
  thread.post(request(2, 'a.log', 2))
  for (let id = 3; id < 3 + 4 * CLAIMS; id++) {
    thread.post(request(id, 'a.log', 1))
    t.ok(thread.takeBack(id))
    t.notOk(thread.takeBack(id), 'once')
  }
  t.notOk(thread.takeBack(1), 'it has been begun')
  thread.giveUp(1)
  while (answers.length < 2) await news()
  const last = 3 + 4 * CLAIMS
  thread.post(request(last, 'a.log', 1))
  while (answers.length < 3) await news()
  t.match(answers, [
    { id: 1, type: 'failure' }, { id: 2, type: 'page', page: { startByte: 4 } }, { id: last, type: 'page', page: { startByte: 0 } }
  ])
})
