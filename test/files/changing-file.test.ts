import t, { type Test } from 'tap'
import type { OpenFile } from '../../src/files/open-file.js'
import { positionAt } from '../../src/files/position.js'
import { readBytes, type ByteEncoding } from '../../src/pages/bytes.js'
import { readCharacters } from '../../src/pages/characters.js'
import { readLines } from '../../src/pages/lines.js'
import { readTail } from '../../src/pages/tail.js'
import type { Reading } from '../../src/pages/reading.js'
import { TestFile, contentOf, makeReading } from '../helpers/reading.js'

const CHUNK = 64
/** Lines of 16 bytes with characters of 1, 2, 3 and 4 bytes, so that cuts and chunk edges fall everywhere. */
const original = Buffer.from(Array.from({ length: 40 }, (_, index) => `${String(index + 1).padStart(2, '0')} aé日😀bc\n`).join(''))

/** What was read: the page, and the total that it tells, with the way to count it. */
interface Page { startByte: number, endByte: number, truncated: boolean, content: string, total: number | null }
type Read = (file: OpenFile, reading: Reading) => Page

const countLines = (text: string): number => Math.max(1, text.split('\n').length - (text.endsWith('\n') ? 1 : 0))
const countCharacters = (text: string): number => [...text].length

function pick ({ startByte, endByte, truncated }: Omit<Page, 'content' | 'total'>, content: string, total: number | null): Page {
  return { startByte, endByte, truncated, content, total }
}

function lines (startLine: number, maxLines: number, clip: { maxLineBytes?: number } = {}): Read {
  return (file, reading) => {
    const page = readLines(file, { path: 'f', startLine, maxLines, ...clip }, reading, false)
    return pick(page, contentOf(page) + (page.endsWithNewline ? '\n' : ''), page.totalLines)
  }
}

function characters (offsetChars: number, limitChars: number): Read {
  return (file, reading) => {
    const page = readCharacters(file, { path: 'f', offsetChars, limitChars }, reading)
    return pick(page, contentOf(page), page.totalChars)
  }
}

function bytes (offset: number, limit: number, encoding: ByteEncoding): Read {
  return (file, reading) => {
    const page = readBytes(file, { offset, limit, encoding }, reading)
    const text = contentOf(page)
    return pick(page, encoding === 'hex' ? Buffer.from(text, 'hex').toString() : text, null)
  }
}

function tail (startByte: number, maxBytes: number): Read {
  return (file, reading) => {
    const from = startByte === 0 ? 'start' as const : positionAt(file, startByte)
    const page = readTail(file, { from, maxBytes, flush: true }, reading)
    t.equal(page.position.byte, page.endByte)
    return pick({ ...page, truncated: page.more }, contentOf(page), null)
  }
}

const COUNTS: Record<string, (text: string) => number> = { lines: countLines, characters: countCharacters }

const READS: Record<string, Read> = {
  'all lines': lines(1, 500),
  'a page of lines': lines(1, 20),
  'lines far away': lines(25, 10),
  'lines past the end': lines(100, 10),
  'lines, perhaps clipped': lines(1, 500, { maxLineBytes: 1000 }),
  'lines far away, perhaps clipped': lines(25, 10, { maxLineBytes: 1000 }),
  'all characters': characters(0, 32_768),
  'a page of characters': characters(0, 200),
  'characters far away': characters(250, 100),
  'characters past the end': characters(5000, 100),
  'all bytes': bytes(0, 4096, 'utf-8'),
  'a window of bytes': bytes(5, 300, 'utf-8'),
  'a window of bytes far away': bytes(401, 150, 'utf-8'),
  'all bytes in hex': bytes(0, 4096, 'hex'),
  'a window of bytes in hex': bytes(90, 300, 'hex'),
  'all of a tail': tail(0, 32_768),
  'a page of a tail': tail(0, 300),
  'a further page of a tail': tail(256, 200)
}

type Seen = Page & { extent: number }

/** A read during which `change` happens before read number `at`; null if there are not so many. */
function readChanging (file: TestFile, read: Read, at: number, change: () => void): Seen | null {
  let reads = 0
  const seen = file.read(
    open => ({ ...read(open, makeReading({ chunkBytes: CHUNK })), extent: open.extent }),
    { read: () => { if (reads++ === at) change() } }
  )
  return reads > at ? seen : null
}

type Check = (t: Test, seen: Seen, still: Seen, count: ((text: string) => number) | undefined, label: string) => void

/** Runs a change before every read of every kind of page. */
async function atEachRead (t: Test, change: (file: TestFile) => void, check: Check): Promise<void> {
  for (const [name, read] of Object.entries(READS)) {
    await t.test(name, async t => {
      const file = new TestFile(t, original)
      const still = readChanging(file, read, -1, () => {})!
      const count = Object.entries(COUNTS).find(([unit]) => name.includes(unit))?.[1]
      for (let at = 0; ; at++) {
        file.replace(original)
        const seen = readChanging(file, read, at, () => change(file))
        if (seen === null) break
        check(t, seen, still, count, `before read ${at}: ${JSON.stringify({ ...seen, content: undefined })}`)
      }
    })
  }
}

t.test('replaced by a rename: the page is that of the file that was opened', async t => {
  await atEachRead(t, file => file.replace('another file'), (t, seen, still, _count, label) => t.same(seen, still, label))
})

t.test('appended to: what is new is on no page', async t => {
  await atEachRead(t, file => file.append('more\n'), (t, seen, still, _count, label) => {
    t.same(seen, still, label)
    t.equal(seen.extent, original.length)
  })
})

for (const length of [0, 1, 5, 16, 64, 70, 127, 128, 300, 393, 512, 600, original.length - 1]) {
  t.test(`truncated to ${length} bytes: the end that was seen is the end`, async t => {
    await atEachRead(t, file => file.truncate(length), (t, seen, _still, count, label) => {
      const { startByte, endByte, truncated, content, extent, total } = seen
      t.ok(startByte <= endByte && endByte <= extent && extent <= original.length, label)
      t.equal(truncated, endByte < extent, label)
      t.equal(content, original.toString('utf8', startByte, endByte), label)
      if (count === undefined) return
      t.equal(total, truncated ? null : count(original.toString('utf8', 0, extent)), label)
    })
  })
}

t.test('truncated and longer again between two reads: the extent stays, and what was written shows', async t => {
  const file = new TestFile(t, original)
  const seen = readChanging(file, READS['all lines']!, 3, () => file.write('x'.repeat(5000)))
  t.match(seen, { endByte: original.length, extent: original.length, content: /^01 aé.*x$/s })
})
