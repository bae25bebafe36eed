import { classify } from './characters.js'
import { unitAt, type Encoding } from './encoding.js'
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
      const length = this.position < to ? Math.abs(classify(encoding, this.input, this.position, to)) : 0
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
      if (unitAt(encoding, this.input, this.position) === 0x0A) this.found++
      this.position += 2
    }
  }
}
