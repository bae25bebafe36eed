import { isUtf8 } from 'node:buffer'
import { classify, incompleteSuffix } from './characters.js'
import { unitAt, type Encoding } from './encoding.js'

/** What to decode. Characters start at `from`; in UTF-16 units are counted from it. */
export interface TranscodeInput {
  encoding: Encoding
  source: Uint8Array
  from: number
  /** The end of the bytes that may be looked at. */
  to: number
  /** Characters must end at or before this index (≤ `to`); the bytes after it only tell what a sequence is. */
  limit: number
  /** Nothing follows `to`: a sequence that it cuts is malformed, not incomplete. */
  final: boolean
}

export interface TranscodeResult {
  /** The index in `source` up to which `written` bytes represent it. */
  position: number
  /** Bytes of UTF-8 put into `output`. */
  written: number
  /** U+FFFD that were inserted for malformed sequences. */
  replacements: number
  /** It stopped because the next character would have passed `maxBytes`. */
  full: boolean
}

/**
 * Decodes whole characters to UTF-8 into `output` from `at` on, as many as fit in `maxBytes`, the limit and the
 * bytes at hand. Malformed sequences become one U+FFFD each (the WHATWG rule). Keeps no state: what was not
 * passed is to be given again, with what follows it.
 * @param maxBytes ≥ 0
 */
export function transcode (input: TranscodeInput, output: Uint8Array, at: number, maxBytes: number): TranscodeResult {
  const result = { position: input.from, written: 0, replacements: 0, full: false }
  if (input.encoding === 'utf-8') copyValid(input, output, at, maxBytes, result)
  while (result.position < input.limit) {
    const from = result.position
    const kind = classify(input.encoding, input.source, from, input.to)
    if (kind === 0 && !input.final) break
    const length = kind > 0 ? kind : kind === 0 ? input.to - from : -kind
    if (from + length > input.limit) break
    const codePoint = kind > 0 ? decodeOne(input.encoding, input.source, from, length) : 0xFFFD
    const bytes = utf8Length(codePoint)
    if (result.written + bytes > maxBytes) {
      result.full = true
      break
    }
    putUtf8(codePoint, output, at + result.written)
    result.written += bytes
    result.position += length
    if (kind <= 0) result.replacements++
  }
  return result
}

/** The fast path: valid UTF-8 is its own decoding. What is left after it, if anything, is for the loop. */
function copyValid (
  input: TranscodeInput, output: Uint8Array, at: number, maxBytes: number, result: TranscodeResult
): void {
  const { source, from } = input
  const end = Math.min(input.limit, from + maxBytes)
  const whole = end - incompleteSuffix('utf-8', source, from, end)
  const bytes = source.subarray(from, whole)
  if (!isUtf8(bytes)) return
  output.set(bytes, at)
  result.position = whole
  result.written = bytes.length
}

function decodeOne (encoding: Encoding, source: Uint8Array, from: number, length: number): number {
  if (encoding === 'utf-8') {
    const lead = source[from]!
    if (length === 1) return lead
    let codePoint = lead & (0x7F >> length)
    for (let index = 1; index < length; index++) codePoint = (codePoint << 6) | (source[from + index]! & 0x3F)
    return codePoint
  }
  const unit = unitAt(encoding, source, from)
  if (length === 2) return unit
  return 0x10000 + ((unit & 0x3FF) << 10) + (unitAt(encoding, source, from + 2) & 0x3FF)
}

function utf8Length (codePoint: number): number {
  return codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4
}

function putUtf8 (codePoint: number, output: Uint8Array, at: number): void {
  if (codePoint < 0x80) {
    output[at] = codePoint
  } else if (codePoint < 0x800) {
    output[at] = 0xC0 | (codePoint >> 6)
    output[at + 1] = 0x80 | (codePoint & 0x3F)
  } else if (codePoint < 0x10000) {
    output[at] = 0xE0 | (codePoint >> 12)
    output[at + 1] = 0x80 | ((codePoint >> 6) & 0x3F)
    output[at + 2] = 0x80 | (codePoint & 0x3F)
  } else {
    output[at] = 0xF0 | (codePoint >> 18)
    output[at + 1] = 0x80 | ((codePoint >> 12) & 0x3F)
    output[at + 2] = 0x80 | ((codePoint >> 6) & 0x3F)
    output[at + 3] = 0x80 | (codePoint & 0x3F)
  }
}
