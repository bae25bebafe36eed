import type { Encoding } from './encoding.js'

/** The longest character in any of the encodings, in bytes. */
export const MAX_CHARACTER_BYTES = 4

/**
 * Looks at the character that starts at `from` in source[from, to).
 *
 * Returns its length in bytes if it is well formed; minus the length of the malformed sequence (a maximal subpart,
 * or a lone surrogate) if it is not; 0 if the bytes up to `to` are a proper prefix of a well-formed character, so
 * that only what follows `to` can tell. `from` must be below `to`.
 * @see https://encoding.spec.whatwg.org/#utf-8-decoder
 * @see https://encoding.spec.whatwg.org/#shared-utf-16-decoder
 */
export function classify (encoding: Encoding, source: Uint8Array, from: number, to: number): number {
  return encoding === 'utf-8' ? classifyUtf8(source, from, to) : classifyUtf16(encoding, source, from, to)
}

function classifyUtf8 (source: Uint8Array, from: number, to: number): number {
  const lead = source[from]!
  if (lead < 0x80) return 1
  if (lead < 0xC2 || lead > 0xF4) return -1
  if (from + 1 >= to) return 0
  // The second byte alone tells overlong forms, surrogates and what lies past U+10FFFF.
  const second = source[from + 1]!
  const lowest = lead === 0xE0 ? 0xA0 : lead === 0xF0 ? 0x90 : 0x80
  const highest = lead === 0xED ? 0x9F : lead === 0xF4 ? 0x8F : 0xBF
  if (second < lowest || second > highest) return -1
  const length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
  for (let index = 2; index < length; index++) {
    if (from + index >= to) return 0
    if ((source[from + index]! & 0xC0) !== 0x80) return -index
  }
  return length
}

function classifyUtf16 (encoding: Encoding, source: Uint8Array, from: number, to: number): number {
  if (to - from < 2) return 0
  const high = encoding === 'utf-16le' ? 1 : 0
  const kind = source[from + high]! & 0xFC
  if (kind === 0xDC) return -2
  if (kind !== 0xD8) return 2
  if (to - from < 4) return 0
  return (source[from + 2 + high]! & 0xFC) === 0xDC ? 4 : -2
}

/**
 * How many bytes at the end of source[from, to) are a proper prefix of a well-formed character: 0 to 3.
 * Characters must start at `from`, and in UTF-16 units are counted from it.
 */
export function incompleteSuffix (encoding: Encoding, source: Uint8Array, from: number, to: number): number {
  if (encoding !== 'utf-8') {
    const odd = (to - from) % 2
    const lastUnit = to - odd - 2
    if (lastUnit >= from && classify(encoding, source, lastUnit, to) === 0) return to - lastUnit
    return odd
  }
  for (let index = to - 1; index >= Math.max(from, to - 3); index--) {
    // A byte that continues nothing is where the last sequence starts; no earlier byte can reach past it.
    if ((source[index]! & 0xC0) !== 0x80) return classifyUtf8(source, index, to) === 0 ? to - index : 0
  }
  return 0
}

/** The code points in valid UTF-8. */
export function countCodePoints (utf8: Uint8Array): number {
  let count = 0
  for (let index = 0; index < utf8.length; index++) if ((utf8[index]! & 0xC0) !== 0x80) count++
  return count
}
