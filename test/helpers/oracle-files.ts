import fc from 'fast-check'
import { CHUNK_BYTES } from '../../src/text/kernel.js'

/** Bytes at which the table of well-formed UTF-8 changes. */
export const EDGE_BYTES = [
  0x00, 0x0A, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE,
  0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF
]

const character = fc.oneof(
  fc.constantFrom('a', 'é', '€', '😀', '\u07FF', '\u0800', '\uFEFF', '\uFFFD', '\uFFFF', '\u{10FFFF}', '\0', '\u0A0A'),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }))
const lineEnd = fc.constantFrom('\n', '\n', '\r\n', '\r', '\n\n')
const words = fc.string({ unit: 'grapheme-ascii', maxLength: 12 })
const text = fc.oneof(character, lineEnd, words)

const utf8Piece = text.map(text => Buffer.from(text))
const badPiece = fc.oneof(
  fc.tuple(character, fc.nat(3)).map(([text, length]) => Buffer.from(text).subarray(0, length)),
  fc.constantFrom(...EDGE_BYTES).map(byte => Buffer.of(byte)),
  fc.uint8Array({ maxLength: 6 }).map(bytes => Buffer.from(bytes)))

const units = fc.oneof(
  text, text, fc.constantFrom('\uD800', '\uDBFF', '\uDC00', '\uDFFF', '\u0A00', '\u000A', '\uD83D\uDE00', '\uE000'))

const mark = fc.constantFrom('', '', '', 'efbbbf', 'efbbbfefbbbf', 'efbb', 'ef').map(hex => Buffer.from(hex, 'hex'))
const oddEnd = fc.constantFrom('', '', 'd8', '0a', '00').map(hex => Buffer.from(hex, 'hex'))

function concatenated (piece: fc.Arbitrary<Buffer>): fc.Arbitrary<Buffer> {
  return fc.array(piece, { maxLength: 30, size: 'max' }).map(pieces => Buffer.concat(pieces))
}

function utf16 (swap: boolean): fc.Arbitrary<Buffer> {
  const body = fc.array(units, { maxLength: 30, size: 'max' }).map(parts => {
    // The mark goes first, and perhaps once more.
    const bytes = Buffer.from(`\uFEFF${parts.join('')}`, 'utf16le')
    return swap ? bytes.swap16() : bytes
  })
  return fc.tuple(body, oddEnd).map(parts => Buffer.concat(parts))
}

/** Small files of every kind that tells readers apart. */
export const FILES: Record<string, fc.Arbitrary<Buffer>> = {
  'valid UTF-8': fc.tuple(mark.filter(bytes => bytes.length % 3 === 0), concatenated(utf8Piece)).map(parts => Buffer.concat(parts)),
  'any bytes': fc.tuple(mark, concatenated(fc.oneof(utf8Piece, badPiece))).map(parts => Buffer.concat(parts)),
  'UTF-16LE': utf16(false),
  'UTF-16BE': utf16(true)
}

export const anyFile = fc.oneof(...Object.values(FILES))

/** How readers see a file: down to one character at a time, by either kernel. */
export const anyReading = fc.record({
  kernel: fc.constantFrom('wasm' as const, 'plain' as const),
  chunkBytes: fc.constantFrom(4, 5, 6, 7, 8, 11, 16, 33, CHUNK_BYTES)
})

/** A number from `min` on, mostly small, so that it is about as likely inside a small file as past its end. */
export function around (min: number, max: number): fc.Arbitrary<number> {
  return fc.oneof(
    { arbitrary: fc.integer({ min, max: min + 12 }), weight: 3 },
    { arbitrary: fc.integer({ min, max: min + 150 }), weight: 2 },
    { arbitrary: fc.constant(max), weight: 1 })
}
