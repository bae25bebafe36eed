import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { readBlock, type BlockPage } from '../../src/pages/block.js'
import { expectedBlock, type BlockAsked } from '../helpers/oracle-block.js'
import { anyFile, anyReading } from '../helpers/oracle-files.js'
import { expectedLines, linesOf } from '../helpers/oracle-lines.js'
import { joined, textOf } from '../helpers/oracle.js'
import { TestFile, contentOf, makeReading, problemOf, type ReadingOptions } from '../helpers/reading.js'

interface Read { page: BlockPage, content: string }

function read (file: TestFile, asked: BlockAsked, options: ReadingOptions = {}): Read {
  return file.read(open => {
    const page = readBlock(open, { path: 'file', ...asked }, makeReading(options))
    return { page, content: contentOf(page) }
  })
}

/** Checks a page, or the refusal, against the rule. */
function check (file: TestFile, bytes: Buffer, asked: BlockAsked, options: ReadingOptions): void {
  file.write(bytes)
  const text = textOf(bytes)
  const lines = linesOf(text).map(line => joined(line.characters))
  if (asked.aroundLine > lines.length) {
    const { code, members } = problemOf(() => read(file, asked, options))
    assert.deepEqual({ code, members }, {
      code: 'READ_LIMIT_EXCEEDED', members: { reason: 'line-out-of-range', totalLines: lines.length }
    })
    return
  }
  const { first, last, full } = expectedBlock(lines, asked)
  const expected = expectedLines(text, { startLine: first, maxLines: last - first + 1 })
  assert.ok('page' in expected)
  const { page: { nextAt, contentBytes, ...page }, content } = read(file, asked, options)
  const truncatedBy = full ? 'lines' : null
  assert.deepEqual({ page, content }, {
    content: expected.content, page: { ...expected.page, truncatedBy, aroundLine: asked.aroundLine }
  })
  assert.equal(nextAt !== null, page.truncated)
}

const indent = fc.oneof(
  { arbitrary: fc.constantFrom('', '    ', '        ', '            ', '\t', '\t\t', '  \t'), weight: 5 },
  { arbitrary: fc.string({ unit: fc.constantFrom(' ', '\t', '\r'), maxLength: 6 }), weight: 1 })
const rest = fc.oneof(
  { arbitrary: fc.constantFrom('x', 'def f():', 'return é', '}'), weight: 5 },
  { arbitrary: fc.constantFrom('# c', '// c', '-- c', '/* c', '* c', "'''c", '"""c', '/ x', '-', "''", '#'), weight: 2 },
  { arbitrary: fc.constantFrom('', '\r', '\u00A0', '\f', '\uFEFF'), weight: 2 })
const line = fc.tuple(indent, rest).map(parts => parts.join(''))
const code = fc.tuple(fc.array(line, { maxLength: 30, size: 'max' }), fc.constantFrom('\n', '\r\n'), fc.boolean())
  .map(([lines, lineEnd, ends]) => lines.join(lineEnd) + (ends ? lineEnd : ''))
const encoded = fc.tuple(code, fc.constantFrom('utf8', 'bom', 'le', 'be')).map(([text, form]) => {
  if (form === 'utf8') return Buffer.from(text)
  if (form === 'bom') return Buffer.from(`\uFEFF${text}`)
  const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le')
  return form === 'le' ? bytes : bytes.swap16()
})
const asked = fc.record({
  aroundLine: fc.integer({ min: 1, max: 32 }),
  maxLevels: fc.oneof(fc.nat(3), fc.constant(Number.MAX_SAFE_INTEGER)),
  includeSiblings: fc.boolean(),
  includeHeader: fc.boolean(),
  maxLines: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 500 }))
})

t.test('random code, against the rule of the contract', async t => {
  const file = new TestFile(t)
  fc.assert(fc.property(encoded, asked, anyReading, (bytes, asked, options) => {
    check(file, bytes, asked, options)
  }), { numRuns: 2500 })
})

t.test('any file', async t => {
  const file = new TestFile(t)
  fc.assert(fc.property(anyFile, asked, anyReading, (bytes, asked, options) => {
    check(file, bytes, asked, options)
  }), { numRuns: 500 })
})

t.test('a blank line takes its indent from far above', async t => {
  const file = new TestFile(t)
  const blanks = fc.constantFrom('\n', ' \n', '\t\r\n', ' '.repeat(40) + '\n')
  const form = fc.constantFrom('utf8' as const, 'utf16le' as const)
  const above = fc.constantFrom('', '        text\n', 'top\n        ਊ text\n', '    ਉ\n')
  fc.assert(fc.property(blanks, above, form, asked, anyReading, (blank, above, form, asked, options) => {
    const mark = form === 'utf8' ? '' : '\uFEFF'
    const text = `${mark}${above}${blank.repeat(2500)}  end\n`
    check(file, Buffer.from(text, form), { ...asked, aroundLine: 2500 - asked.aroundLine }, options)
    check(file, Buffer.from(text, form), { ...asked, aroundLine: 2503 - asked.aroundLine }, options)
  }), { numRuns: 25 })
  // The indent of 8 far above keeps `end` out: chunk by chunk, the scan backwards must not lose the step of the units.
  const text = `\uFEFFtop\n        ਊ text\n${' \n'.repeat(900)}  end\n`
  const block = { aroundLine: 902, maxLevels: 1, includeSiblings: true, includeHeader: true, maxLines: 9 }
  for (const chunkBytes of [4, 5, 6, 7, 9]) check(file, Buffer.from(text, 'utf16le'), block, { chunkBytes })
})
