import fs from 'node:fs'
import t from 'tap'
import { makeFolder, startService } from '../helpers/service.js'
import { TailClient, holds } from '../helpers/tail-client.js'

const folder = makeFolder(t)
const service = await startService(t, { ARTIFACT_ROOT: folder })
let files = 0

/** A file of its own, with a run that tails it. */
function tail (content: string) {
  const name = `${++files}.log`
  const file = `${folder}/${name}`
  fs.writeFileSync(file, content)
  return Object.assign(new TailClient(service, 'run', name), { file })
}

t.test('an old ack is told where the cursor is', async t => {
  const log = tail('one\ntwo\nthree\n')
  const first = (await log.post({ ack: 0, maxBytes: 4 })).body
  holds(t, (await log.post({ ack: 0 })).body, { ...first, replayed: true, created: false })
  const second = (await log.post({ ack: first.cursor, maxBytes: 4 })).body
  const conflict = { status: 409, body: { code: 'CURSOR_CONFLICT', seq: 2, startByte: 4, endByte: 8 } }
  holds(t, await log.post({ ack: 0 }), conflict)
  holds(t, (await log.post({ ack: second.cursor })).body, { content: 'three\n', seq: 3 })
  holds(t, await log.post({ ack: first.cursor }), { status: 409, body: { seq: 3, startByte: 8, endByte: 14 } })
  const later = first.cursor.replace(/^1t\.1\./, '1t.7.')
  holds(t, await log.post({ ack: later }), { status: 409, body: { seq: 3 } })
})

t.test('a cursor that was forgotten is restored from an ack', async t => {
  const log = tail('one\ntwo\nthree\n')
  const first = (await log.post({ maxBytes: 4 })).body
  t.strictSame((await log.forget()).body, { run: 'run', forgotten: 1 })
  t.strictSame((await log.forget()).body, { run: 'run', forgotten: 0 })
  const second = (await log.post({ ack: first.cursor, maxBytes: 4 })).body
  holds(t, second, { content: 'two\n', startByte: 4, seq: 2, created: true, replayed: false })
  await log.forget()
  fs.rmSync(log.file)
  holds(t, await log.post({ ack: second.cursor }), { status: 404 })
  fs.writeFileSync(log.file, 'another\n')
  holds(t, (await log.post({ ack: second.cursor })).body, {
    content: 'another\n', seq: 3, created: true, startByte: 0, reset: { reason: 'replaced', fromByte: 8 }
  })
  await log.forget()
  holds(t, (await log.post()).body, { content: 'another\n', seq: 1, created: true, reset: null })
})

t.test('a page whose bytes are gone is answered with a reset, as often as it is asked for', async t => {
  const log = tail('one\ntwo\n')
  const first = (await log.post({ maxBytes: 4 })).body
  const lost = (await log.post({ ack: first.cursor })).body
  holds(t, lost, { content: 'two\n', seq: 2 })
  fs.writeFileSync(log.file, 'three\nfour\nfive\n')
  const reset = (await log.post({ ack: first.cursor, maxBytes: 6 })).body
  holds(t, reset, { content: 'three\n', startByte: 0, seq: 3, replayed: false, reset: { reason: 'rewritten', fromByte: 8 } })
  for (const { cursor } of [first, lost]) holds(t, (await log.post({ ack: cursor })).body, { ...reset, replayed: true })
  fs.writeFileSync(log.file, 'six\n')
  const again = (await log.post({ ack: first.cursor })).body
  holds(t, again, { content: 'six\n', seq: 4, replayed: false, reset: { reason: 'truncated', fromByte: 6 } })
  for (const { cursor } of [first, reset]) {
    holds(t, (await log.post({ ack: cursor })).body, { ...again, replayed: true })
  }
  holds(t, await log.post({ ack: lost.cursor }), { status: 409 })
})

t.test('the cursor of an empty page before all others acknowledges no page, whatever became of it', async t => {
  const log = tail('')
  const { cursor } = (await log.post()).body
  await log.forget()
  fs.appendFileSync(log.file, 'one\n')
  const first = (await log.post()).body
  holds(t, first, { content: 'one\n', seq: 1, created: true })
  holds(t, (await log.post({ ack: cursor })).body, { content: 'one\n', seq: 1, replayed: true, cursor: first.cursor })
  t.notOk('began' in first || 'position' in first)
})

t.test('acks that are none are refused', async t => {
  const log = tail('one\ntwo\n')
  const { cursor } = (await log.post({ maxBytes: 4 })).body
  const other = tail('one\ntwo\n')
  const refused = { status: 400, body: { code: 'INVALID_REQUEST', parameter: 'ack' } }
  holds(t, await other.post({ ack: cursor }), refused, 'of another path')
  holds(t, await new TailClient(service, 'other', log.path).post({ ack: cursor }), refused, 'of another run')
  const broken = [
    '', '1', '00', 'garbage', 'a b', 'é', `${cursor}.`, cursor.slice(1), cursor.slice(0, -1), cursor.toUpperCase(), 'a'.repeat(513),
    cursor.replace(/^1t\.1\.4/, '1t.01.4'), cursor.replace(/^1t\.1\.4/, '1t.1.9007199254740992'), cursor.replace(/^1t\.1/, '1t.9007199254740991')
  ]
  for (const ack of broken) holds(t, await log.post({ ack }), refused, ack.slice(0, 60))
  holds(t, (await log.post()).body, { content: 'two\n', seq: 2 }, 'nothing has moved')
  const far = cursor.replace(/^1t\.1\.4/, '1t.9007199254740990.9007199254740991')
  await log.forget()
  holds(t, await log.post({ ack: far }), {
    status: 200, body: { content: 'one\ntwo\n', seq: 2 ** 53 - 1, reset: { reason: 'truncated', fromByte: 2 ** 53 - 1 } }
  }, 'in range, but of no such place')
})
