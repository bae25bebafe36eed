import t from 'tap'
import { readBlock, type BlockQuery } from '../../src/pages/block.js'
import { TestFile, contentOf, makeReading, problemOf } from '../helpers/reading.js'

type Asked = Partial<BlockQuery> & { aroundLine: number }

function read (file: TestFile, asked: Asked) {
  return file.read(open => {
    const defaults = { path: 'file', maxLevels: 0, includeSiblings: false, includeHeader: true, maxLines: 200 }
    const page = readBlock(open, { ...defaults, ...asked }, makeReading())
    return { ...page, content: contentOf(page) }
  })
}

/** Lines with these indents. */
function indented (...columns: number[]): string {
  return columns.map(columns => `${' '.repeat(columns)}x\n`).join('')
}

const nested = indented(0, 4, 8, 12, 8, 4, 0)
const withSiblings = indented(0, 4, 8, 4, 4, 8, 4, 0)
const functionThenCode = `def f():\n${'    body\n'.repeat(9)}x = 1\ny = 2\n`
const flat = 'x\n'.repeat(20)
const commented = '    # one\n\n    # two\n    def f():\n        return 1\n    # three\n    y\n'

type Row = [text: string, asked: Asked, first: number, last: number, truncatedBy?: 'lines' | 'bytes']

const table: Record<string, Row> = {
  'one level': [indented(0, 4, 8, 4, 4, 0), { aroundLine: 3, maxLevels: 1 }, 2, 4],
  'two levels': [nested, { aroundLine: 4, maxLevels: 2 }, 2, 6],
  'three levels': [nested, { aroundLine: 4, maxLevels: 3 }, 1, 7],
  'more levels than there are': [nested, { aroundLine: 4, maxLevels: 9 }, 1, 7],
  'without siblings': [withSiblings, { aroundLine: 3, maxLevels: 1 }, 2, 4],
  'with siblings': [withSiblings, { aroundLine: 3, maxLevels: 1, includeSiblings: true }, 2, 7],
  'to the margin: one line of it on either side': [functionThenCode, { aroundLine: 9 }, 1, 11],
  'to the margin, with siblings': [functionThenCode, { aroundLine: 9, includeSiblings: true }, 1, 12],
  'one line': [flat, { aroundLine: 10, includeSiblings: true, maxLines: 1 }, 10, 10, 'lines'],
  'two lines: the one above first': [flat, { aroundLine: 10, includeSiblings: true, maxLines: 2 }, 9, 10, 'lines'],
  'three lines': [flat, { aroundLine: 10, includeSiblings: true, maxLines: 3 }, 9, 11, 'lines'],
  'four lines': [flat, { aroundLine: 10, includeSiblings: true, maxLines: 4 }, 8, 11, 'lines'],
  'five lines': [flat, { aroundLine: 10, includeSiblings: true, maxLines: 5 }, 8, 12, 'lines'],
  'all lines: no limit ended it': [flat, { aroundLine: 10, includeSiblings: true, maxLines: 20 }, 1, 20],
  'on below when stopped above': [flat, { aroundLine: 2, includeSiblings: true, maxLines: 6 }, 1, 6, 'lines'],
  'on above when stopped below': [flat, { aroundLine: 19, includeSiblings: true, maxLines: 6 }, 15, 20, 'lines'],
  'exactly as many lines as belong': [functionThenCode, { aroundLine: 9, maxLines: 11 }, 1, 11],
  'a header above the first line': [commented, { aroundLine: 5, maxLevels: 1 }, 3, 6],
  'without the header': [commented, { aroundLine: 5, maxLevels: 1, includeHeader: false }, 4, 6],
  'a comment counts as the first': ['x\n    y\n    # c\n        z\n', { aroundLine: 4, maxLevels: 1 }, 3, 4],
  'blank lines at the edges are dropped': ['\n\n    x\n\n\n', { aroundLine: 3 }, 3, 3],
  'blank lines alone leave the anchor': ['\n \n\t\n\n', { aroundLine: 2, includeSiblings: true }, 2, 2],
  'a tab counts four columns': ['a\n\tb\n    c\n  \td\n', { aroundLine: 2, maxLevels: 1, includeSiblings: true }, 1, 4],
  'a file of one line': ['x', { aroundLine: 1 }, 1, 1]
}

for (const [name, [text, asked, first, last, truncatedBy = null]] of Object.entries(table)) {
  t.test(name, async t => {
    const page = read(new TestFile(t, text), asked)
    const lines = text.split('\n')
    t.match(page, { startLine: first, endLine: last, truncatedBy, aroundLine: asked.aroundLine })
    t.equal(page.content, lines.slice(first - 1, last).join('\n'))
    t.equal(page.startByte, lines.slice(0, first - 1).join('\n').length + (first > 1 ? 1 : 0))
  })
}

t.test('an anchor past the last line', async t => {
  const file = new TestFile(t, 'a\nb\n')
  for (const aroundLine of [3, 4, 300, Number.MAX_SAFE_INTEGER]) {
    t.match(problemOf(() => read(file, { aroundLine })), {
      code: 'READ_LIMIT_EXCEEDED', members: { reason: 'line-out-of-range', totalLines: 2 }
    })
  }
  for (const bytes of ['', Buffer.of(0xFF, 0xFE)]) {
    file.write(bytes)
    t.match(problemOf(() => read(file, { aroundLine: 2, maxLines: 1 })), { members: { totalLines: 1 } })
    t.match(read(file, { aroundLine: 1 }), { lineCount: 1, content: '', startByte: 0, endByte: bytes.length, truncatedBy: null })
  }
})

const MIB = 1_048_576

t.test('the bound of a page ends the growth in both directions', async t => {
  const file = new TestFile(t, `a\nb\n${'c'.repeat(MIB - 3)}\nd\ne\n`)
  const asked = { aroundLine: 3, includeSiblings: true }
  // Above comes first: `b` and a line feed fit, `d` does not.
  t.match(read(file, asked), { startLine: 2, endLine: 3, contentBytes: MIB - 1, truncatedBy: 'bytes', nextStartLine: 4 })
  file.write(`a\nb\n${'c'.repeat(MIB - 4)}\nd\ne\n`)
  t.match(read(file, asked), { startLine: 2, endLine: 4, contentBytes: MIB, truncatedBy: 'bytes' })
  file.write(`a\nb\n${'c'.repeat(MIB - 8)}\nd\ne\n`)
  t.match(read(file, asked), { startLine: 1, endLine: 5, contentBytes: MIB, truncatedBy: null })
  file.write(`a\n${'c'.repeat(MIB + 1)}\nd\n`)
  t.match(read(file, { ...asked, aroundLine: 3 }), { startLine: 3, endLine: 3, content: 'd', truncatedBy: 'bytes' })
  t.match(problemOf(() => read(file, { aroundLine: 2 })), {
    code: 'READ_LIMIT_EXCEEDED', members: { reason: 'line-too-long', line: 2, startByte: 2 }
  })
})

t.test('a long line that does not belong is no limit', async t => {
  const file = new TestFile(t, `${'c'.repeat(MIB + 1)}\n    a\n    b\nc\n`)
  t.match(read(file, { aroundLine: 2, maxLevels: 1, maxLines: 3 }), { startLine: 2, truncatedBy: 'bytes' })
  file.write(`x\n    ${'c'.repeat(MIB + 1)}\n        a\n            b\n`)
  t.match(read(file, { aroundLine: 4, maxLevels: 1 }), { startLine: 3, endLine: 4, truncatedBy: null })
})

t.test('content counts, not raw bytes', async t => {
  const file = new TestFile(t, Buffer.from(`\uFEFFa\n${'c'.repeat(MIB - 4)}\nb\n`, 'utf16le'))
  for (const aroundLine of [1, 2, 3]) {
    const page = read(file, { aroundLine, includeSiblings: true })
    t.match(page, { startLine: 1, endLine: 3, contentBytes: MIB, truncatedBy: null }, `${aroundLine}`)
  }
  file.write(Buffer.from(`\uFEFF${'界'.repeat(349_526)}`, 'utf16le'))
  t.match(problemOf(() => read(file, { aroundLine: 1 })), { members: { reason: 'line-too-long', line: 1, startByte: 2 } })
})
