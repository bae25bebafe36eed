import fs from 'node:fs'
import path from 'node:path'
import t, { type Test } from 'tap'
import { toComponents, isName } from '../../src/files/request-path.js'
import { openRoot } from '../../src/files/root.js'
import { monotonicMs } from '../../src/lanes/clock.js'
import { CallerGone } from '../../src/lanes/interruption.js'
import type { FinalAnswer, LaneRequest, PageAnswer, PageQuery } from '../../src/lanes/messages.js'
import { serve, type LaneTools } from '../../src/lanes/serve.js'
import { Slots, slotsOf } from '../../src/lanes/slots.js'
import { PAGE_BUFFER_BYTES, type Reached } from '../../src/pages/reading.js'
import { createKernel } from '../../src/text/create-kernel.js'
import { makeFolder } from '../helpers/service.js'

const CHUNK_BYTES = 65_536
/** Far from the end of any test. */
const LATER_MS = monotonicMs() + 600_000

function openDescriptors (): number {
  return fs.readdirSync('/proc/self/fd').length
}

function pause (ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

/** A lane's tools, and a way to serve; told places are kept. */
function makeLane (t: Test, files: Record<string, string | Uint8Array>) {
  const folder = makeFolder(t, files)
  const root = openRoot(folder)
  t.teardown(() => fs.closeSync(root.fd))
  const told: Reached[] = []
  const slots = new Slots()
  const tools: LaneTools = {
    root,
    slots: slotsOf(slots.memory),
    kernel: createKernel(),
    output: Buffer.allocUnsafe(PAGE_BUFFER_BYTES),
    isGivenUp: () => false,
    tell: (_id, reached) => told.push(reached)
  }
  const run = (
    name: string, page: PageQuery, more: Partial<LaneTools> = {}, request: Partial<LaneRequest> & { format?: 'json' } = {}
  ): FinalAnswer => {
    const { format = 'text', ...rest } = request
    const job = { address: { components: toComponents(name).filter(isName), scopeDepth: 0 }, page, format }
    return serve({ id: 1, job, deadlineMs: LATER_MS, slot: 0, ...rest } as LaneRequest, { ...tools, ...more })
  }
  return { folder, told, run, slots }
}

function linesFrom (startLine: number, maxLines = 1): PageQuery {
  return { unit: 'lines', query: { path: 'a.log', startLine, maxLines } }
}

t.test('before anything is opened: the caller, then the time', async t => {
  const { run } = makeLane(t, {})
  const gone = run('missing', linesFrom(1), { isGivenUp: () => true }, { deadlineMs: 0 })
  t.match(gone, { type: 'failure', error: new CallerGone(), bytesRead: 0 })
  const late = run('missing', linesFrom(1), {}, { deadlineMs: 0 })
  t.match(late, { type: 'problem', id: 1, problem: { code: 'READ_DEADLINE_EXCEEDED' }, bytesRead: 0 })
  t.match(run('missing', linesFrom(1)), { type: 'problem', problem: { code: 'FILE_NOT_FOUND' } })
})

t.test('between any two chunks: the caller, the time; and nothing stays open', async t => {
  const { run } = makeLane(t, { 'a.log': 'line\n'.repeat(200_000) })
  const before = openDescriptors()
  for (const chunk of [1, 2, 5]) {
    let reads = 0
    let gone = false
    const seams = { read: () => { gone = ++reads >= chunk } }
    const answer = run('a.log', linesFrom(200_000), { seams, isGivenUp: () => gone })
    t.match(answer, { type: 'failure', error: new CallerGone() })
    t.ok(reads <= chunk + 1, 'no further chunk is read')
    t.equal(openDescriptors(), before)
  }
  const failing = { read: () => { throw new RangeError('a defect') } }
  t.match(run('a.log', linesFrom(1), { seams: failing }), { type: 'failure', error: new RangeError('a defect') })
  t.equal(openDescriptors(), before)
  t.equal(run('a.log', linesFrom(1)).type, 'page')
  t.equal(openDescriptors(), before)
})

t.test('the time passes in a scan: where it was, exactly, and a token that goes on from there', async t => {
  const unit = 'é€😀\n'
  const unitBytes = Buffer.byteLength(unit)
  const units = 100_000
  const { run } = makeLane(t, { 'a.log': unit.repeat(units) })
  for (const chunks of [3, 4, 7]) {
    let reads = 0
    const deadlineMs = monotonicMs() + 150
    // The first chunks take all the time.
    const seams = { read: () => { if (++reads === chunks) pause(deadlineMs - monotonicMs() + 1) } }
    const lines = run('a.log', linesFrom(units), { seams }, { deadlineMs })
    t.match(lines, { problem: { code: 'READ_LIMIT_EXCEEDED', members: { reason: 'deadline', at: /^1[lm]\./ } } })
    const { line, byte } = reachedBy(lines)
    t.equal(line, Math.floor(byte! / unitBytes) + 1, 'the line that the byte is in')
    t.ok(byte! > 0 && byte! <= chunks * CHUNK_BYTES)
    reads = 0
    const again = monotonicMs() + 150
    const slow = { read: () => { if (++reads === chunks) pause(again - monotonicMs() + 1) } }
    const query = { unit: 'chars' as const, query: { path: 'a.log', offsetChars: 4 * units - 4, limitChars: 4 } }
    const chars = run('a.log', query, { seams: slow }, { deadlineMs: again })
    const { char, byte: at } = reachedBy(chars)
    const widths = [0, 2, 5, 9]
    t.equal(at, Math.floor(char! / 4) * unitBytes + widths[char! % 4]!, 'the byte where that character starts')
  }
})

t.test('a long scan tells how far it is', async t => {
  const { run, told } = makeLane(t, { 'a.log': 'x'.repeat(99).concat('\n').repeat(20_000) })
  run('a.log', linesFrom(20_000), { seams: { read: () => pause(15) } })
  t.ok(told.length >= 2, `${told.length} times`)
  t.ok(told.every(({ byte }, index) => index === 0 || byte > told[index - 1]!.byte))
})

function reachedBy (answer: FinalAnswer): { line?: number, char?: number, byte?: number } {
  if (answer.type !== 'problem') throw new Error(`a ${answer.type}`)
  return answer.problem.members.reached as object
}

t.test('the body: in the slot if there is one and it fits, else in memory of its own', async t => {
  const sizes = [0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 300_000, 1_048_576]
  const odd = 'a"\\\n\u0001\u001f\u007fé€😀\u2028\ud7ff\t'
  for (const size of sizes) {
    // At most one byte short of `size`, where the last character would be cut: then it is padded.
    const whole = Buffer.from(odd.repeat(Math.ceil(size / 10) + 1)).subarray(0, size).toString().replace(/\ufffd$/, '')
    const content = whole.padEnd(whole.length + size - Buffer.byteLength(whole), 'x')
    const { run, slots } = makeLane(t, { 'a.log': content })
    const page: PageQuery = { unit: 'bytes', query: { offset: 0, limit: 1_048_576, encoding: 'utf-8' } }
    for (const format of ['text', 'json'] as const) {
      for (const slot of [0, 31, null]) {
        const answer = run('a.log', page, {}, { slot, ...format === 'json' ? { format } : {} }) as PageAnswer
        t.equal(answer.type, 'page')
        const place = answer.body === null ? slots.buffer(slot!) : Buffer.from(answer.body)
        const body = place.toString('utf8', 8192, 8192 + answer.bodyBytes)
        t.equal(body, format === 'text' ? content : JSON.stringify(content).slice(1, -1))
        t.equal(answer.body === null, slot !== null && answer.bodyBytes <= 1_048_576 + 131_072 - 16, `${answer.bodyBytes} bytes`)
        t.ok(place.length >= 8192 + answer.bodyBytes + 16)
      }
    }
  }
})

t.test('lines as text keep their last line feed, so that pages concatenate', async t => {
  const { run, folder, slots } = makeLane(t, { 'a.log': 'one\ntwo' })
  const text = (startLine: number): string => {
    const { bodyBytes } = run('a.log', linesFrom(startLine)) as PageAnswer
    return slots.buffer(0).toString('utf8', 8192, 8192 + bodyBytes)
  }
  t.equal(text(1) + text(2), fs.readFileSync(path.join(folder, 'a.log'), 'utf8'))
})
