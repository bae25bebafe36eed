import fs from 'node:fs'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { openRoot } from '../../src/files/root.js'
import type { LanePool } from '../../src/lanes/pool.js'
import { startThread } from '../../src/lanes/thread.js'
import { makePool } from '../helpers/pool.js'
import { makeFolder, startService } from '../helpers/service.js'
import { TailClient, holds } from '../helpers/tail-client.js'

const folder = makeFolder(t)
const env = { ARTIFACT_ROOT: folder, READ_DEADLINE_MS: '100000' }
const service = await startService(t, env)
let files = 0

/** A file of its own, with a run that tails it. */
function tail (content: string | Buffer) {
  const name = `${++files}.log`
  const file = `${folder}/${name}`
  fs.writeFileSync(file, content)
  const append = (bytes: string | Buffer): void => fs.appendFileSync(file, bytes)
  return Object.assign(new TailClient(service, 'run', name), { file, append })
}

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex')
const EMPTY = { content: '', byteCount: 0, reset: null, more: false, replayed: false }

t.test('a character that the end of file cuts comes whole', async t => {
  const log = tail(hex('41 F0 9F'))
  holds(t, (await log.post()).body, {
    path: log.path,
    unit: 'tail',
    run: 'run',
    content: 'A',
    startByte: 0,
    endByte: 1,
    byteCount: 1,
    eof: false,
    seq: 1,
    created: true,
    replayed: false,
    more: false,
    pendingBytes: 2,
    heldBytes: 2,
    reset: null,
    encoding: 'utf-8'
  })
  holds(t, (await log.post()).body, { ...EMPTY, seq: 1, created: false, heldBytes: 2, pendingBytes: 2 })
  log.append(hex('98 80 42 0A'))
  holds(t, (await log.post()).body, { content: '😀B\n', startByte: 1, endByte: 7, seq: 2, heldBytes: 0, pendingBytes: 0, eof: true })
})

t.test('a file that was overwritten in place comes anew', async t => {
  const log = tail('twelve bytes')
  holds(t, (await log.post()).body, { content: 'twelve bytes', endByte: 12 })
  fs.writeFileSync(log.file, 'eighteen new bytes')
  const { body } = await log.post()
  holds(t, body, { content: 'eighteen new bytes', startByte: 0, endByte: 18, seq: 2, created: false })
  t.strictSame(body.reset, { reason: 'rewritten', fromByte: 12 })
  holds(t, (await log.post()).body, { ...EMPTY, seq: 2, cursor: body.cursor })
})

t.test('a file that was shortened comes anew, and an empty one says so once', async t => {
  const log = tail('twelve bytes')
  const first = (await log.post()).body
  fs.truncateSync(log.file, 0)
  holds(t, (await log.peek()).body, { content: '', seq: 2, cursor: null, reset: { reason: 'truncated', fromByte: 12 } })
  const reset = (await log.post()).body
  holds(t, reset, { content: '', seq: 2, startByte: 0, endByte: 0, reset: { reason: 'truncated', fromByte: 12 } })
  holds(t, (await log.post()).body, { ...EMPTY, seq: 2, cursor: reset.cursor })
  log.append('more')
  const again = (await log.post({ ack: first.cursor })).body
  holds(t, again, { content: '', endByte: 0, replayed: true, seq: 2, more: true, reset: { reason: 'truncated', fromByte: 12 } },
    'the page without content is repeated as it was')
  holds(t, (await log.post({ ack: again.cursor })).body, { content: 'more', startByte: 0, endByte: 4, seq: 3, reset: null })
})

t.test('a file that was removed and made anew with the same inode comes from byte 0', async t => {
  const log = tail('old content\n')
  const { ino } = fs.statSync(log.file)
  await log.post()
  // Times of birth are as coarse as the system's tick.
  await sleep(20)
  fs.rmSync(log.file)
  holds(t, await log.post(), { status: 404, body: { code: 'FILE_NOT_FOUND' } })
  holds(t, await log.peek(), { status: 404 })
  fs.writeFileSync(log.file, 'old content\nand more\n')
  if (fs.statSync(log.file).ino !== ino) t.comment('the file system gave another inode')
  holds(t, (await log.post()).body, {
    content: 'old content\nand more\n', startByte: 0, seq: 2, created: false, reset: { reason: 'replaced', fromByte: 12 }
  })
})

t.test('a response that was dropped comes again', async t => {
  const text = 'é€😀\n'.repeat(10_000)
  const log = tail(text)
  let ack = '0'
  let content = ''
  for (let seq = 1; content.length < text.length; seq++) {
    const socket = await log.dial({ ack })
    await once(socket, 'data')
    socket.destroy()
    const { body } = await log.post({ ack, maxBytes: seq, flush: true })
    holds(t, body, { seq, startByte: Buffer.byteLength(content), replayed: true, reset: null })
    t.strictSame((await log.post({ ack })).body, body)
    content += body.content
    ack = body.cursor
  }
  t.equal(content, text)
})

t.test('what was handed out before a restart goes on after it', async t => {
  const log = tail('one\ntwo\nthree\n')
  const closed = await startService(t, env)
  const old = new TailClient(closed, 'restarted', log.path)
  const first = (await old.post({ ack: 0, maxBytes: 4 })).body
  const second = (await old.post({ ack: first.cursor, maxBytes: 4 })).body
  holds(t, second, { content: 'two\n', startByte: 4, endByte: 8, seq: 2, created: false })
  await closed.close()
  const log2 = new TailClient(service, 'restarted', log.path)
  const restored = (await log2.post({ ack: first.cursor, maxBytes: 4 })).body
  holds(t, restored, { content: 'two\n', startByte: 4, endByte: 8, seq: 2, created: true, replayed: false, cursor: second.cursor })
  holds(t, (await log2.post({ ack: second.cursor })).body, { content: 'three\n', seq: 3, created: false })
})

t.test('GET shows what POST then gives, and moves nothing', async t => {
  const log = tail('one\ntwo\n')
  for (const [content, seq] of [['one\n', 1], ['two\n', 2], ['', 2]] as const) {
    const shown = (await log.peek({ maxBytes: 4 })).body
    holds(t, shown, { content, seq, cursor: null, created: seq === 1 })
    t.strictSame((await log.peek({ maxBytes: 4 })).body, shown)
    const { body } = await log.post({ maxBytes: 4 })
    t.match(body.cursor, /^[\w.-]{1,512}$/)
    t.strictSame({ ...body, cursor: null }, shown)
  }
  holds(t, await log.peek({ ack: 0 }), { status: 400, body: { code: 'INVALID_REQUEST', parameter: 'ack' } })
})

t.test('runs do not see each other', async t => {
  const log = tail('text')
  const other = new TailClient(service, 'run:2', log.path)
  holds(t, (await log.post()).body, { content: 'text' })
  holds(t, (await other.post()).body, { content: 'text', created: true })
  t.strictSame((await other.forget()).body, { run: 'run:2', forgotten: 1 })
  holds(t, (await log.post()).body, { ...EMPTY, created: false })
})

t.test('a connection that is gone before the cursor moves leaves it where it was', async t => {
  const log = tail('one page')
  const { pool, reached, open } = heldPool(t)
  const held = await startService(t, env, { pool })
  const closed = new Promise(resolve => {
    held.app.fastify.server.once('connection', socket => socket.once('close', resolve))
  })
  const client = new TailClient(held, 'gone', log.path)
  const socket = await client.dial()
  await reached
  socket.destroy()
  await closed
  open()
  holds(t, (await client.post()).body, { content: 'one page', startByte: 0, seq: 1, created: true })
})

/** A pool whose pages, once they are read, do not get back before `open` is called. */
function heldPool (t: Test): { pool: LanePool, reached: Promise<void>, open: () => void } {
  const root = openRoot(folder)
  const pool = makePool({ startThread: memory => startThread(root, memory), maxLanes: 2, warmLanes: 1 })
  t.teardown(() => pool.close())
  let open = (): void => {}
  const opened = new Promise<void>(resolve => { open = resolve })
  let reach = (): void => {}
  const reached = new Promise<void>(resolve => { reach = resolve })
  const read: LanePool['read'] = (...job) => {
    const result = pool.read(...job).result.then(async page => {
      reach()
      await opened
      return page
    })
    return { result, giveUp: () => {}, bytesRead: 0 }
  }
  return { pool: Object.assign(Object.create(pool), { read }) as LanePool, reached, open }
}
