import type { Encoding } from './encoding.js'
import { CHUNK_BYTES, type Kernel } from './kernel.js'

/** The kernel for where there is no WebAssembly. Simple, not fast. */
export function createPlainKernel (): Kernel {
  return new PlainKernel()
}

class PlainKernel implements Kernel {
  readonly input = Buffer.alloc(CHUNK_BYTES)
  found = 0
  position = 0

  seekLines (encoding: Encoding, from: number, to: number, count: number): void {
    if (encoding === 'utf-8') this.#seekLineFeedBytes(from, to, count)
    else this.#seekLineFeedUnits(encoding, from, to, count)
  }

  seekChars (encoding: Encoding, from: number, to: number, count: number): void {
    this.found = 0
    this.position = from
    while (this.found < count) {
      const length = encoding === 'utf-8'
        ? utf8CharBytes(this.input, this.position, to)
        : utf16CharBytes(this.input, encoding, this.position, to)
      if (length === 0) return
      this.position += length
      this.found++
    }
  }

  escapeJson (length: number): Uint8Array {
    return Buffer.from(JSON.stringify(this.input.toString('utf8', 0, length)).slice(1, -1))
  }

  #seekLineFeedBytes (from: number, to: number, count: number): void {
    const bytes = this.input.subarray(0, to)
    this.found = 0
    this.position = from
    while (this.found < count) {
      const at = bytes.indexOf(0x0A, this.position)
      if (at === -1) {
        this.position = to
        return
      }
      this.position = at + 1
      this.found++
    }
  }

  #seekLineFeedUnits (encoding: Encoding, from: number, to: number, count: number): void {
    this.found = 0
    this.position = from
    while (this.found < count && to - this.position >= 2) {
      if (readUnit(this.input, encoding, this.position) === 0x0A) this.found++
      this.position += 2
    }
  }
}

/**
 * The bytes of the character, or malformed sequence, at `from`; 0 if what is there up to `to` may be the start of a
 * longer character.
 * @see https://encoding.spec.whatwg.org/#utf-8-decoder
 */
function utf8CharBytes (bytes: Uint8Array, from: number, to: number): number {
  const lead = bytes[from]
  if (from >= to || lead === undefined) return 0
  if (lead < 0xC2 || lead > 0xF4) return 1
  const length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
  let least = lead === 0xE0 ? 0xA0 : lead === 0xF0 ? 0x90 : 0x80
  let most = lead === 0xED ? 0x9F : lead === 0xF4 ? 0x8F : 0xBF
  for (let i = 1; i < length; i++) {
    const byte = bytes[from + i]
    if (from + i >= to || byte === undefined) return 0
    if (byte < least || byte > most) return i
    least = 0x80
    most = 0xBF
  }
  return length
}

/** As utf8CharBytes. */
function utf16CharBytes (bytes: Buffer, encoding: Encoding, from: number, to: number): number {
  if (to - from < 2) return 0
  if ((readUnit(bytes, encoding, from) & 0xFC00) !== 0xD800) return 2
  if (to - from < 4) return 0
  return (readUnit(bytes, encoding, from + 2) & 0xFC00) === 0xDC00 ? 4 : 2
}

function readUnit (bytes: Buffer, encoding: Encoding, at: number): number {
  return encoding === 'utf-16le' ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at)
}
