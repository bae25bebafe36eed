import t from 'tap'
import { readLines, type LinesQuery } from '../../src/pages/lines.js'
import { TestFile, contentOf, makeReading, problemOf } from '../helpers/reading.js'

type Asked = Partial<Omit<LinesQuery, 'path'>>

function read (file: TestFile, asked: Asked = {}) {
  return file.read(open => {
    const page = readLines(open, { path: 'file', startLine: 1, maxLines: 200, ...asked }, makeReading(), false)
    return { ...page, content: contentOf(page) }
  })
}

const MIB = 1_048_576

t.test('the bound of a page, with line feeds counted', async t => {
  const file = new TestFile(t, `${'a'.repeat(MIB - 2)}\nb\nc`)
  t.match(read(file), {
    contentBytes: MIB, endLine: 2, lineCount: 2, nextStartLine: 3, truncated: true, truncatedBy: 'bytes', endByte: MIB + 1
  })
  t.match(read(file, { maxLines: 2 }), { endLine: 2, truncatedBy: 'lines' })
  t.match(read(file, { startLine: 3 }), { content: 'c', startByte: MIB + 1, totalLines: 3 })
})

t.test('behind a full page there is no room even for an empty line', async t => {
  const text = `${'界'.repeat(349_525)}a\n\nb`
  const utf16 = Buffer.from(`\uFEFF${text}`, 'utf16le')
  for (const bytes of [Buffer.from(text), utf16, Buffer.from(utf16).swap16()]) {
    const file = new TestFile(t, bytes)
    for (const clip of [{}, { maxLineBytes: MIB }]) {
      t.match(read(file, clip), { contentBytes: MIB, endLine: 1, truncatedBy: 'bytes', nextStartLine: 2, clippedLines: [] })
    }
  }
})

t.test('a line that is too long', async t => {
  const file = new TestFile(t, 'z'.repeat(MIB + 1))
  t.strictSame(problemOf(() => read(file)).members, { reason: 'line-too-long', line: 1, startByte: 0, encoding: 'utf-8' })
  t.equal(problemOf(() => read(file)).code, 'READ_LIMIT_EXCEEDED')
  file.write(`one\n${'z'.repeat(MIB + 1)}\nthree\n`)
  t.match(read(file), { content: 'one', nextStartLine: 2, truncatedBy: 'bytes' })
  t.match(problemOf(() => read(file, { startLine: 2 })), { members: { line: 2, startByte: 4 } })
  t.match(read(file, { startLine: 3 }), { content: 'three', startByte: MIB + 6 })
  t.match(read(file, { maxLineBytes: MIB, startLine: 2 }), {
    contentBytes: MIB,
    lineCount: 1,
    nextStartLine: 3,
    truncatedBy: 'bytes',
    clippedLines: [{ line: 2, lineBytes: MIB + 1, omittedStart: MIB + 4, omittedEnd: MIB + 4, omittedBytes: 1 }]
  })
})

t.test('content counts, not raw bytes', async t => {
  const file = new TestFile(t, Buffer.alloc(349_525, 0xFF))
  t.match(read(file), { contentBytes: 1_048_575, replacements: 349_525, endByte: 349_525, truncated: false })
  file.write(Buffer.alloc(349_526, 0xFF))
  t.match(problemOf(() => read(file)), { members: { reason: 'line-too-long', line: 1, startByte: 0 } })
  file.write(Buffer.alloc(350_000, 0xFF))
  t.match(read(file, { maxLineBytes: MIB }), {
    contentBytes: 1_048_575,
    replacements: 349_525,
    endByte: 350_000,
    clippedLines: [{ line: 1, lineBytes: 350_000, omittedStart: 349_525, omittedEnd: 349_999, omittedBytes: 475 }]
  })
  file.write(Buffer.from(`\uFEFF${'a'.repeat(MIB)}`, 'utf16le'))
  t.match(read(file), { contentBytes: MIB, endByte: 2 * MIB + 2, totalLines: 1 })
  file.write(Buffer.from(`\uFEFF${'界'.repeat(349_526)}`, 'utf16le'))
  t.match(problemOf(() => read(file)), { members: { reason: 'line-too-long', line: 1, startByte: 2, encoding: 'utf-16le' } })
})

t.test('an earlier line of 4 MiB costs nothing but its scan', async t => {
  const file = new TestFile(t, `${'x'.repeat(4 * MIB)}\nsecond\nthird\n`)
  t.match(read(file, { startLine: 2, maxLines: 1 }), { content: 'second', startByte: 4 * MIB + 1, endByte: 4 * MIB + 8 })
})

t.test('a clip between characters of four bytes', async t => {
  const file = new TestFile(t, '\u{1F525}'.repeat(2000))
  t.match(read(file, { maxLineBytes: 2000 }), {
    content: '\u{1F525}'.repeat(500),
    clippedLines: [{ line: 1, lineBytes: 8000, omittedStart: 2000, omittedEnd: 7999, omittedBytes: 6000 }]
  })
})

t.test('a line that is clipped by its content fits by what is kept of it', async t => {
  const most = 349_525
  const malformed = Buffer.alloc(most + 5, 0xFF)
  const after = (first: string) => {
    const file = new TestFile(t, Buffer.concat([Buffer.from(first), malformed]))
    return read(file, { maxLineBytes: MIB })
  }
  t.match(after('\n'), {
    contentBytes: MIB,
    endLine: 2,
    replacements: most,
    truncated: false,
    clippedLines: [{ line: 2, lineBytes: most + 5, omittedStart: most + 1, omittedEnd: most + 5, omittedBytes: 5 }]
  })
  t.match(after('a\n'), { contentBytes: 1, endLine: 1, truncatedBy: 'bytes', clippedLines: [] })
})

t.test('marks of clipped lines, in text', async t => {
  const file = new TestFile(t, 'abcdef\nok\nЖé文Ωßtail')
  file.read(open => {
    const reading = makeReading()
    const query = { path: 'file', startLine: 1, maxLines: 3, maxLineBytes: 4 }
    const page = readLines(open, query, reading, true)
    const text = 'abcd[+2 bytes omitted: 4-5]\nok\nЖé[+11 bytes omitted: 14-24]'
    t.equal(contentOf(page), text)
    t.match(page, { lineCount: 3, endByte: 25, endsWithNewline: false })
  })
})

t.test('marks take no room from the content', async t => {
  const file = new TestFile(t, `${'x'.repeat(3000)}\n`.repeat(600))
  file.read(open => {
    const query = { path: 'file', startLine: 1, maxLines: 500, maxLineBytes: 2096 }
    const page = readLines(open, query, makeReading(), true)
    // 500 lines of 2,096 and 499 line feeds are 1,048,499: all fit, whatever their marks take.
    t.match(page, { lineCount: 500, truncatedBy: 'lines' })
    t.equal(page.clippedLines.length, 500)
    t.match(contentOf(page), /^(x{2096}\[\+904 bytes omitted: \d+-\d+\]\n?){500}$/)
  })
})
