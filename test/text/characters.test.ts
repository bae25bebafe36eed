import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { classify, countCodePoints, incompleteSuffix } from '../../src/text/characters.js'
import type { Encoding } from '../../src/text/encoding.js'
import { charactersOf } from '../helpers/oracle.js'
import { EDGE_BYTES } from '../helpers/oracle-files.js'

const ENCODINGS: Encoding[] = ['utf-8', 'utf-16le', 'utf-16be']

/** What `classify` is to say of the first character, as the oracle has it. */
function expectedKind (encoding: Encoding, bytes: Buffer): number {
  const { end, cut, malformed } = charactersOf(encoding, bytes)[0]!
  return cut ? 0 : malformed ? -end : end
}

function check (encoding: Encoding, bytes: Buffer): void {
  // Bytes around the range that would matter if they were looked at.
  const source = Buffer.concat([Buffer.of(0xE2), bytes, Buffer.of(0x80, 0xDC)])
  const kind = classify(encoding, source, 1, 1 + bytes.length)
  if (kind !== expectedKind(encoding, bytes)) assert.fail(`${encoding} ${bytes.toString('hex')}: ${kind}`)
}

t.test('every sequence of bytes at which the rule changes', async () => {
  for (const first of EDGE_BYTES) {
    for (const second of EDGE_BYTES) {
      for (const third of EDGE_BYTES) check('utf-8', Buffer.of(first, second, third))
    }
  }
  const continuations = [0x41, 0x7F, 0x80, 0xBF, 0xC0, 0xF0]
  for (const lead of [0xE0, 0xEF, 0xF0, 0xF1, 0xF4]) {
    for (const second of EDGE_BYTES) {
      for (const third of continuations) {
        for (const fourth of continuations) check('utf-8', Buffer.of(lead, second, third, fourth))
      }
    }
  }
})

t.test('a single byte', async () => {
  for (let byte = 0; byte < 0x100; byte++) check('utf-8', Buffer.of(byte))
})

t.test('every pair of bytes', async () => {
  for (let pair = 0; pair < 0x10000; pair++) check('utf-8', Buffer.of(pair >> 8, pair & 0xFF))
})

t.test('every code point', async () => {
  for (let codePoint = 0; codePoint <= 0x10FFFF; codePoint++) {
    if (codePoint >= 0xD800 && codePoint <= 0xDFFF) continue
    const bytes = Buffer.from(String.fromCodePoint(codePoint))
    if (classify('utf-8', bytes, 0, bytes.length) !== bytes.length) assert.fail(codePoint.toString(16))
  }
})

t.test('UTF-16: every unit, alone and before others', async () => {
  const next = ['', '00', 'd800', '00d8', 'dc00', '00dc', '0041', 'd8', 'dc'].map(hex => Buffer.from(hex, 'hex'))
  for (let unit = 0; unit < 0x10000; unit++) {
    for (const rest of unit % 0x100 === 0 || unit >> 8 >= 0xD7 ? next : next.slice(0, 1)) {
      const bytes = Buffer.concat([Buffer.of(unit >> 8, unit & 0xFF), rest])
      check('utf-16be', bytes)
      check('utf-16le', bytes)
    }
  }
})

t.test('an incomplete suffix is what the oracle has as cut', async () => {
  const bytes = fc.array(fc.constantFrom(...EDGE_BYTES, 0xD8, 0xDC, 0xE2, 0x82), { maxLength: 9, size: 'max' })
  fc.assert(fc.property(fc.constantFrom(...ENCODINGS), bytes, (encoding, bytes) => {
    const last = charactersOf(encoding, Buffer.from(bytes)).at(-1)
    const expected = last?.cut ? last.end - last.start : 0
    const source = Buffer.from([0xF0, 0x9F, ...bytes, 0x80])
    assert.equal(incompleteSuffix(encoding, source, 2, 2 + bytes.length), expected)
  }), { numRuns: 20_000 })
})

t.test('code points of valid UTF-8', async () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 100, size: 'max' }), text => {
    assert.equal(countCodePoints(Buffer.from(text)), [...text].length)
  }), { numRuns: 300 })
})

// What the other tests rest on.
t.test('the oracle says what TextDecoder says', async () => {
  fc.assert(fc.property(fc.array(fc.constantFrom(...EDGE_BYTES), { maxLength: 12, size: 'max' }), bytes => {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.from(bytes))
    assert.equal(charactersOf('utf-8', Buffer.from(bytes)).map(character => character.text).join(''), text)
  }), { numRuns: 20_000 })
  fc.assert(fc.property(fc.array(fc.constantFrom(0xD8, 0xDC, 0x41, 0x0A, 0, 0xFF), { maxLength: 12, size: 'max' }), bytes => {
    for (const encoding of ['utf-16le', 'utf-16be'] as const) {
      const swapped = Buffer.from(bytes)
      if (encoding === 'utf-16be') swapped.subarray(0, bytes.length - bytes.length % 2).swap16()
      const text = new TextDecoder('utf-16le', { ignoreBOM: true }).decode(swapped)
      // The odd byte at the end is the same in both; only whether it stands alone matters.
      assert.equal(charactersOf(encoding, Buffer.from(bytes)).map(character => character.text).join(''), text)
    }
  }), { numRuns: 3000 })
})
