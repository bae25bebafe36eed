import type { OpenFile } from '../files/open-file.js'
import { Problem } from '../errors.js'
import { indentOf, inheritedIndent } from './indent.js'
import { LineCollector } from './line-collector.js'
import { lineOrigin, lineTooLong, readLinesFrom, skipToLine, type LinesPage } from './lines.js'
import { MAX_CONTENT_BYTES, type Reading } from './reading.js'
import { TextWindow } from './text-window.js'

/** The block of code around a line. */
export interface BlockQuery {
  path: string
  /** ≥ 1 */
  aroundLine: number
  /** Levels of indent to go out from the line; 0: to the margin. */
  maxLevels: number
  includeSiblings: boolean
  includeHeader: boolean
  /** 1 to 500 */
  maxLines: number
}

export interface BlockPage extends LinesPage { aroundLine: number }

const COLUMNS_PER_LEVEL = 4

/**
 * Reads the block around a line: one contiguous range of lines.
 * @throws Problem READ_LIMIT_EXCEEDED (`line-out-of-range`, `line-too-long`, `deadline`), STORAGE_UNAVAILABLE
 */
export function readBlock (file: OpenFile, query: BlockQuery, reading: Reading): BlockPage {
  const window = new TextWindow(file, reading)
  const above = linesUpTo(window, query, reading)
  const block = growBlock(window, above, query, reading)
  const linesQuery = { path: query.path, startLine: block.top.line, maxLines: block.bottom.line - block.top.line + 1 }
  const page = readLinesFrom(window, block.top.byte, linesQuery, reading, false)
  return { ...page, aroundLine: query.aroundLine, truncatedBy: block.endedBy }
}

interface Line {
  line: number
  byte: number
  endByte: number
  /** In columns; a blank line has that of the non-blank line before it. */
  indent: number
  blank: boolean
  comment: boolean
  contentBytes: number
  /** Its content alone passes the bound of a page. */
  tooLong: boolean
}

/** The anchor, last, and as many lines before it as a block could have, and one more that tells whether it ended. */
function linesUpTo (window: TextWindow, query: BlockQuery, reading: Reading): Line[] {
  const { aroundLine, maxLines, path } = query
  const startLine = Math.max(1, aroundLine - maxLines)
  const place = skipToLine(window, lineOrigin(window, undefined), { path, startLine }, reading)
  if (place.line < startLine) throw outOfRange(aroundLine, place.line)
  const lines: Line[] = []
  let { byte } = place
  for (let line = startLine; line <= aroundLine; line++) {
    if (byte >= window.file.extent && line > 1) throw outOfRange(aroundLine, line - 1)
    const before = lines.at(-1)?.indent ?? (line === 1 ? 0 : undefined)
    lines.push(measure(window, line, byte, before, reading))
    byte = lines.at(-1)!.endByte
  }
  if (lines.at(-1)!.tooLong) throw lineTooLong(aroundLine, lines.at(-1)!.byte, window.encoding)
  return lines
}

/** @param indentBefore of the line before; undefined if it is not known and has to be looked for */
function measure (
  window: TextWindow, line: number, byte: number, indentBefore: number | undefined, reading: Reading
): Line {
  const collector = new LineCollector(window, byte, reading)
  // Clipped by the bound of content alone, which in UTF-16 may be twice as many raw bytes.
  collector.collectClipped(line, 1, Infinity, false)
  const { contentBytes, endByte, clippedLines } = collector
  const { columns, blank, comment } = indentOf(reading.output.subarray(0, contentBytes))
  const indent = blank ? indentBefore ?? inheritedIndent(window, byte, reading) : columns
  return { line, byte, endByte, indent, blank, comment, contentBytes, tooLong: clippedLines.length > 0 }
}

type Direction = 'up' | 'down'

function growBlock (window: TextWindow, above: Line[], query: BlockQuery, reading: Reading) {
  const anchor = above.pop()!
  const block = [anchor]
  const growth = new Growth(anchor, query)
  /** The next line in a direction, or undefined at an end of the file. */
  let below: Line | undefined
  const next = (direction: Direction): Line | undefined => {
    if (direction === 'up') return above.at(-1)
    const last = block.at(-1)!
    if (below?.line !== last.line + 1) {
      below = last.endByte < window.file.extent
        ? measure(window, last.line + 1, last.endByte, last.indent, reading)
        : undefined
    }
    return below
  }
  while (block.length < query.maxLines && !growth.ended) {
    for (const direction of ['up', 'down'] as const) {
      if (block.length === query.maxLines || !growth.take(direction, next)) continue
      if (direction === 'up') block.unshift(above.pop()!)
      else block.push(below!)
    }
  }
  const moreLines = growth.take('up', next) || growth.take('down', next) || growth.passedBound
  const endedBy = block.length < query.maxLines ? (growth.passedBound ? 'bytes' as const : null) : moreLines ? 'lines' as const : null
  return { ...withoutBlankEdges(block, anchor), endedBy }
}

/** Which lines a block takes, and what has stopped it. */
class Growth {
  passedBound = false
  private readonly query: BlockQuery
  private readonly minIndent: number
  private contentBytes: number
  private readonly stopped = { up: false, down: false }
  /** A line at exactly the least indent was taken. */
  private readonly reachedLeast = { up: false, down: false }

  constructor (anchor: Line, query: BlockQuery) {
    this.query = query
    this.contentBytes = anchor.contentBytes
    this.minIndent = query.maxLevels === 0 ? 0 : Math.max(0, anchor.indent - COLUMNS_PER_LEVEL * query.maxLevels)
  }

  get ended (): boolean {
    return this.passedBound || (this.stopped.up && this.stopped.down)
  }

  /** Whether the block takes the next line in a direction; if not, the direction has stopped. */
  take (direction: Direction, next: (direction: Direction) => Line | undefined): boolean {
    if (this.passedBound || this.stopped[direction]) return false
    const line = next(direction)
    if (line === undefined || !this.belongs(line, direction)) {
      this.stopped[direction] = true
      return false
    }
    this.contentBytes += 1 + line.contentBytes
    this.passedBound = line.tooLong || this.contentBytes > MAX_CONTENT_BYTES
    return !this.passedBound
  }

  private belongs (line: Line, direction: Direction): boolean {
    if (line.indent !== this.minIndent || this.query.includeSiblings) return line.indent >= this.minIndent
    const first = !this.reachedLeast[direction]
    this.reachedLeast[direction] = true
    return first || (direction === 'up' && this.query.includeHeader && line.comment)
  }
}

function withoutBlankEdges (block: Line[], anchor: Line): { top: Line, bottom: Line } {
  const isText = (line: Line): boolean => !line.blank
  return { top: block.find(isText) ?? anchor, bottom: block.findLast(isText) ?? anchor }
}

function outOfRange (line: number, totalLines: number): Problem {
  return new Problem(
    'READ_LIMIT_EXCEEDED', `There is no line ${line}: the file has ${totalLines}. Ask for a line in that range.`,
    { reason: 'line-out-of-range', totalLines }
  )
}
