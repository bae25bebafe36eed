import { MAX_CHARACTER_BYTES } from '../text/characters.js'
import { lastLineFeedEnd } from '../text/line-feeds.js'
import { transcode, type TranscodeResult } from '../text/transcode.js'
import { MAX_CONTENT_BYTES, type Reading } from './reading.js'
import type { TextWindow } from './text-window.js'

/** A line of which a part was left out. Offsets are raw bytes of the file; `omittedEnd` is inclusive. */
export interface ClippedLine {
  line: number
  /** The whole line, its line feed not counted. */
  lineBytes: number
  omittedStart: number
  omittedEnd: number
  omittedBytes: number
}

/**
 * Gathers whole lines in the output, from the start of a line on. What is committed are whole lines, each with its
 * line feed; the content is that less the last line feed.
 */
export class LineCollector {
  /** Whole lines so far. */
  count = 0
  /** The raw end of the last of them, past its line feed. */
  endByte: number
  replacements = 0
  endsWithNewline = false
  readonly clippedLines: ClippedLine[] = []

  private readonly window: TextWindow
  private readonly reading: Reading
  /** How far the line behind the whole ones is taken, in the file and in the output, and what was replaced by then. */
  private nextByte: number
  private outputBytes = 0
  private openReplacements = 0
  /** Bytes of the output that the whole lines take. */
  private committedBytes = 0
  /** Bytes of the output that are marks of clipped lines: they do not count as content. */
  private markBytes = 0

  constructor (window: TextWindow, startByte: number, reading: Reading) {
    this.window = window
    this.reading = reading
    this.endByte = startByte
    this.nextByte = startByte
  }

  /** Bytes of the output without the last line feed. */
  get contentBytes (): number {
    return this.committedBytes - (this.endsWithNewline ? 1 : 0)
  }

  /**
   * Takes lines until there are `maxLines`, the next does not fit, or the file ends. The whole lines of a chunk are
   * decoded at a stroke; what is behind them is the beginning of a line that the next chunk goes on with.
   */
  collect (maxLines: number): void {
    const { window } = this
    while (this.count < maxLines && this.nextByte < window.file.extent) {
      this.reading.checkpoint()
      window.at(this.nextByte)
      const linesEnd = this.wholeLinesEnd(maxLines - this.count)
      if (linesEnd > window.from && !this.takeLines(linesEnd)) return
      if (this.count === maxLines) return
      if (!this.takePart(window.to)) return
    }
    if (this.nextByte > this.endByte) this.commit(1, false)
  }

  /** The end in the window of the whole lines there, at most `maxLines`; `window.from` if there is none. */
  private wholeLinesEnd (maxLines: number): number {
    const { window } = this
    const { encoding, kernel, from, to } = window
    kernel.seekLines(encoding, from, to, maxLines)
    return kernel.found === maxLines ? kernel.position : lastLineFeedEnd(encoding, kernel.input, from, to)
  }

  /** Takes the whole lines up to an index in the window; false if not all of them fit. */
  private takeLines (end: number): boolean {
    const { window } = this
    const { encoding, kernel } = window
    // The last line feed is not content: it may be past the bound.
    const decoded = this.decode(end, true, 1)
    const fitting = decoded.full ? lastLineFeedEnd(encoding, kernel.input, window.from, decoded.position) : end
    if (fitting === window.from) return false
    this.take(decoded.full ? this.decode(fitting, true, 1) : decoded)
    kernel.seekLines(encoding, window.from, fitting, Number.MAX_SAFE_INTEGER)
    this.commit(kernel.found, true)
    window.from = fitting
    return !decoded.full
  }

  /** Takes the beginning of a line, up to an index in the window; false if it does not fit. */
  private takePart (end: number): boolean {
    const decoded = this.decode(end, this.window.final, 0)
    this.take(decoded)
    return !decoded.full
  }

  private decode (limit: number, final: boolean, lineFeedBytes: number, to = limit): TranscodeResult {
    const { encoding, kernel, from } = this.window
    const input = { encoding, source: kernel.input, from, to, limit, final }
    return transcode(input, this.reading.output, this.outputBytes, Math.max(0, this.room + lineFeedBytes))
  }

  /** Bytes of content that the page can still take; -1 behind the line feed that ends a full page. */
  private get room (): number {
    return MAX_CONTENT_BYTES + this.markBytes - this.outputBytes
  }

  private take (decoded: TranscodeResult): void {
    this.nextByte += decoded.position - this.window.from
    this.outputBytes += decoded.written
    this.openReplacements += decoded.replacements
  }

  /** Makes whole lines of what was taken. */
  private commit (lines: number, endsWithNewline: boolean): void {
    this.count += lines
    this.endByte = this.nextByte
    this.committedBytes = this.outputBytes
    this.replacements = this.openReplacements
    this.endsWithNewline = endsWithNewline
  }

  /**
   * Takes lines, each clipped at the last character that ends within `maxLineBytes` raw bytes and within the bound of
   * a page, until there are `maxLines`, the next does not fit, or the file ends.
   * @param firstLine the number of the first of them
   * @param marks put a mark behind each clipped line
   */
  collectClipped (firstLine: number, maxLines: number, maxLineBytes: number, marks: boolean): void {
    while (this.count < maxLines && this.nextByte < this.window.file.extent) {
      this.reading.checkpoint()
      const start = this.nextByte
      if (!this.keep(start + maxLineBytes)) return
      const keptEnd = this.nextByte
      const { lineEnd, hasLineFeed } = this.passLineEnd()
      // The file was truncated to where this line would begin: there is none.
      if (lineEnd === start && !hasLineFeed) return
      if (keptEnd < lineEnd) this.clip(firstLine + this.count, start, keptEnd, lineEnd, marks)
      if (hasLineFeed) this.reading.output[this.outputBytes++] = 0x0A
      this.commit(1, hasLineFeed)
    }
  }

  /** Takes of a line what ends at or before `keepEnd`; false if that does not fit behind the lines before it. */
  private keep (keepEnd: number): boolean {
    const { window } = this
    const bytesBefore = MAX_CONTENT_BYTES - this.room
    // The line feed before it would pass the bound, even if nothing is behind it.
    if (this.room < 0) return false
    for (;;) {
      window.at(this.nextByte)
      const end = this.lineEndInWindow()
      const limit = Math.min(end.index, window.from + keepEnd - this.nextByte)
      const decoded = this.decode(limit, end.certain, 0, end.index)
      this.take(decoded)
      window.from = decoded.position
      if (decoded.full) {
        // With the whole page to itself, would the line go on? Then it does not fit; else this is where it is clipped.
        const oneMore = Math.min(limit, window.from + MAX_CHARACTER_BYTES)
        return this.decode(oneMore, end.certain, bytesBefore, end.index).written === 0
      }
      // Stopped by a bound, and not for want of a character's next bytes: with those at hand, the next round goes on.
      if (end.certain || end.index - decoded.position >= MAX_CHARACTER_BYTES) return true
    }
  }

  /** Where the line ends in the window; not certain if it goes on behind it. */
  private lineEndInWindow (): { index: number, certain: boolean } {
    const { kernel, encoding, from, to, unit, final } = this.window
    kernel.seekLines(encoding, from, to, 1)
    return kernel.found === 1 ? { index: kernel.position - unit, certain: true } : { index: to, certain: final }
  }

  /**
   * Moves past the line's end without storing what is before it. Starts in the window as it is: a line feed that was
   * seen there counts, though the file may end before it by now.
   */
  private passLineEnd (): { lineEnd: number, hasLineFeed: boolean } {
    const { window } = this
    for (;;) {
      const { from, unit, kernel } = window
      kernel.seekLines(window.encoding, from, window.to, 1)
      const passed = kernel.position - from
      if (kernel.found === 1) {
        this.nextByte += passed
        return { lineEnd: this.nextByte - unit, hasLineFeed: true }
      }
      this.nextByte = window.final ? window.file.extent : this.nextByte + passed
      if (window.final) return { lineEnd: this.nextByte, hasLineFeed: false }
      this.reading.checkpoint()
      window.at(this.nextByte)
    }
  }

  private clip (line: number, start: number, keptEnd: number, lineEnd: number, marks: boolean): void {
    const omittedBytes = lineEnd - keptEnd
    const omittedEnd = lineEnd - 1
    this.clippedLines.push({ line, lineBytes: lineEnd - start, omittedStart: keptEnd, omittedEnd, omittedBytes })
    if (!marks) return
    const mark = `[+${omittedBytes} bytes omitted: ${keptEnd}-${omittedEnd}]`
    this.markBytes += this.reading.output.write(mark, this.outputBytes, 'latin1')
    this.outputBytes += mark.length
  }
}
