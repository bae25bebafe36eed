import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { readBytes, type ByteEncoding, type BytesPage } from '../../src/pages/bytes.js'
import { charactersOf, joined } from '../helpers/oracle.js'
import { expectedBytes, type BytesAsked } from '../helpers/oracle-bytes.js'
import { anyFile, anyReading, around } from '../helpers/oracle-files.js'
import { TestFile, contentOf, makeReading, type ReadingOptions } from '../helpers/reading.js'

interface Read { page: BytesPage, content: string }

function read (file: TestFile, asked: BytesAsked, options: ReadingOptions = {}): Read {
  return file.read(open => {
    const page = readBytes(open, asked, makeReading(options))
    return { page, content: contentOf(page) }
  })
}

function checkPage ({ page, content }: Read, expected: ReturnType<typeof expectedBytes>): void {
  const { contentBytes, ...members } = page
  assert.deepEqual({ page: members, content }, expected)
}

const ENCODINGS: ByteEncoding[] = ['utf-8', 'utf-16le', 'utf-16be', 'base64', 'hex']
const anyEncoding = fc.constantFrom(...ENCODINGS)

t.test('a page is the one of the oracle', async t => {
  const file = new TestFile(t)
  const asked = fc.record({
    offset: around(0, Number.MAX_SAFE_INTEGER), limit: around(1, 1_048_576), encoding: anyEncoding
  })
  fc.assert(fc.property(anyFile, asked, anyReading, (bytes, asked, options) => {
    file.write(bytes)
    checkPage(read(file, asked, options), expectedBytes(bytes, asked))
  }), { numRuns: 2000 })
})

t.test('pages have each byte once, and on text each character', async t => {
  const file = new TestFile(t)
  const limit = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 200 }))
  fc.assert(fc.property(anyFile, limit, anyEncoding, anyReading, (bytes, limit, encoding, options) => {
    file.write(bytes)
    let content = ''
    let next: number | null = 0
    while (next !== null) {
      const offset: number = next
      const one = read(file, { offset, limit, encoding }, options)
      assert.equal(one.page.startByte, offset)
      assert.ok(one.page.endByte > offset || bytes.length === 0, 'progress')
      content += one.content
      next = one.page.nextOffset
      assert.equal(next, one.page.endByte === bytes.length ? null : one.page.endByte)
    }
    if (encoding === 'base64' || encoding === 'hex') {
      if (encoding === 'hex' || limit % 3 === 0) assert.equal(content, bytes.toString(encoding))
    } else {
      const characters = charactersOf(encoding, bytes)
      if (!characters.some(({ malformed }) => malformed)) assert.equal(content, joined(characters))
    }
  }), { numRuns: 600 })
})

t.test('every window of a small text', async t => {
  const bytes = Buffer.from('aé€😀')
  const file = new TestFile(t, bytes)
  let windows = 0
  for (let offset = 0; offset <= 10; offset++) {
    for (let end = offset + 1; end <= 11; end++) {
      windows++
      const asked = { offset, limit: end - offset, encoding: 'utf-8' as const }
      const { page, content } = read(file, asked)
      checkPage({ page, content }, expectedBytes(bytes, asked))
      // Characters start at 0, 1, 3 and 6. A window shows those that lie inside it, or else the next one.
      const whole = [['a', 0, 1], ['é', 1, 3], ['€', 3, 6], ['😀', 6, 10]] as const
      const inside = whole.filter(([, from, to]) => from >= offset && to <= end)
      const shown = inside.length > 0 ? inside : whole.filter(([, from]) => from >= offset).slice(0, 1)
      t.equal(content, shown.map(([text]) => text).join(''), `${offset} to ${end}`)
      t.equal(page.replacements, 0)
    }
  }
  t.equal(windows, 66)
})

t.test('each part of a malformed sequence that an edge cuts is replaced on its own page', async t => {
  // Two lone high surrogates and a U+FEFF; the second is cut.
  const file = new TestFile(t, Buffer.from('FEFFD800D800FEFF', 'hex'))
  const first = read(file, { offset: 2, limit: 3, encoding: 'utf-16be' })
  t.match(first, { content: '\uFFFD\uFFFD', page: { startByte: 2, endByte: 5, replacements: 2 } })
  t.match(read(file, { offset: 5, limit: 3, encoding: 'utf-16be' }), { content: '\uFFFD\uFEFF', page: { replacements: 1 } })
})

t.test('windows across real chunks', async t => {
  const file = new TestFile(t)
  const pattern = anyFile.filter(bytes => bytes.length > 0)
  const offset = fc.nat(9)
  const limit = fc.integer({ min: 131_060, max: 131_080 })
  fc.assert(fc.property(pattern, offset, limit, anyEncoding, (pattern, offset, limit, encoding) => {
    const bytes = Buffer.alloc(140_000, pattern)
    file.write(bytes)
    checkPage(read(file, { offset, limit, encoding }), expectedBytes(bytes, { offset, limit, encoding }))
  }), { numRuns: 25 })
})

t.test('the largest window of the most content', async t => {
  const file = new TestFile(t, Buffer.alloc(1_048_580, 0xFF))
  const { page, content } = read(file, { offset: 1, limit: 1_048_576, encoding: 'utf-8' })
  t.match(page, { contentBytes: 3_145_728, replacements: 1_048_576, startByte: 1, endByte: 1_048_577 })
  t.ok(/^\uFFFD*$/.test(content))
  for (const encoding of ['base64', 'hex'] as const) {
    const expected = Buffer.alloc(1_048_576, 0xFF).toString(encoding)
    t.ok(read(file, { offset: 1, limit: 1_048_576, encoding }).content === expected, encoding)
  }
})

type Row = [hex: string, offset: number, limit: number, expected: object]

const table: Record<string, Row> = {
  'a character behind the window': ['61C3A962', 0, 2, {
    content: 'a', startByte: 0, endByte: 1, trimmedStart: 0, trimmedEnd: 1, nextOffset: 1, byteCount: 1, truncated: true
  }],
  'the next page': ['61C3A962', 1, 2, { content: 'é', startByte: 1, endByte: 3, trimmedEnd: 0, nextOffset: 3 }],
  'the last page': ['61C3A962', 3, 2, { content: 'b', startByte: 3, endByte: 4, nextOffset: null, truncated: false }],
  'malformed bytes': ['61FFFE62', 0, 9, { content: 'a\uFFFD\uFFFDb', replacements: 2, trimmedEnd: 0 }],
  'a beginning at the end of file is data': ['61C3', 0, 2, {
    content: 'a\uFFFD', replacements: 1, endByte: 2, trimmedEnd: 0, nextOffset: null
  }],
  'also when the window ends before it': ['61C3', 0, 1, { content: 'a', replacements: 0, nextOffset: 1 }],
  'the rest of a character': ['E282AC42', 1, 9, { content: 'B', replacements: 0, trimmedStart: 2, startByte: 3, endByte: 4 }],
  'no rest of a character': ['4182AC42', 1, 9, {
    content: '\uFFFD\uFFFDB', replacements: 2, trimmedStart: 0, startByte: 1, endByte: 4
  }],
  'a surrogate in UTF-8 is no character': ['6F6BEDA080', 0, 4, {
    content: 'ok\uFFFD\uFFFD', replacements: 2, trimmedEnd: 0, endByte: 4, nextOffset: 4
  }],
  'a window smaller than its character': ['F09F9880', 0, 1, {
    content: '😀', startByte: 0, endByte: 4, trimmedStart: 0, trimmedEnd: 0, nextOffset: null
  }],
  'a window inside the last character': ['F09F9880', 1, 1, {
    content: '', startByte: 4, endByte: 4, byteCount: 0, nextOffset: null, truncated: false
  }],
  'a window inside a character': ['F09F9880C3A962', 1, 2, {
    content: 'é', startByte: 4, endByte: 6, trimmedStart: 3, trimmedEnd: 0, nextOffset: 6
  }],
  'a window inside a character before a malformed sequence': ['F09F9880E28262', 1, 1, {
    content: '\uFFFD', replacements: 1, startByte: 4, endByte: 6, trimmedStart: 3, nextOffset: 6
  }],
  'a cut malformed sequence is replaced on either side': ['41F09F9841', 0, 3, { content: 'A\uFFFD', replacements: 1, nextOffset: 3 }],
  'its other side': ['41F09F9841', 3, 3, { content: '\uFFFDA', replacements: 1, startByte: 3 }],
  'a U+FFFD of the file': ['EFBFBD', 0, 3, { content: '\uFFFD', replacements: 0 }],
  'a mark is shown': ['EFBBBF61', 0, 9, { content: '\uFEFFa', startByte: 0, replacements: 0 }],
  'past the end': ['6162', 3, 1, { content: '', startByte: 2, endByte: 2, trimmedStart: 0, offset: 3, limit: 1, nextOffset: null }],
  'an empty file': ['', 0, 1, { content: '', startByte: 0, endByte: 0, nextOffset: null, truncated: false }]
}

const utf16Table: Record<string, Row> = {
  'an odd start trims': ['610062006300', 1, 4, { content: 'b', startByte: 2, endByte: 4, trimmedStart: 1, trimmedEnd: 1 }],
  'an odd end trims': ['61006200', 0, 3, { content: 'a', endByte: 2, trimmedEnd: 1, nextOffset: 2 }],
  'a window smaller than a pair': ['61003DD800DE', 2, 1, { content: '😀', startByte: 2, endByte: 6 }],
  'a window between the halves of a pair': ['3DD800DE6100', 2, 2, { content: 'a', startByte: 4, endByte: 6, trimmedStart: 2 }],
  'a mark is shown': ['FFFE6100', 0, 9, { content: '\uFEFFa', startByte: 0 }],
  'half a lone surrogate': ['00DC6100', 1, 3, { content: '\uFFFDa', replacements: 1, startByte: 1, endByte: 4 }],
  'an odd byte at the end': ['610062', 0, 9, { content: 'a\uFFFD', replacements: 1, endByte: 3, nextOffset: null }]
}

for (const [encoding, rows] of [['utf-8', table], ['utf-16le', utf16Table]] as const) {
  for (const [name, [hex, offset, limit, expected]] of Object.entries(rows)) {
    t.test(`${encoding}: ${name}`, async t => {
      const file = new TestFile(t, Buffer.from(hex, 'hex'))
      const { page, content } = read(file, { offset, limit, encoding })
      t.match({ ...page, content }, expected)
    })
  }
}
