import type { OpenFile } from '../files/open-file.js'
import { MAX_CHARACTER_BYTES } from '../text/characters.js'
import { MAX_MARK_BYTES, detectMark, unitBytes, type Encoding } from '../text/encoding.js'
import type { Kernel } from '../text/kernel.js'
import { endsWithLineFeed } from '../text/line-feeds.js'
import type { Reading } from './reading.js'

/**
 * In memory, a byte lies where it lies in the file, modulo 64 (a 1024th of a chunk). Where a scan left a cut character
 * to the next chunk, that would begin some bytes before the start of a page of memory, and such copies take
 * processors five times as long: source and target seem to overlap (4K aliasing).
 */
const ALIGNMENTS_A_CHUNK = 1024

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

  private readonly alignment: number
  /** The byte that index 0 stands for, the first one at hand, and how many are. */
  private origin = 0
  private first = 0
  private filled = 0

  constructor (file: OpenFile, reading: Reading) {
    this.file = file
    this.kernel = reading.kernel
    this.alignment = Math.max(1, Math.floor(this.kernel.input.length / ALIGNMENTS_A_CHUNK))
    // Only the mark: a page far away needs nothing else of the start.
    const head = file.read(this.kernel.input, 0, MAX_MARK_BYTES, 0)
    const { encoding, markBytes } = detectMark(this.kernel.input.subarray(0, head))
    this.encoding = encoding
    this.textStart = markBytes
    this.unit = unitBytes(encoding)
  }

  /** Moves to a byte. */
  at (byte: number): void {
    const end = this.first + this.filled
    const whole = end - byte >= MAX_CHARACTER_BYTES || end >= this.file.extent
    if (byte < this.first || byte > end || this.filled === 0 || !whole) this.fill(byte)
    else this.show(byte)
  }

  /** How many bytes `fill` has at hand, at least, unless the file ends before. */
  get reach (): number {
    return this.kernel.input.length - this.alignment + 1
  }

  /** Moves to a byte with as much of a chunk behind it as the file has, less what alignment takes. */
  fill (byte: number): void {
    const { input } = this.kernel
    const index = byte % this.alignment
    this.origin = byte - index
    this.first = byte
    this.filled = this.file.read(input, index, input.length - index, byte)
    this.show(byte)
  }

  private show (byte: number): void {
    const end = this.first + this.filled
    this.from = byte - this.origin
    this.to = end - this.origin
    this.final = end >= this.file.extent
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
