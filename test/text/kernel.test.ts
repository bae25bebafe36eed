import fc from 'fast-check'
import t from 'tap'
import type { Encoding } from '../../src/text/encoding.js'
import { CHUNK_BYTES } from '../../src/text/kernel.js'
import { checkSeeks, EDGE_BYTES, ENCODINGS, KERNELS, put } from './kernel-oracle.js'

const EDGE_UNITS = ['\n', 'a', '\u0A00', '\u0A0A', '\u000D', '\uD800', '\uDBFF', '\uDC00', '\uDFFF', '\uE000', '\uD7FF']

const character = fc.oneof(
  fc.constantFrom('\n', 'a', 'é', '\u07FF', '\u0800', '漢', '\uFEFF', '\uFFFD', '\uFFFF', '𐀀', '🙂', '\u{10FFFF}'),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  fc.string({ unit: 'grapheme-ascii', maxLength: 70 }))

const utf8Piece = {
  valid: character.map(text => Buffer.from(text)),
  truncated: fc.tuple(character, fc.nat(3)).map(([text, n]) => Buffer.from(text).subarray(0, n)),
  edge: fc.constantFrom(...EDGE_BYTES).map(byte => Buffer.of(byte)),
  random: fc.uint8Array({ maxLength: 20 }).map(bytes => Buffer.from(bytes))
}

function utf16Piece (swap: boolean): fc.Arbitrary<Buffer> {
  const text = fc.oneof(character, fc.constantFrom(...EDGE_UNITS), fc.constantFrom(...EDGE_UNITS))
  return text.map(units => swap ? Buffer.from(units, 'utf16le').swap16() : Buffer.from(units, 'utf16le'))
}

const odd = fc.constantFrom(Buffer.alloc(0), Buffer.of(0xD8), Buffer.of(0x0A))

const small: Record<string, [Encoding, fc.Arbitrary<Buffer>]> = {
  'valid UTF-8': ['utf-8', joined(utf8Piece.valid)],
  'mostly valid UTF-8': ['utf-8', joined(fc.oneof({ arbitrary: utf8Piece.valid, weight: 9 }, utf8Piece.truncated))],
  'any bytes as UTF-8': ['utf-8', joined(fc.oneof(...Object.values(utf8Piece)))],
  'UTF-16LE': ['utf-16le', fc.tuple(joined(utf16Piece(false)), odd).map(all => Buffer.concat(all))],
  'UTF-16BE': ['utf-16be', fc.tuple(joined(utf16Piece(true)), odd).map(all => Buffer.concat(all))]
}

function joined (piece: fc.Arbitrary<Buffer>): fc.Arbitrary<Buffer> {
  return fc.array(piece, { maxLength: 150, size: 'max' }).map(pieces => Buffer.concat(pieces))
}

const noise = fc.constantFrom(0x0A, 0x80, 0xE2, 0xF0, 0xD8, 0xDC, 0)
const counts = fc.tuple(fc.nat(20), fc.nat(300), fc.nat(CHUNK_BYTES))
  .map(some => [0, 1, ...some, CHUNK_BYTES, Number.MAX_SAFE_INTEGER])

for (const [name, [encoding, arbitrary]] of Object.entries(small)) {
  t.test(name, async () => {
    fc.assert(fc.property(arbitrary, fc.nat(99), noise, counts, (bytes, from, noise, counts) => {
      checkSeeks(encoding, { from, bytes, noise }, counts)
    }), { numRuns: 400 })
  })

  t.test(`${name}, up to a whole chunk`, async () => {
    const size = fc.oneof(fc.constant(CHUNK_BYTES), fc.integer({ min: 2000, max: CHUNK_BYTES }))
    fc.assert(fc.property(arbitrary, size, fc.boolean(), noise, counts, (pattern, size, atEnd, noise, counts) => {
      const bytes = pattern.length === 0 ? Buffer.alloc(size) : Buffer.alloc(size, pattern)
      checkSeeks(encoding, { from: atEnd ? CHUNK_BYTES - size : 0, bytes, noise }, counts)
    }), { numRuns: 25 })
  })
}

t.test('all sizes around vector blocks, at the end of the input', async () => {
  for (const encoding of ENCODINGS) {
    for (const text of ['\n', 'é\n', '🙂', 'x']) {
      for (let size = 0; size <= 140; size++) {
        const all = Buffer.from(text.repeat(140), encoding === 'utf-8' ? 'utf8' : 'utf16le')
        const bytes = (encoding === 'utf-16be' ? all.swap16() : all).subarray(0, size)
        checkSeeks(encoding, { from: CHUNK_BYTES - size, bytes, noise: 0x0A }, [0, 1, 16, 17, 64, size])
      }
    }
  }
})

function checkEscape (text: string): void {
  const bytes = Buffer.from(text)
  const expected = Buffer.from(JSON.stringify(text).slice(1, -1))
  for (const [name, kernel] of Object.entries(KERNELS)) {
    put(kernel, { from: 0, bytes, noise: 0x22 })
    if (!expected.equals(kernel.escapeJson(bytes.length))) throw new Error(`${name} escapes ${JSON.stringify(text)}`)
  }
}

t.test('escapes as JSON.stringify', async () => {
  const special = fc.constantFrom('"', '\\', '\n', '\r\n', '\t', '\b', '\f', '\0', '\x1F', '\x7F', '\u2028', '/')
  const text = fc.array(fc.oneof(special, character), { maxLength: 200, size: 'max' })
    .map(parts => Buffer.from(parts.join('')).toString())
  fc.assert(fc.property(text, checkEscape), { numRuns: 400 })
  fc.assert(fc.property(text, text => {
    const repeated = Buffer.alloc(CHUNK_BYTES, text === '' ? 'x' : text).toString()
    checkEscape(Buffer.from(repeated).subarray(0, CHUNK_BYTES).toString().replace(/\uFFFD+$/, ''))
  }), { numRuns: 25 })
  for (let code = 0; code < 0x100; code++) checkEscape('x'.repeat(code % 16) + String.fromCharCode(code) + 'x')
  for (let size = 0; size < 70; size++) for (const char of ['"', '\0', 'x']) checkEscape(char.repeat(size))
  checkEscape('\x01'.repeat(CHUNK_BYTES))
})
