import fs from 'node:fs'
import { once } from 'node:events'
import t from 'tap'
import { eventually } from '../helpers/redis.js'
import { ask, makeFolder, startService, type Service } from '../helpers/service.js'
import { TailClient, askPatiently, holds } from '../helpers/tail-client.js'

const LONG = { wait: 25 }
/** Far below the time of a long wait, far above what a busy machine takes. */
const SOON_MS = 20_000

const folder = makeFolder(t)
const service = await startService(t, { ARTIFACT_ROOT: folder, MAX_CONCURRENT_READS: '2' })
let files = 0

function tail (content: string | null, { name = `${++files}.log`, at = service } = {}) {
  const file = `${folder}/${name}`
  if (content !== null) fs.writeFileSync(file, content)
  return Object.assign(new TailClient(at, 'run', name), { file, append: (text: string) => fs.appendFileSync(file, text) })
}

/** Resolves once so many calls wait. */
async function waiting (count: number, { url }: Service = service): Promise<void> {
  await eventually(async () => {
    const { text } = await ask(`${url}/metrics`)
    const [, waiters] = /^artifact_pager_tail_waiters (\d+)$/m.exec(text)!
    if (Number(waiters) !== count) throw new Error(`${waiters} wait, not ${count}`)
  }, SOON_MS)
}

/** Lets something happen while a call waits; resolves to the call's answer, which must come soon. */
async function during<T> (call: Promise<T>, happen: () => unknown): Promise<T> {
  await waiting(1)
  const startMs = performance.now()
  await happen()
  const answer = await call
  t.ok(performance.now() - startMs < SOON_MS, 'answered long before the wait is over')
  await waiting(0)
  return answer
}

t.test('growth ends a wait', async t => {
  const log = tail('one\n')
  holds(t, (await log.post(LONG)).body, { content: 'one\n' }, 'nothing to wait for')
  holds(t, (await during(log.post(LONG), () => log.append('two\n'))).body, { content: 'two\n', seq: 2, created: false })
  holds(t, (await during(log.peek(LONG), () => log.append('three\n'))).body, { content: 'three\n', seq: 3, cursor: null })
  holds(t, (await log.post(LONG)).body, { content: 'three\n', seq: 3 }, 'the peek moved nothing')
})

t.test('creation ends a wait', async t => {
  for (const from of ['start', 'end']) {
    const log = tail(null)
    const { body } = await during(log.post({ ...LONG, from }), () => {
      fs.writeFileSync(`${log.file}.new`, 'made\n')
      fs.renameSync(`${log.file}.new`, log.file)
    })
    holds(t, body, { content: 'made\n', seq: 1, created: true, startByte: 0 })
  }
})

t.test('a reset ends a wait, even if there is no content', async t => {
  const log = tail('one\n')
  await log.post()
  const { body } = await during(log.post(LONG), () => fs.truncateSync(log.file, 0))
  holds(t, body, { content: '', seq: 2, reset: { reason: 'truncated', fromByte: 4 } })
})

t.test('half a character does not end a wait', async t => {
  const log = tail('')
  const call = log.post(LONG)
  await waiting(1)
  fs.appendFileSync(log.file, Buffer.from('E282', 'hex'))
  holds(t, (await log.peek()).body, { content: '', heldBytes: 2 })
  await waiting(1)
  fs.appendFileSync(log.file, Buffer.from('AC', 'hex'))
  holds(t, (await call).body, { content: '€', startByte: 0, endByte: 3 })
})

t.test('when the time is over there is an empty page, or 404', async t => {
  const log = tail('one\n')
  const { cursor } = (await log.post()).body
  const startMs = performance.now()
  holds(t, await log.post({ wait: 1 }), { status: 200, body: { content: '', seq: 1, cursor, created: false } })
  t.ok(performance.now() - startMs > 950)
  holds(t, await tail(null).post({ wait: 1 }), { status: 404, body: { code: 'FILE_NOT_FOUND' } })
  holds(t, await log.post({ wait: 26 }), { status: 400, body: { parameter: 'wait' } })
})

t.test('from the end, what comes after the call is waited for', async t => {
  for (const method of ['post', 'peek'] as const) {
    const log = tail('old\n')
    const { body } = await during(log[method]({ ...LONG, from: 'end' }), () => log.append('new\n'))
    holds(t, body, { content: 'new\n', startByte: 4, seq: 1, created: true })
  }
})

t.test('a client that leaves frees its wait', async t => {
  const log = tail('')
  const sockets = [await log.dial(LONG), await log.dial(LONG), await tail(null).dial(LONG)]
  await waiting(3)
  for (const socket of sockets) socket.destroy()
  await waiting(0)
  log.append('one\n')
  holds(t, (await log.post()).body, { content: 'one\n', seq: 1 }, 'and took nothing')
})

t.test('who waits holds neither a turn nor a lane', async t => {
  const log = tail('')
  const calls = Array.from({ length: 5 }, () => log.post(LONG))
  await waiting(5)
  holds(t, (await log.post()).body, { content: '', seq: 0, created: false })
  holds(t, await askPatiently(`${service.url}/read?path=${log.path}`), { status: 200 })
  const seqs: number[] = []
  for (let turn = 0; calls.length > 0; turn++) {
    log.append(`line ${turn}\n`)
    const { index, body } = await Promise.race(calls.map(async (call, index) => ({ index, body: (await call).body })))
    holds(t, body, { content: `line ${turn}\n` })
    seqs.push(body.seq)
    calls.splice(index, 1)
  }
  t.strictSame(seqs, [1, 2, 3, 4, 5], 'each got a page of its own')
})

t.test('waiting runs do not disturb each other', async t => {
  const log = tail('')
  const runs = ['a', 'b', 'c'].map(run => new TailClient(service, run, log.path))
  const calls = runs.map(run => run.post(LONG))
  await waiting(3)
  log.append('one\n')
  for (const call of calls) holds(t, (await call).body, { content: 'one\n', seq: 1 })
})

t.test('files behind links are waited for', async t => {
  const log = tail('')
  fs.symlinkSync(log.path, `${folder}/link`)
  const link = tail(null, { name: 'link' })
  holds(t, (await during(link.post(LONG), () => log.append('one\n'))).body, { content: 'one\n', path: 'link' })
  const { body } = await during(link.post(LONG), () => {
    fs.renameSync(log.file, `${log.file}.1`)
    fs.writeFileSync(log.file, 'two\n')
  })
  // The file may be seen before its first bytes are.
  holds(t, body, { reset: { reason: 'replaced', fromByte: 4 }, startByte: 0 })
})

t.test('files in folders that are not there yet are waited for', async t => {
  const log = tail(null, { name: 'deep/down/x.log' })
  const { body } = await during(log.post(LONG), () => {
    fs.mkdirSync(`${folder}/deep/down`, { recursive: true })
    fs.writeFileSync(log.file, 'made\n')
  })
  holds(t, body, { content: 'made\n', created: true })
})

t.test('the deadline does not count the wait', async t => {
  const hasty = await startService(t, { ARTIFACT_ROOT: folder, READ_DEADLINE_MS: '4000' })
  const log = tail('', { at: hasty })
  await eventually(async () => { if ((await log.post()).status !== 200) throw new Error('lanes are not there yet') })
  holds(t, await log.post({ wait: 6 }), { status: 200, body: { content: '', seq: 0 } })
})

t.test('draining ends all waits with an answer', async t => {
  const ending = await startService(t, { ARTIFACT_ROOT: folder })
  const log = tail('', { at: ending })
  const calls = [log.post(LONG), log.peek(LONG), tail(null, { at: ending }).post(LONG)]
  await waiting(3, ending)
  const startMs = performance.now()
  ending.app.drain()
  const answers = await Promise.all(calls)
  t.strictSame(answers.map(({ status }) => status), [200, 200, 404])
  holds(t, await log.post(LONG), { status: 200, body: { content: '' } }, 'nor does a new call wait')
  t.ok(performance.now() - startMs < SOON_MS)
  holds(t, await ask(`${ending.url}/readyz`), { status: 503 })
})

t.test('closing the service ends waits on connections that stay open', async t => {
  const ending = await startService(t, { ARTIFACT_ROOT: folder })
  const socket = await tail('', { at: ending }).dial(LONG)
  await waiting(1, ending)
  const data = once(socket, 'data')
  const closed = ending.close()
  t.match(String((await data)[0]), /^HTTP\/1\.1 200 /)
  socket.destroy()
  await closed
})
