import type { Encoding } from '../../src/text/encoding.js'

/**
 * The text of a file by the plainest means: all of it in memory, one character after the other, what is well formed
 * being told by TextDecoder. What the readers do in chunks is compared with this.
 */
export interface OracleText {
  encoding: Encoding
  /** Past the byte order mark. */
  textStart: number
  size: number
  characters: OracleCharacter[]
}

/** A code point, or what stands for a malformed sequence, and its raw bytes [start, end). */
export interface OracleCharacter {
  text: string
  start: number
  end: number
  malformed: boolean
  /** The file ends in the middle of it: more bytes could make it a character. */
  cut: boolean
}

const MARKS: [string, Encoding][] = [['efbbbf', 'utf-8'], ['fffe', 'utf-16le'], ['feff', 'utf-16be']]

export function textOf (bytes: Buffer): OracleText {
  const [mark, encoding] = MARKS.find(([mark]) => bytes.toString('hex').startsWith(mark)) ?? ['', 'utf-8' as const]
  const textStart = mark.length / 2
  return { encoding, textStart, size: bytes.length, characters: charactersOf(encoding, bytes, textStart) }
}

/** The characters of bytes [from, end of file); in UTF-16 units are counted from `from`. */
export function charactersOf (encoding: Encoding, bytes: Buffer, from = 0): OracleCharacter[] {
  const characters: OracleCharacter[] = []
  for (let start = from; start < bytes.length;) {
    const { text, length, cut } = encoding === 'utf-8' ? utf8At(bytes, start) : utf16At(encoding, bytes, start)
    characters.push({ text: text ?? '\uFFFD', start, end: start + length, malformed: text === null, cut })
    start += length
  }
  return characters
}

interface Sequence { text: string | null, length: number, cut: boolean }

/** What is at a place depends on the next four bytes, or fewer at the end. */
const seen = new Map<string, Sequence>()

function utf8At (bytes: Buffer, start: number): Sequence {
  const next = bytes.subarray(start, start + 4)
  const key = next.toString('latin1')
  const known = seen.get(key) ?? utf8Sequence(next)
  seen.set(key, known)
  return known
}

function utf8Sequence (bytes: Buffer): Sequence {
  for (let length = 1; length <= bytes.length; length++) {
    const text = wellFormed(bytes.subarray(0, length))
    if (text !== null) return { text, length, cut: false }
  }
  // A maximal subpart: the longest beginning of some character, or else one byte.
  let length = bytes.length
  while (length > 0 && !isPending(bytes.subarray(0, length))) length--
  return { text: null, length: Math.max(1, length), cut: length === bytes.length }
}

function wellFormed (bytes: Buffer): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return [...text].length === 1 ? text : null
  } catch {
    return null
  }
}

function isPending (bytes: Buffer): boolean {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true }) === ''
}

function utf16At (encoding: Encoding, bytes: Buffer, start: number): Sequence {
  const rest = bytes.length - start
  if (rest === 1) return { text: null, length: 1, cut: true }
  const unit = (at: number) => encoding === 'utf-16le' ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at)
  const first = unit(start)
  if (first < 0xD800 || first > 0xDFFF) return { text: String.fromCharCode(first), length: 2, cut: false }
  if (first > 0xDBFF) return { text: null, length: 2, cut: false }
  if (rest < 4) return { text: null, length: rest, cut: true }
  const second = unit(start + 2)
  if (second < 0xDC00 || second > 0xDFFF) return { text: null, length: 2, cut: false }
  return { text: String.fromCharCode(first, second), length: 4, cut: false }
}

export function joined (characters: OracleCharacter[]): string {
  return characters.map(character => character.text).join('')
}

export function countMalformed (characters: OracleCharacter[]): number {
  return characters.filter(character => character.malformed).length
}
