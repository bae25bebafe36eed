import t from 'tap'
import { readLines, type LinesQuery } from '../../src/pages/lines.js'
import { TestFile, contentOf, makeReading, type ReadingOptions } from '../helpers/reading.js'

type Asked = Partial<Omit<LinesQuery, 'path'>>

function read (file: TestFile, asked: Asked = {}, options: ReadingOptions = {}) {
  return file.read(open => {
    const page = readLines(open, { path: 'file', startLine: 1, maxLines: 200, ...asked }, makeReading(options), false)
    return { ...page, content: contentOf(page) }
  })
}

/** Bytes as the tables name them. */
function hex (digits: string): Buffer {
  return Buffer.from(digits.replaceAll(' ', ''), 'hex')
}

const empty = {
  lineCount: 0, content: '', endsWithNewline: false, truncated: false, truncatedBy: null, nextStartLine: null, nextAt: null
}

const small: Record<string, [string | Buffer, Asked, object]> = {
  'an empty file has one empty line': ['', {}, {
    startByte: 0,
    endByte: 0,
    content: '',
    startLine: 1,
    endLine: 1,
    lineCount: 1,
    totalLines: 1,
    endsWithNewline: false,
    truncated: false
  }],
  'an empty file, from line 2': ['', { startLine: 2 }, { ...empty, startByte: 0, endByte: 0, endLine: 1, totalLines: 1 }],
  'a mark alone has one empty line, which covers it': [hex('EF BB BF'), {}, {
    startByte: 0, endByte: 3, content: '', lineCount: 1, totalLines: 1, endsWithNewline: false, replacements: 0
  }],
  'a mark alone, from line 2': [hex('FF FE'), { startLine: 2 }, { ...empty, startByte: 2, endByte: 2, totalLines: 1 }],
  'a final line feed opens no further line': ['a\n', { startLine: 2 }, {
    ...empty, startByte: 2, endByte: 2, startLine: 2, endLine: 1, totalLines: 1
  }],
  'line feeds alone': ['\n\n', {}, { content: '\n', lineCount: 2, totalLines: 2, endsWithNewline: true, endByte: 2 }],
  'the second of them': ['\n\n', { startLine: 2 }, {
    content: '', lineCount: 1, startByte: 1, endByte: 2, endsWithNewline: true
  }],
  'behind them': ['\n\n', { startLine: 3 }, { ...empty, startByte: 2, endByte: 2, endLine: 2, totalLines: 2 }],
  'past the end of a file without a final line feed': ['a\nb', { startLine: 9 }, {
    ...empty, startByte: 3, endByte: 3, startLine: 9, endLine: 8, totalLines: 2
  }],
  'as far past the end as can be asked': ['a\n', { startLine: Number.MAX_SAFE_INTEGER }, {
    ...empty, startByte: 2, totalLines: 1
  }],
  'two marks leave one U+FEFF': [hex('EF BB BF EF BB BF 61'), {}, {
    encoding: 'utf-8', startByte: 0, endByte: 7, content: '\uFEFFa', replacements: 0
  }],
  'malformed bytes and NUL': [hex('61 0A FF 00 E2 82'), { startLine: 2 }, {
    content: '\uFFFD\0\uFFFD', replacements: 2, startByte: 2, endByte: 6, endsWithNewline: false
  }],
  'a U+FFFD that the file holds is no replacement': [hex('EF BF BD 0A'), {}, { content: '\uFFFD', replacements: 0 }],
  'CR is kept and ends no line': ['a\r\nb\rc\u2028d\u0085', {}, { content: 'a\r\nb\rc\u2028d\u0085', lineCount: 2 }],
  'no mark, no beginning of one': [hex('EF BB'), {}, { encoding: 'utf-8', content: '\uFFFD', replacements: 1, endByte: 2 }],
  'a byte 0A is no line feed in UTF-16': [Buffer.from('\uFEFF上一\n\u0A06一\nB', 'utf16le'), {}, {
    encoding: 'utf-16le', content: '上一\n\u0A06一\nB', lineCount: 3, totalLines: 3, replacements: 0, endByte: 16
  }],
  'nor in big endian': [Buffer.from('\uFEFF上一\n\u0A06一\nB', 'utf16le').swap16(), { startLine: 2, maxLines: 1 }, {
    encoding: 'utf-16be', content: '\u0A06一', startByte: 8, endByte: 14, nextStartLine: 3, truncatedBy: 'lines', totalLines: null
  }],
  'a lone surrogate, and a high one with an odd byte': [hex('FF FE 00 DC 0A 00 00 D8 41'), {}, {
    content: '\uFFFD\n\uFFFD', replacements: 2, lineCount: 2, endByte: 9
  }],
  'the middle': ['1\n2\n3\n4\n', { startLine: 2, maxLines: 2 }, {
    content: '2\n3',
    startByte: 2,
    endByte: 6,
    startLine: 2,
    endLine: 3,
    endsWithNewline: true,
    truncated: true,
    truncatedBy: 'lines',
    nextStartLine: 4,
    totalLines: null
  }],
  'a clipped line': ['Жé文Ωßtail', { maxLineBytes: 8 }, {
    content: 'Жé文',
    endsWithNewline: false,
    endByte: 15,
    truncated: false,
    clippedLines: [{ line: 1, lineBytes: 15, omittedStart: 7, omittedEnd: 14, omittedBytes: 8 }]
  }],
  'a line clipped to nothing': ['😀\nb\n', { maxLineBytes: 3 }, {
    content: '\nb',
    lineCount: 2,
    endByte: 7,
    clippedLines: [{ line: 1, lineBytes: 4, omittedStart: 0, omittedEnd: 3, omittedBytes: 4 }]
  }],
  'a line of exactly the clip is whole, its line feed not counted': ['abc\nabcd\n', { maxLineBytes: 3 }, {
    content: 'abc\nabc', clippedLines: [{ line: 2, lineBytes: 4, omittedStart: 7, omittedEnd: 7, omittedBytes: 1 }]
  }],
  'the mark is not part of line 1': [hex('EF BB BF 61 62 63 0A'), { maxLineBytes: 2 }, {
    startByte: 0, content: 'ab', clippedLines: [{ line: 1, lineBytes: 3, omittedStart: 5, omittedEnd: 5, omittedBytes: 1 }]
  }],
  'lone surrogates, clipped, however chunks cut them': [hex('FF FE 00 D8 00 D8 00 DC 00 D8 00 D8 00 D8 00 D8'), { maxLineBytes: 12 }, {
    content: '\uFFFD\u{10000}\uFFFD\uFFFD\uFFFD',
    replacements: 4,
    clippedLines: [{ line: 1, lineBytes: 14, omittedStart: 14, omittedEnd: 15, omittedBytes: 2 }]
  }],
  'replacements of what is omitted do not count': [hex('FF 61 FF 0A'), { maxLineBytes: 2 }, { content: '\uFFFDa', replacements: 1 }]
}

for (const [name, [bytes, asked, expected]] of Object.entries(small)) {
  t.test(name, async t => {
    const file = new TestFile(t, bytes)
    for (const chunkBytes of [4, 5, 6, 7, 65_536]) t.match(read(file, asked, { chunkBytes }), expected, `${chunkBytes}`)
  })
}
