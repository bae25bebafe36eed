import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { parseAt } from '../../src/pages/at-token.js'
import { readLines, type LinesPage, type LinesQuery } from '../../src/pages/lines.js'
import { joined, textOf, countMalformed } from '../helpers/oracle.js'
import { FILES, anyReading, around } from '../helpers/oracle-files.js'
import { expectedLines, linesOf, type LinesAsked } from '../helpers/oracle-lines.js'
import { TestFile, contentOf, makeReading, problemOf, type ReadingOptions } from '../helpers/reading.js'

const PATH = 'file'

interface Read { page: LinesPage, content: string }

function read (file: TestFile, query: Omit<LinesQuery, 'path'>, options: ReadingOptions): Read {
  return file.read(open => {
    const page = readLines(open, { path: PATH, ...query }, makeReading(options), false)
    return { page, content: contentOf(page) }
  })
}

function checkPage ({ page, content }: Read, expected: ReturnType<typeof expectedLines>): void {
  const { nextAt, contentBytes, ...members } = page
  assert.deepEqual({ page: members, content }, expected)
  assert.equal(nextAt !== null, page.truncated)
}

const paging = fc.record({ maxLines: fc.constantFrom(1, 2, 7, 500), withAt: fc.boolean() })
const asked = fc.record({
  startLine: around(1, Number.MAX_SAFE_INTEGER),
  maxLines: around(1, 500),
  maxLineBytes: fc.option(around(1, 1_048_576), { nil: undefined })
}).map(({ maxLineBytes, ...rest }): LinesAsked => maxLineBytes === undefined ? rest : { ...rest, maxLineBytes })

/** Every page from the first to the last, as `nextStartLine` leads, with or without `at`. */
function * follow (file: TestFile, paging: { maxLines: number, withAt: boolean }, options: ReadingOptions) {
  const { maxLines, withAt } = paging
  let next: Omit<LinesQuery, 'path'> | null = { startLine: 1, maxLines }
  while (next !== null) {
    const one: Read = read(file, next, options)
    yield one
    const { nextStartLine: startLine, nextAt } = one.page
    if (startLine === null) return
    next = { startLine, maxLines, ...withAt ? { at: parseAt(nextAt!, PATH, 'line', startLine) } : {} }
  }
}

for (const [name, files] of Object.entries(FILES)) {
  t.test(`${name}: a page is the one of the oracle`, async t => {
    const file = new TestFile(t)
    fc.assert(fc.property(files, asked, anyReading, (bytes, asked, options) => {
      file.write(bytes)
      checkPage(read(file, asked, options), expectedLines(textOf(bytes), asked))
    }), { numRuns: 600 })
  })

  t.test(`${name}: pages tile the file`, async t => {
    const file = new TestFile(t)
    fc.assert(fc.property(files, paging, anyReading, (bytes, paging, options) => {
      file.write(bytes)
      const text = textOf(bytes)
      const sum = { endByte: 0, content: '', replacements: 0 }
      let startLine = 1
      for (const one of follow(file, paging, options)) {
        checkPage(one, expectedLines(text, { startLine, maxLines: paging.maxLines }))
        assert.equal(one.page.startByte, sum.endByte)
        sum.endByte = one.page.endByte
        sum.content += one.content + (one.page.endsWithNewline ? '\n' : '')
        sum.replacements += one.page.replacements
        startLine += one.page.lineCount
      }
      const replacements = countMalformed(text.characters)
      assert.deepEqual(sum, { endByte: text.size, content: joined(text.characters), replacements })
    }), { numRuns: 150 })
  })
}

t.test('a token serves later starts too', async t => {
  const file = new TestFile(t)
  const maxLines = fc.integer({ min: 1, max: 9 })
  fc.assert(fc.property(FILES['any bytes']!, maxLines, fc.nat(9), anyReading, (bytes, maxLines, further, options) => {
    file.write(bytes)
    const { page } = read(file, { startLine: 1, maxLines }, options)
    if (page.nextAt === null) return
    const startLine = maxLines + 1 + further
    const at = parseAt(page.nextAt, PATH, 'line', startLine)
    checkPage(read(file, { startLine, maxLines, at }, options), expectedLines(textOf(bytes), { startLine, maxLines }))
  }), { numRuns: 200 })
})

// A few of them: the oracle takes its time over a MiB.
t.test('pages around the bound of 1 MiB', async t => {
  const file = new TestFile(t)
  const piece = fc.constantFrom('a', 'é', '\xFF', '\n', 'x\n', '\r\n')
  const part = fc.tuple(piece, fc.integer({ min: 200_000, max: 600_000 }))
  const parts = fc.array(part, { minLength: 2, maxLength: 3 })
  const clipped = fc.constantFrom(undefined, 900_000, 1_048_576)
  fc.assert(fc.property(parts, fc.constantFrom('latin1', 'utf16le'), clipped, (parts, charset, maxLineBytes) => {
    const text = parts.map(([text, length]) => text.repeat(length / text.length)).join('\n')
    const bytes = Buffer.from(charset === 'latin1' ? text : `\uFEFF${text}`, charset)
    const oracle = textOf(bytes)
    file.write(bytes)
    for (const startLine of [1, Math.max(1, linesOf(oracle).length - 1)]) {
      const asked = { startLine, maxLines: 500, ...maxLineBytes === undefined ? {} : { maxLineBytes } }
      const expected = expectedLines(oracle, asked)
      if ('page' in expected) {
        checkPage(read(file, asked, {}), expected)
      } else {
        const { members } = problemOf(() => read(file, asked, {}))
        assert.deepEqual(members, { reason: 'line-too-long', ...expected.tooLong, encoding: oracle.encoding })
      }
    }
  }), { numRuns: 5 })
})
