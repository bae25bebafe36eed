import fs from 'node:fs'
import t from 'tap'
import { toComponents, isName } from '../../src/files/request-path.js'
import { openRoot, type Root } from '../../src/files/root.js'
import { Deadline } from '../../src/lanes/deadline.js'
import type { Job, PageQuery } from '../../src/lanes/messages.js'
import type { LaneThread } from '../../src/lanes/thread.js'
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
    startThread: () => {
      const thread = startThread(root)
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
