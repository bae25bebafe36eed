import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { readTail, type TailPage, type TailQuery } from '../../src/pages/tail.js'
import { joined, textOf } from '../helpers/oracle.js'
import { anyFile, anyReading } from '../helpers/oracle-files.js'
import { expectedTail } from '../helpers/oracle-tail.js'
import { TestFile, contentOf, makeReading, type ReadingOptions } from '../helpers/reading.js'

interface Read { page: TailPage, content: string }

function read (file: TestFile, query: TailQuery, options: ReadingOptions): Read {
  return file.read(open => {
    const page = readTail(open, query, makeReading(options))
    return { page, content: contentOf(page) }
  })
}

const maxBytes = fc.oneof(
  fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 60 }), fc.constant(32_768))

/** A file, cut into what is appended at a time. */
const growing = fc.tuple(anyFile, fc.array(fc.nat(200), { maxLength: 8 })).map(([bytes, cuts]) => {
  const edges = [0, ...cuts.map(cut => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  return { bytes, appended: edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge)) }
})

function checkPage ({ page, content }: Read, expected: ReturnType<typeof expectedTail>): void {
  const { contentBytes, position, began, ...members } = page
  assert.deepEqual({ page: members, content }, expected)
  assert.equal(position.byte, page.endByte)
  if (began !== null) assert.equal(began.byte, page.startByte)
}

t.test('pages tile a growing file, first in, first out', async t => {
  const file = new TestFile(t)
  fc.assert(fc.property(growing, fc.infiniteStream(maxBytes), anyReading, ({ bytes, appended }, sizes, options) => {
    file.replace('')
    let from: TailQuery['from'] = 'start'
    let content = ''
    let size = 0
    const take = (flush: boolean): boolean => {
      const query: TailQuery = { from, maxBytes: sizes.next().value!, flush }
      const one = read(file, query, options)
      const byte: number = typeof from === 'string' ? 0 : from.byte
      checkPage(one, expectedTail(bytes.subarray(0, size), byte, query))
      from = one.page.position
      content += one.content
      return one.page.more
    }
    for (const part of appended) {
      file.append(part)
      size += part.length
      // Not always to the end of what there is: a backlog is never skipped.
      for (let page = 0; page < 3 && take(false); page++);
    }
    while (take(false));
    while (take(true));
    assert.equal(content, joined(textOf(bytes).characters))
  }), { numRuns: 800 })
})

t.test('a page comes again as it was, whatever was appended since', async t => {
  const file = new TestFile(t)
  const asked = fc.record({ maxBytes, flush: fc.boolean(), pages: fc.nat(3) })
  fc.assert(fc.property(anyFile, anyFile, asked, anyReading, (bytes, later, { pages, ...asked }, options) => {
    file.replace(bytes)
    let before: TailQuery['from'] = 'start'
    let one: Read = read(file, { from: before, ...asked }, options)
    for (let page = 0; page < pages && one.page.more; page++) {
      before = one.page.position
      one = read(file, { from: before, ...asked }, options)
    }
    const { startByte, endByte, replacements, position } = one.page
    if (startByte === endByte) return
    file.append(later)
    const again = { from: position, maxBytes: 1, flush: false, replayFrom: startByte }
    const { page, content } = read(file, again, options)
    const replayed = { startByte, endByte, replacements, position, content: one.content, replayed: true, reset: null }
    assert.deepEqual({ ...replayed, ...pick(page, replayed), content }, replayed)
  }), { numRuns: 800 })
})

function pick (page: TailPage, names: object): object {
  return Object.fromEntries(Object.entries(page).filter(([name]) => name in names))
}

t.test('from the end: before what the end of file cuts', async t => {
  const file = new TestFile(t)
  fc.assert(fc.property(anyFile, anyFile, maxBytes, anyReading, (bytes, later, maxBytes, options) => {
    file.replace(bytes)
    const { page, content } = read(file, { from: 'end', maxBytes, flush: false }, options)
    const { characters, textStart } = textOf(bytes)
    const cut = characters.at(-1)?.cut ? characters.at(-1)!.start : bytes.length
    // Where only a mark, or what may become one, is before it, it begins at the start.
    const unclear = /^(ef(bb)?|f[ef])$/.test(bytes.toString('hex'))
    const startByte = unclear || cut <= textStart ? 0 : cut
    assert.deepEqual([page.startByte, page.endByte, content, page.more], [startByte, startByte, '', false])
    file.append(later)
    const all = Buffer.concat([bytes, later])
    const query = { from: page.position, maxBytes, flush: false }
    checkPage(read(file, query, options), expectedTail(all, startByte, query))
  }), { numRuns: 600 })
})
