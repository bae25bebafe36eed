import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { Problem } from '../../src/errors.js'
import type { OpenFile } from '../../src/files/open-file.js'
import { readBlock } from '../../src/pages/block.js'
import { readBytes } from '../../src/pages/bytes.js'
import { readCharacters } from '../../src/pages/characters.js'
import { readLines } from '../../src/pages/lines.js'
import type { Reading } from '../../src/pages/reading.js'
import { readTail } from '../../src/pages/tail.js'
import { anyFile, anyReading } from '../helpers/oracle-files.js'
import { TestFile, contentOf, makeReading } from '../helpers/reading.js'

interface Page { startByte: number, endByte: number, contentBytes: number, truncated?: boolean, nextAt?: string | null }

const path = 'p'
const READERS: Record<string, (file: OpenFile, n: number, reading: Reading) => Page> = {
  lines: (file, n, reading) => readLines(file, { path, startLine: 1 + n % 5, maxLines: 1 + n }, reading, false),
  'clipped lines': (file, n, reading) =>
    readLines(file, { path, startLine: 1 + n % 5, maxLines: 1 + n, maxLineBytes: 3 }, reading, false),
  characters: (file, n, reading) => readCharacters(file, { path, offsetChars: n % 7, limitChars: 1 + n * 3 }, reading),
  block: (file, n, reading) => readBlock(file, {
    path, aroundLine: 1 + n % 5, maxLevels: n % 3, includeSiblings: n % 2 === 0, includeHeader: true, maxLines: 1 + n
  }, reading),
  bytes: (file, n, reading) => readBytes(file, { offset: n, limit: 1 + n * 4, encoding: 'utf-8' }, reading),
  'bytes of UTF-16': (file, n, reading) => readBytes(file, { offset: n, limit: 1 + n * 4, encoding: 'utf-16le' }, reading),
  base64: (file, n, reading) => readBytes(file, { offset: n, limit: 1 + n * 4, encoding: 'base64' }, reading),
  tail: (file, n, reading) => readTail(file, { from: 'start', maxBytes: 1 + n * 3, flush: n % 2 === 0 }, reading),
  'tail from the end': (file, n, reading) => readTail(file, { from: 'end', maxBytes: 1 + n, flush: true }, reading)
}

// Contract 2: truncation ends a read at the end of file then seen, and that is then the extent.
for (const [name, read] of Object.entries(READERS)) {
  t.test(`${name}: a file that is truncated before any of the reads`, async t => {
    const file = new TestFile(t)
    const when = fc.record({ before: fc.nat(12), length: fc.nat(60), number: fc.nat(20) })
    fc.assert(fc.property(anyFile, when, anyReading, (bytes, { before, length, number }, options) => {
      file.write(bytes)
      let reads = 0
      let chunks = 0
      // A reader that does not see the end would go on for ever.
      const checkpoint = (): void => assert.ok(++chunks < 5000, 'comes to an end')
      const seams = {
        read: () => {
          assert.ok(++reads < 5000, 'comes to an end')
          if (reads === before + 1 && length < bytes.length) file.truncate(length)
        }
      }
      file.read(open => {
        try {
          const page = read(open, number, makeReading({ ...options, checkpoint }))
          contentOf(page)
          const { startByte, endByte, truncated = endByte < open.extent, nextAt = null } = page
          assert.ok(startByte <= endByte && endByte <= open.extent, `${startByte} to ${endByte} of ${open.extent}`)
          assert.equal(truncated, endByte < open.extent)
          if (!truncated) assert.equal(nextAt, null)
        } catch (error) {
          if (!(error instanceof Problem) || error.members.reason !== 'line-out-of-range') throw error
        }
      }, seams)
    }), { numRuns: 400 })
  })
}
