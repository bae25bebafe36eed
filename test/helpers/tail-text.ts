/**
 * Text as a tail shows it, decoded naively: one character after the other, each found by trying. It goes on from
 * any place, also where a flush has left the half of a character behind.
 */

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be'

export interface TailText {
  endByte: number
  content: string
  replacements: number
}

interface Character { bytes: number, text: string, replaced: boolean }

const MARKS: [Encoding, Buffer][] = [
  ['utf-8', Buffer.from('EFBBBF', 'hex')], ['utf-16le', Buffer.from('FFFE', 'hex')], ['utf-16be', Buffer.from('FEFF', 'hex')]
]

/** Every beginning of the UTF-8 form of a character that is not yet the whole. */
const PREFIXES = new Set<string>()
// The low six bits of a code point are in its last byte alone.
for (let codePoint = 0x80; codePoint <= 0x10FFFF; codePoint += 0x40) {
  if (codePoint >= 0xD800 && codePoint <= 0xDFFF) continue
  const bytes = Buffer.from(String.fromCodePoint(codePoint))
  for (let length = 1; length < bytes.length; length++) PREFIXES.add(bytes.toString('latin1', 0, length))
}

export function markOf (bytes: Buffer): { encoding: Encoding, markBytes: number } {
  const mark = MARKS.find(([, mark]) => bytes.subarray(0, mark.length).equals(mark))
  return mark ? { encoding: mark[0], markBytes: mark[1].length } : { encoding: 'utf-8', markBytes: 0 }
}

/** What a new cursor at `from=end` begins with: the place before an incomplete last character. */
export function endOf (bytes: Buffer): number {
  let byte = 0
  for (;;) {
    const { endByte } = pageOf(bytes, byte, 32_768, false)
    if (endByte === byte) return byte
    byte = endByte
  }
}

/** The page that begins at a byte. */
export function pageOf (bytes: Buffer, startByte: number, maxBytes: number, flush: boolean): TailText {
  const page = { endByte: startByte, content: '', replacements: 0 }
  for (;;) {
    const next = nextAt(bytes, page.endByte, flush)
    if (next === null) return page
    const contentBytes = Buffer.byteLength(page.content + next.text)
    if (page.content !== '' && (next.endByte > startByte + maxBytes || contentBytes > maxBytes)) return page
    page.endByte = next.endByte
    page.content += next.text
    if (next.replaced) page.replacements++
    if (next.endByte > startByte + maxBytes || contentBytes > maxBytes) return page
  }
}

/** What a page leaves. */
export function restOf (bytes: Buffer, endByte: number, flush: boolean): { more: boolean, heldBytes: number } {
  const more = nextAt(bytes, endByte, flush) !== null
  return { more, heldBytes: more ? 0 : bytes.length - endByte }
}

/** The next character, with a mark before it; null if there is none, or it is held. */
function nextAt (bytes: Buffer, byte: number, flush: boolean): Character & { endByte: number } | null {
  if (byte === 0 && !flush && MARKS.some(([, mark]) => isBeginning(bytes, mark))) return null
  const { encoding, markBytes } = markOf(bytes)
  const from = byte === 0 ? markBytes : byte
  if (from >= bytes.length) return null
  const character = encoding === 'utf-8' ? utf8At(bytes, from) : utf16At(bytes, from, encoding)
  if (character === null && !flush) return null
  const { bytes: length, text, replaced } = character ?? { bytes: bytes.length - from, text: '\uFFFD', replaced: true }
  return { bytes: length, text, replaced, endByte: from + length }
}

function isBeginning (bytes: Buffer, mark: Buffer): boolean {
  return bytes.length < mark.length && mark.subarray(0, bytes.length).equals(bytes)
}

function utf8At (bytes: Buffer, at: number): Character | null {
  for (let length = 1; length <= 4; length++) {
    const candidate = bytes.subarray(at, at + length)
    if (candidate.length < length) return null
    const text = candidate.toString()
    if (Buffer.from(text).equals(candidate)) return { bytes: length, text, replaced: false }
    // The maximal subpart: as far as it could still have become a character.
    if (!PREFIXES.has(candidate.toString('latin1'))) return { bytes: Math.max(1, length - 1), text: '\uFFFD', replaced: true }
  }
  throw new Error('no prefix has four bytes')
}

function utf16At (bytes: Buffer, at: number, encoding: 'utf-16le' | 'utf-16be'): Character | null {
  // The rest of a unit whose first byte was flushed.
  if (at % 2 === 1) return { bytes: 1, text: '\uFFFD', replaced: true }
  const units = [at, at + 2].filter(at => at + 2 <= bytes.length)
    .map(at => encoding === 'utf-16le' ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at))
  const [first, second] = units
  if (first === undefined) return null
  if (first >= 0xDC00 && first <= 0xDFFF) return { bytes: 2, text: '\uFFFD', replaced: true }
  if (first < 0xD800 || first > 0xDFFF) return { bytes: 2, text: String.fromCharCode(first), replaced: false }
  if (second === undefined) return null
  return second >= 0xDC00 && second <= 0xDFFF
    ? { bytes: 4, text: String.fromCharCode(first, second), replaced: false }
    : { bytes: 2, text: '\uFFFD', replaced: true }
}
