import type { OpenFile } from '../files/open-file.js'
import { MAX_CHARACTER_BYTES } from '../text/characters.js'
import { MAX_MARK_BYTES, detectMark, unitBytes, type Encoding } from '../text/encoding.js'
import type { Kernel } from '../text/kernel.js'
import { endsWithLineFeed } from '../text/line-feeds.js'
import type { Reading } from './reading.js'

/**
 * A file of text, seen through one chunk in the kernel's memory that moves over it. A reader asks for the place it
 * is at; what is at hand is `kernel.input` from `from` to `to`.
 */
export class TextWindow {
  readonly file: OpenFile
  readonly kernel: Kernel
  readonly encoding: Encoding
  /** Where text starts: past the byte order mark. */
  readonly textStart: number
  /** Bytes of a code unit. */
  readonly unit: number

  /** The index in `kernel.input` of the byte that was asked for. */
  from = 0
  /** The end of what is at hand. At least one whole character past `from`, unless the file ends before. */
  to = 0
  /** The file ends at `to`. */
  final = false

  private start = 0
  private filled = 0

  constructor (file: OpenFile, reading: Reading) {
    this.file = file
    this.kernel = reading.kernel
    // The chunk at the start serves a page that starts there too, but one far away needs only the mark.
    const head = file.read(this.kernel.input, 0, MAX_MARK_BYTES, 0)
    const { encoding, markBytes } = detectMark(this.kernel.input.subarray(0, head))
    this.encoding = encoding
    this.textStart = markBytes
    this.unit = unitBytes(encoding)
  }

  /** Moves to a byte. */
  at (byte: number): void {
    const ready = this.start + this.filled
    const whole = ready - byte >= MAX_CHARACTER_BYTES || ready >= this.file.extent
    if (byte < this.start || byte > ready || this.filled === 0 || !whole) this.fill(byte)
    this.from = byte - this.start
    this.to = this.filled
    this.final = this.start + this.filled >= this.file.extent
  }

  /** Moves to a byte with as much of a chunk behind it as the file has. */
  fill (byte: number): void {
    this.start = byte
    this.filled = this.file.read(this.kernel.input, 0, this.kernel.input.length, byte)
    this.from = 0
    this.to = this.filled
    this.final = byte + this.filled >= this.file.extent
  }

  /** Where the end of the extent is relative to the last line: right after its line feed, or not. */
  endsWithLineFeed (): boolean {
    const { file, unit } = this
    const last = file.extent - unit
    if (last < this.textStart || file.extent % unit !== 0) return false
    const bytes = Buffer.alloc(unit)
    return file.lookAt(bytes, 0, unit, last) === unit && endsWithLineFeed(this.encoding, bytes, 0, unit)
  }
}
