import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { parseAt } from '../../src/pages/at-token.js'
import { readCharacters, type CharactersPage, type CharactersQuery } from '../../src/pages/characters.js'
import { countMalformed, joined, textOf, type OracleText } from '../helpers/oracle.js'
import { FILES, anyReading, around } from '../helpers/oracle-files.js'
import { TestFile, contentOf, makeReading, type ReadingOptions } from '../helpers/reading.js'

const PATH = 'file'
const MAX_CONTENT_BYTES = 32_768

type Asked = Omit<CharactersQuery, 'path'>
interface Read { page: CharactersPage, content: string }

function read (file: TestFile, asked: Asked, options: ReadingOptions = {}): Read {
  return file.read(open => {
    const page = readCharacters(open, { path: PATH, ...asked }, makeReading(options))
    return { page, content: contentOf(page) }
  })
}

/** The page that contract 4.2 wants, without `nextAt` and `contentBytes`. */
function expectedPage ({ characters, encoding, size }: OracleText, { offsetChars, limitChars }: Asked) {
  const wanted = characters.slice(offsetChars, offsetChars + limitChars)
  let bytes = 0
  const over = wanted.findIndex(({ text }) => (bytes += Buffer.byteLength(text)) > MAX_CONTENT_BYTES)
  const taken = over === -1 ? wanted : wanted.slice(0, over)
  const endChars = offsetChars + taken.length
  const truncated = endChars < characters.length
  return {
    content: joined(taken),
    page: {
      unit: 'chars',
      encoding,
      startByte: offsetChars === 0 ? 0 : taken[0]?.start ?? size,
      endByte: taken.at(-1)?.end ?? size,
      replacements: countMalformed(taken),
      offsetChars,
      endChars,
      charCount: taken.length,
      truncated,
      truncatedBy: truncated ? (taken.length === limitChars ? 'chars' : 'bytes') : null,
      nextOffsetChars: truncated ? endChars : null,
      totalChars: truncated ? null : characters.length
    }
  }
}

function checkPage ({ page, content }: Read, expected: ReturnType<typeof expectedPage>): void {
  const { nextAt, contentBytes, ...members } = page
  assert.deepEqual({ page: members, content }, expected)
  assert.equal(nextAt !== null, page.truncated)
}

const asked = fc.record({ offsetChars: around(0, Number.MAX_SAFE_INTEGER), limitChars: around(1, 32_768) })

for (const [name, files] of Object.entries(FILES)) {
  t.test(`${name}: a page is the one of the oracle`, async t => {
    const file = new TestFile(t)
    fc.assert(fc.property(files, asked, anyReading, (bytes, asked, options) => {
      file.write(bytes)
      checkPage(read(file, asked, options), expectedPage(textOf(bytes), asked))
    }), { numRuns: 500 })
  })

  t.test(`${name}: pages tile the file`, async t => {
    const file = new TestFile(t)
    const paging = fc.record({ limitChars: fc.constantFrom(1, 2, 7, 500), withAt: fc.boolean() })
    fc.assert(fc.property(files, paging, anyReading, (bytes, { limitChars, withAt }, options) => {
      file.write(bytes)
      const text = textOf(bytes)
      const sum = { endByte: 0, content: '', replacements: 0 }
      let next: Asked | null = { offsetChars: 0, limitChars }
      while (next !== null) {
        const one: Read = read(file, next, options)
        checkPage(one, expectedPage(text, next))
        assert.equal(one.page.startByte, sum.endByte)
        sum.endByte = one.page.endByte
        sum.content += one.content
        sum.replacements += one.page.replacements
        const { nextOffsetChars: offsetChars, nextAt } = one.page
        const at = offsetChars !== null && withAt ? { at: parseAt(nextAt!, PATH, 'char', offsetChars) } : {}
        next = offsetChars === null ? null : { offsetChars, limitChars, ...at }
      }
      const replacements = countMalformed(text.characters)
      assert.deepEqual(sum, { endByte: text.size, content: joined(text.characters), replacements })
    }), { numRuns: 100 })
  })
}

t.test('pages across real chunks and the bound of bytes', async t => {
  const file = new TestFile(t)
  const shift = fc.constantFrom('', 'a', 'é', '€')
  const pattern = fc.constantFrom('😀', 'é', '界x', '\xFF', 'a\xE2\x82', 'abc')
  fc.assert(fc.property(shift, pattern, fc.integer({ min: 65_000, max: 66_000 }), (shift, pattern, offsetChars) => {
    const bytes = Buffer.concat([Buffer.from(shift), Buffer.alloc(300_000, Buffer.from(pattern, /[\x80-\xFF]/.test(pattern) ? 'latin1' : 'utf8'))])
    file.write(bytes)
    const text = textOf(bytes)
    for (const limitChars of [1000, 32_768]) {
      const asked = { offsetChars, limitChars }
      checkPage(read(file, asked), expectedPage(text, asked))
    }
  }), { numRuns: 12 })
})

const table: Record<string, [string | Buffer, Asked, object]> = {
  'a page of the most characters': [`${'a'.repeat(32_768)}tail`, { offsetChars: 0, limitChars: 32_768 }, {
    startByte: 0, endByte: 32_768, endChars: 32_768, truncatedBy: 'chars', nextOffsetChars: 32_768, totalChars: null
  }],
  'and the one behind it': [`${'a'.repeat(32_768)}tail`, { offsetChars: 32_768, limitChars: 32_768 }, {
    content: 'tail', startByte: 32_768, endByte: 32_772, truncated: false, totalChars: 32_772, nextAt: null
  }],
  'a page of the most bytes': ['🙂'.repeat(8193), { offsetChars: 0, limitChars: 32_768 }, {
    charCount: 8192, contentBytes: 32_768, truncatedBy: 'bytes', nextOffsetChars: 8192, endByte: 32_768
  }],
  'what is left of it': ['🙂'.repeat(8193), { offsetChars: 8192, limitChars: 32_768 }, {
    content: '🙂', startByte: 32_768, charCount: 1, truncated: false, totalChars: 8193
  }],
  'both bounds at once are of characters': ['🙂'.repeat(8193), { offsetChars: 0, limitChars: 8192 }, { truncatedBy: 'chars' }],
  'a character is a code point': ['aé🙂z', { offsetChars: 2, limitChars: 1 }, {
    content: '🙂', startByte: 3, endByte: 7, charCount: 1, endChars: 3
  }],
  'a page that ends in one of four bytes': ['aaaaaaaaa😀b\n', { offsetChars: 0, limitChars: 10 }, {
    content: 'aaaaaaaaa😀', endByte: 13, charCount: 10, nextOffsetChars: 10
  }],
  'an empty file': ['', { offsetChars: 0, limitChars: 1 }, {
    content: '', startByte: 0, endByte: 0, endChars: 0, charCount: 0, truncated: false, totalChars: 0
  }],
  'a mark alone': [Buffer.of(0xFE, 0xFF), { offsetChars: 0, limitChars: 1 }, {
    encoding: 'utf-16be', content: '', startByte: 0, endByte: 2, charCount: 0, truncated: false, totalChars: 0
  }],
  'past a mark alone': [Buffer.of(0xFE, 0xFF), { offsetChars: 1, limitChars: 1 }, {
    startByte: 2, endByte: 2, charCount: 0, endChars: 1, totalChars: 0
  }],
  'right at the end': ['é', { offsetChars: 1, limitChars: 5 }, {
    content: '', startByte: 2, endByte: 2, charCount: 0, endChars: 1, truncated: false, totalChars: 1, nextOffsetChars: null
  }],
  'past the end': ['é', { offsetChars: 77, limitChars: 5 }, { startByte: 2, endByte: 2, endChars: 77, totalChars: 1 }],
  'the first character covers the mark': [Buffer.from('\uFEFF\uFEFFx'), { offsetChars: 0, limitChars: 1 }, {
    content: '\uFEFF', startByte: 0, endByte: 6, charCount: 1, nextOffsetChars: 1
  }],
  'what the end of file cuts is one': [Buffer.from('61F09F98', 'hex'), { offsetChars: 1, limitChars: 9 }, {
    content: '\uFFFD', replacements: 1, startByte: 1, endByte: 4, totalChars: 2
  }]
}

for (const [name, [bytes, asked, expected]] of Object.entries(table)) {
  t.test(name, async t => {
    const file = new TestFile(t, bytes)
    for (const chunkBytes of [4, 7, 65_536]) {
      const { page, content } = read(file, asked, { chunkBytes })
      t.match({ ...page, content }, expected, `${chunkBytes}`)
    }
  })
}
