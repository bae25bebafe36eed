import type { Encoding } from '../../src/text/encoding.js'
import type { Kernel } from '../../src/text/kernel.js'
import { createPlainKernel } from '../../src/text/plain-kernel.js'
import { createWasmKernel } from '../../src/text/wasm-kernel.js'

// Bytes at which the table of well-formed UTF-8 changes.
export const EDGE_BYTES = [
  0x00, 0x0A, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE,
  0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF
]

export const ENCODINGS: Encoding[] = ['utf-8', 'utf-16le', 'utf-16be']
export const KERNELS: Record<string, Kernel> = { wasm: createWasmKernel(), plain: createPlainKernel() }

export interface Range { from: number, bytes: Buffer, noise: number }
interface Seek { found: number, position: number }

/** Puts the bytes at `from`, the rest being bytes that would matter if they were looked at. */
export function put (kernel: Kernel, { from, bytes, noise }: Range): void {
  kernel.input.fill(noise)
  bytes.copy(kernel.input, from)
}

/** Seeks, and answers relative to `from`. */
export function seek (
  kernel: Kernel, what: 'seekLines' | 'seekChars', encoding: Encoding, range: Range, count: number
): Seek {
  kernel[what](encoding, range.from, range.from + range.bytes.length, count)
  return { found: kernel.found, position: kernel.position - range.from }
}

/** The ends of all lines, looking at one code unit after the other. */
function lineEnds (encoding: Encoding, bytes: Buffer): number[] {
  const ends = []
  if (encoding === 'utf-8') {
    for (let i = 0; i < bytes.length; i++) if (bytes[i] === 0x0A) ends.push(i + 1)
  } else {
    const low = encoding === 'utf-16le' ? 0 : 1
    for (let i = 0; i + 1 < bytes.length; i += 2) {
      if (bytes[i + low] === 0x0A && bytes[i + 1 - low] === 0) ends.push(i + 2)
    }
  }
  return ends
}

/** The ends of all characters of UTF-16, as the string iterator of JavaScript tells them. */
function utf16CharEnds (encoding: Encoding, bytes: Buffer): number[] {
  const units = Buffer.from(bytes.subarray(0, bytes.length - bytes.length % 2))
  if (encoding === 'utf-16be') units.swap16()
  const ends: number[] = []
  let end = 0
  for (const char of units.toString('utf16le')) {
    end += char.length * 2
    if (end < units.length || !/[\uD800-\uDBFF]$/.test(char)) ends.push(end)
  }
  return ends
}

function expectedSeek (ends: number[], count: number, rest: number): Seek {
  const found = Math.min(count, ends.length)
  if (found === count) return { found, position: ends[count - 1] ?? 0 }
  return { found, position: rest }
}

function decodedChars (bytes: Uint8Array, stream = false): number {
  return [...new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream })].length
}

/** TextDecoder tells how many characters there are; a place is between two if decoding both sides gives as many. */
function checkUtf8Chars (bytes: Buffer, count: number, { found, position }: Seek): void {
  const whole = decodedChars(bytes)
  const passed = decodedChars(bytes.subarray(0, position))
  if (found !== Math.min(count, decodedChars(bytes, true))) throw new Error(`found ${found}`)
  if (passed !== found) throw new Error(`found ${found}, but ${passed} before ${position}`)
  if (passed + decodedChars(bytes.subarray(position)) !== whole) throw new Error(`${position} is inside a character`)
}

export function checkSeeks (encoding: Encoding, range: Range, counts: number[]): void {
  const { bytes } = range
  const units = encoding === 'utf-8' ? bytes.length : bytes.length - bytes.length % 2
  const lines = lineEnds(encoding, bytes)
  const chars = encoding === 'utf-8' ? undefined : utf16CharEnds(encoding, bytes)
  for (const [name, kernel] of Object.entries(KERNELS)) {
    put(kernel, range)
    const before = Buffer.from(kernel.input)
    for (const count of counts) {
      const line = seek(kernel, 'seekLines', encoding, range, count)
      assertSeek(`${name} lines`, line, expectedSeek(lines, count, units))
      const char = seek(kernel, 'seekChars', encoding, range, count)
      if (chars === undefined) checkUtf8Chars(bytes, count, char)
      else assertSeek(`${name} chars`, char, expectedSeek(chars, count, chars.at(-1) ?? 0))
    }
    if (!before.equals(kernel.input)) throw new Error(`${name} changed its input`)
  }
}

function assertSeek (what: string, is: Seek, expected: Seek): void {
  if (is.found !== expected.found || is.position !== expected.position) {
    throw new Error(`${what}: ${JSON.stringify(is)}, not ${JSON.stringify(expected)}`)
  }
}
