import t from 'tap'
import { readTail, type TailQuery } from '../../src/pages/tail.js'
import { TestFile, contentOf, makeReading } from '../helpers/reading.js'

function read (file: TestFile, query: Partial<TailQuery> = {}) {
  return file.read(open => {
    const page = readTail(open, { from: 'start', maxBytes: 32_768, flush: false, ...query }, makeReading())
    return { ...page, content: contentOf(page) }
  })
}

function hex (digits: string): Buffer {
  return Buffer.from(digits.replaceAll(' ', ''), 'hex')
}

const nothing = { content: '', startByte: 0, endByte: 0, more: false, reset: null, replayed: false }

t.test('a character that is written in two parts', async t => {
  const file = new TestFile(t, hex('41 F0 9F'))
  const first = read(file)
  t.match(first, { content: 'A', startByte: 0, endByte: 1, heldBytes: 2, more: false, position: { byte: 1 } })
  t.match(read(file, { from: first.position }), { content: '', startByte: 1, endByte: 1, heldBytes: 2, more: false })
  file.append(hex('98 80 42 0A'))
  const second = read(file, { from: first.position })
  t.match(second, { content: '😀B\n', startByte: 1, endByte: 7, heldBytes: 0, more: false, replacements: 0 })
})

t.test('a character that the page cuts comes whole on the next', async t => {
  const file = new TestFile(t, `${'a'.repeat(32_767)}é`)
  const first = read(file)
  t.match(first, { contentBytes: 32_767, endByte: 32_767, heldBytes: 0, more: true })
  t.match(read(file, { from: first.position }), { content: 'é', startByte: 32_767, endByte: 32_769, more: false })
})

t.test('content is bounded, not raw bytes alone', async t => {
  const file = new TestFile(t, Buffer.alloc(32_775, 0xFF))
  let from: TailQuery['from'] = 'start'
  const sizes = []
  for (let more = true; more;) {
    const page = read(file, { from })
    sizes.push(page.endByte - page.startByte)
    t.equal(page.replacements, page.endByte - page.startByte)
    from = page.position
    more = page.more
  }
  t.strictSame(sizes, [10_922, 10_922, 10_922, 9])
})

t.test('pages of whole characters', async t => {
  const file = new TestFile(t, '界'.repeat(20_000))
  const first = read(file)
  t.match(first, { content: '界'.repeat(10_922), more: true })
  t.match(read(file, { from: first.position }), { content: '界'.repeat(9078), endByte: 60_000, more: false })
})

t.test('what can no longer become a character is not held', async t => {
  for (const [bytes, content, heldBytes] of [
    ['6F 6B F5', 'ok\uFFFD', 0], ['6F 6B ED A0', 'ok\uFFFD\uFFFD', 0], ['6F 6B C0', 'ok\uFFFD', 0],
    ['6F 6B F4 90', 'ok\uFFFD\uFFFD', 0], ['6F 6B E2 82', 'ok', 2], ['6F 6B F4', 'ok', 1], ['6F 6B E2 82 41', 'ok\uFFFDA', 0]
  ] as const) {
    t.match(read(new TestFile(t, hex(bytes))), { content, heldBytes, more: false }, bytes)
  }
})

t.test('marks, and what may become one, are held', async t => {
  for (const bytes of ['EF', 'EF BB', 'FF', 'FE', 'EF BB BF', 'FF FE', 'FE FF']) {
    const file = new TestFile(t, hex(bytes))
    const heldBytes = hex(bytes).length
    t.match(read(file), { ...nothing, heldBytes, position: { byte: 0 } }, bytes)
    t.match(read(file, { from: 'end' }), { ...nothing, heldBytes, position: { byte: 0 } }, `${bytes} from the end`)
  }
  t.match(read(new TestFile(t, hex('EF BB 41'))), { content: '\uFFFDA', heldBytes: 0 })
  t.match(read(new TestFile(t, hex('FF 41'))), { content: '\uFFFDA', encoding: 'utf-8' })
})

t.test('a mark goes with the first character, and counts as raw bytes', async t => {
  const file = new TestFile(t, hex('EF BB BF EF BB BF 61 62'))
  t.match(read(file, { maxBytes: 6 }), { content: '\uFEFF', startByte: 0, endByte: 6, more: true })
  t.match(read(file, { maxBytes: 7 }), { content: '\uFEFFa', startByte: 0, endByte: 7, more: true })
  t.match(read(file, { maxBytes: 1 }), { content: '\uFEFF', startByte: 0, endByte: 6, more: true })
  file.write(hex('FF FE 61 00 3D D8'))
  t.match(read(file), { content: 'a', encoding: 'utf-16le', endByte: 4, heldBytes: 2, more: false })
  file.append(hex('00'))
  t.match(read(file), { content: 'a', endByte: 4, heldBytes: 3 })
  file.append(hex('DE'))
  t.match(read(file), { content: 'a😀', endByte: 8, heldBytes: 0 })
})

t.test('a page grows to its first character', async t => {
  const file = new TestFile(t, '😀é')
  const first = read(file, { maxBytes: 1 })
  t.match(first, { content: '😀', startByte: 0, endByte: 4, more: true })
  t.match(read(file, { from: first.position, maxBytes: 1 }), { content: 'é', endByte: 6, more: false })
  file.write(hex('FF 41'))
  t.match(read(file, { maxBytes: 1 }), { content: '\uFFFD', endByte: 1, more: true })
})

t.test('flush returns what is held', async t => {
  for (const [bytes, content, endByte] of [
    ['41 F0 9F 98', 'A\uFFFD', 4], ['EF BB', '\uFFFD', 2], ['FF', '\uFFFD', 1],
    ['FF FE 00 D8 41', '\uFFFD', 5], ['EF BB BF E2', '\uFFFD', 4]
  ] as const) {
    const file = new TestFile(t, hex(bytes))
    const expected = { content, startByte: 0, endByte, heldBytes: 0, replacements: 1, more: false }
    t.match(read(file, { flush: true }), expected, bytes)
  }
  // There is no character that a mark could go with.
  t.match(read(new TestFile(t, hex('EF BB BF')), { flush: true }), { ...nothing, heldBytes: 3 })
})

t.test('after a flush in the middle of a unit, the next ones lie at even bytes', async t => {
  const file = new TestFile(t, hex('FF FE 41 00 42'))
  const first = read(file, { flush: true })
  t.match(first, { content: 'A\uFFFD', endByte: 5 })
  file.append(hex('00 43 00 0A 00'))
  for (const maxBytes of [32_768, 5]) {
    const page = read(file, { from: first.position, maxBytes })
    t.match(page, { content: '\uFFFDC\n', startByte: 5, endByte: 10, replacements: 1, more: false, heldBytes: 0 })
  }
  const one = read(file, { from: first.position, maxBytes: 1 })
  t.match(one, { content: '\uFFFD', startByte: 5, endByte: 6, replacements: 1, more: true })
  t.match(read(file, { from: one.position, maxBytes: 1 }), { content: 'C', startByte: 6, endByte: 8, more: true })
})

t.test('a page comes again', async t => {
  const file = new TestFile(t, 'one\ntwo\n')
  const first = read(file, { maxBytes: 4 })
  file.append('three\n')
  const again = { from: first.position, maxBytes: 1, replayFrom: 0 }
  t.match(read(file, again), { content: 'one\n', startByte: 0, endByte: 4, replayed: true, more: true, position: first.position })
  t.match(read(file, { from: first.position }), { content: 'two\nthree\n', replayed: false })
})

t.test('a flushed page comes again as it was', async t => {
  for (const [bytes, later] of [
    ['41 F0 9F', '98 80'], ['EF BB', 'BF 41'], ['FF', 'FE 41 00'], ['FF FE 41', '00 42']
  ] as const) {
    const file = new TestFile(t, hex(bytes))
    const first = read(file, { flush: true })
    t.equal(first.endByte, hex(bytes).length)
    file.append(hex(later))
    const { content, startByte, endByte, replacements, position } = first
    const again = read(file, { from: position, maxBytes: 1, replayFrom: startByte })
    t.match(again, { content, startByte, endByte, replacements, position, replayed: true }, bytes)
  }
})

t.test('an empty page comes again empty', async t => {
  const file = new TestFile(t, 'old')
  const { position } = read(file)
  file.write('')
  const page = read(file, { from: position })
  t.match(page, { ...nothing, reset: { reason: 'truncated', fromByte: 3 }, position: { byte: 0 } })
  file.append('new')
  const again = read(file, { from: page.position, replayFrom: 0 })
  t.match(again, { ...nothing, replayed: true, more: true, position: { byte: 0 } })
  t.match(read(file, { from: page.position }), { content: 'new', reset: null, more: false })
})

t.test('what tells that the file is another one', async t => {
  const file = new TestFile(t, 'first\nsecond\n')
  const { position } = read(file, { maxBytes: 6 })
  const asked = { from: position, maxBytes: 5 }
  file.truncate(6)
  t.match(read(file, asked), { content: '', startByte: 6, reset: null })
  file.truncate(5)
  t.match(read(file, asked), { content: 'first', startByte: 0, reset: { reason: 'truncated', fromByte: 6 } })
  file.write('FIRST\nsecond\n')
  t.match(read(file, asked), { content: 'FIRST', startByte: 0, reset: { reason: 'rewritten', fromByte: 6 }, more: true })
  file.replace('first\nsecond\n')
  t.match(read(file, asked), { content: 'first', startByte: 0, reset: { reason: 'replaced', fromByte: 6 } })
  t.match(read(file, { ...asked, replayFrom: 0 }), { replayed: false, reset: { reason: 'replaced' } })
  file.write('')
  t.match(read(file, asked), { content: '', startByte: 0, endByte: 0, reset: { reason: 'replaced' }, more: false, heldBytes: 0 })
})
