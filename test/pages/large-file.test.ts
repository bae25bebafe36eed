import t from 'tap'
import { parseAt } from '../../src/pages/at-token.js'
import { readBytes } from '../../src/pages/bytes.js'
import { readCharacters } from '../../src/pages/characters.js'
import { readLines } from '../../src/pages/lines.js'
import { readTail } from '../../src/pages/tail.js'
import { TestFile, contentOf, makeReading } from '../helpers/reading.js'

// Past what 32 bits count. The file is a hole but for its end, and takes no room on the disk.
const HOLE = 2 ** 32
const END = 'end of the hole\nnext é😀\nlast'

t.test('beyond 4 GiB', async t => {
  const file = new TestFile(t)
  file.put(END, HOLE)
  const size = HOLE + Buffer.byteLength(END)

  t.test('bytes', async t => {
    file.read(open => {
      const page = readBytes(open, { offset: HOLE + 5, limit: 10, encoding: 'utf-8' }, makeReading())
      t.match(page, { startByte: 4_294_967_301, endByte: HOLE + 15, nextOffset: HOLE + 15, byteCount: 10 })
      t.equal(contentOf(page), 'f the hole')
    })
  })

  t.test('characters, from a token beyond', async t => {
    const { nextAt } = file.read(open => {
      const page = readCharacters(open, { path: 'p', offsetChars: HOLE + 16, limitChars: 6 }, makeReading())
      t.equal(contentOf(page), 'next é')
      t.match(page, { endChars: HOLE + 22, startByte: HOLE + 16, endByte: HOLE + 23, nextOffsetChars: HOLE + 22 })
      return page
    })
    const at = parseAt(nextAt!, 'p', 'char', HOLE + 22)
    file.read(open => {
      const page = readCharacters(open, { path: 'p', offsetChars: HOLE + 22, limitChars: 100, at }, makeReading())
      t.equal(contentOf(page), '😀\nlast')
      t.match(page, { totalChars: HOLE + 28, endByte: size, truncated: false })
      t.ok(open.bytesRead < 70_000)
    })
  })

  t.test('lines: the hole is one', async t => {
    file.read(open => {
      const page = readLines(open, { path: 'p', startLine: 2, maxLines: 1 }, makeReading(), false)
      t.equal(contentOf(page), 'next é😀')
      t.match(page, { startByte: HOLE + 16, endByte: HOLE + 28, nextStartLine: 3 })
    })
  })

  t.test('lines: clipped', async t => {
    file.read(open => {
      const page = readLines(open, { path: 'p', startLine: 1, maxLines: 2, maxLineBytes: 20 }, makeReading(), false)
      t.equal(contentOf(page), `${'\0'.repeat(20)}\nnext é😀`)
      t.strictSame(page.clippedLines, [{
        line: 1, lineBytes: HOLE + 15, omittedStart: 20, omittedEnd: HOLE + 14, omittedBytes: HOLE - 5
      }])
    })
  })

  t.test('a tail', async t => {
    const from = file.read(open => readTail(open, { from: 'end', maxBytes: 9, flush: false }, makeReading()).position)
    t.equal(from.byte, size)
    file.append(' and more')
    file.read(open => {
      const page = readTail(open, { from, maxBytes: 4, flush: false }, makeReading())
      t.equal(contentOf(page), ' and')
      t.match(page, { startByte: size, endByte: size + 4, more: true, reset: null })
    })
  })
})

t.test('line numbers beyond 2^32, from a token', async t => {
  const file = new TestFile(t, 'one\ntwo\nthree\n')
  const token = file.read(open => readLines(open, { path: 'p', startLine: 1, maxLines: 1 }, makeReading(), false).nextAt!)
  // Tokens are unsigned: the number may be any.
  const startLine = HOLE + 6
  const at = parseAt(token.split('.').with(1, `${HOLE + 5}`).join('.'), 'p', 'line', startLine)
  file.read(open => {
    const page = readLines(open, { path: 'p', startLine, maxLines: 5, at }, makeReading(), false)
    t.equal(contentOf(page), 'three')
    t.match(page, { startLine, endLine: startLine, totalLines: startLine })
  })
})
