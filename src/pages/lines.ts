import type { OpenFile } from '../files/open-file.js'
import { Problem } from '../errors.js'
import type { Encoding } from '../text/encoding.js'
import { endsWithLineFeed } from '../text/line-feeds.js'
import { checkAt, makeAt, type At } from './at-token.js'
import { LineCollector, type ClippedLine } from './line-collector.js'
import type { Reading } from './reading.js'
import { TextWindow } from './text-window.js'

/** Which lines. */
export interface LinesQuery {
  path: string
  /** ≥ 1 */
  startLine: number
  /** 1 to 500 */
  maxLines: number
  /** Clip longer lines, 1 to 1,048,576; absent: a line is whole or the page is refused. */
  maxLineBytes?: number
  at?: At
}

/** What every page of text tells. Positions are raw bytes of the file. */
export interface TextPage {
  encoding: Encoding
  startByte: number
  endByte: number
  replacements: number
  /** Bytes of content in the output. */
  contentBytes: number
}

export interface LinesPage extends TextPage {
  unit: 'lines'
  startLine: number
  endLine: number
  lineCount: number
  /** The last line had its line feed. The output has it too, after the content. */
  endsWithNewline: boolean
  truncated: boolean
  truncatedBy: 'lines' | 'bytes' | null
  nextStartLine: number | null
  totalLines: number | null
  clippedLines: ClippedLine[]
  /** The `at` token of the next page. */
  nextAt: string | null
}

/**
 * Reads a page of lines.
 * @param marks in the output, put a mark behind each clipped line
 * @throws Problem READ_LIMIT_EXCEEDED (`line-too-long`, `deadline`), FILE_CHANGED, STORAGE_UNAVAILABLE
 */
export function readLines (file: OpenFile, query: LinesQuery, reading: Reading, marks: boolean): LinesPage {
  const window = new TextWindow(file, reading)
  const from = lineOrigin(window, query.at)
  const start = skipToLine(window, from, query, reading)
  // Whether the line is there is known once its start has been read: the file may have been truncated.
  window.at(start.byte)
  if (start.line < query.startLine || (start.byte >= file.extent && start.line > 1)) {
    return pastTheEnd(window, query.startLine, start.line < query.startLine ? start.line : start.line - 1)
  }
  return readLinesFrom(window, start.byte, query, reading, marks)
}

/** A place at a line's start, or inside it. */
export interface LinePlace { line: number, byte: number, midLine: boolean }

/** Where a scan for lines starts: at the token's place, checked, or else where text starts. */
export function lineOrigin (window: TextWindow, at: At | undefined): LinePlace {
  if (at === undefined) return { line: 1, byte: window.textStart, midLine: false }
  checkAt(window.file, at)
  const alignedByte = at.byte - at.byte % window.unit
  return { line: at.number, byte: Math.max(alignedByte, window.textStart), midLine: at.midLine }
}

/**
 * Scans from a place to the start of a later line; lines on the way are counted and never stored. If the file ends
 * before, the answer's `line` is the number of lines in it, less than what was asked for.
 */
export function skipToLine (
  window: TextWindow, from: LinePlace, query: { path: string, startLine: number }, reading: Reading
): LinePlace {
  const { file, kernel } = window
  let { line, byte, midLine } = from
  /** The last that was passed ends a line; null if nothing was passed. */
  let lineEnded: boolean | null = null
  while (line < query.startLine) {
    const place = { line, byte, midLine }
    reading.checkpoint(byte === from.byte ? undefined : () => reachedAt(window, query.path, place))
    window.at(byte)
    kernel.seekLines(window.encoding, window.from, window.to, query.startLine - line)
    const passed = kernel.position - window.from
    if (passed === 0) {
      const opensLine = byte === file.extent && (lineEnded ?? window.endsWithLineFeed())
      return { line: line - (opensLine ? 1 : 0), byte: file.extent, midLine: false }
    }
    lineEnded = endsWithLineFeed(window.encoding, kernel.input, window.from, kernel.position)
    line += kernel.found
    byte += passed
    midLine = line < query.startLine
  }
  return { line, byte, midLine: false }
}

function reachedAt (window: TextWindow, path: string, { line, byte, midLine }: LinePlace) {
  return { unit: 'line' as const, number: line, byte, at: makeAt(window.file, path, 'line', line, byte, midLine) }
}

export function readLinesFrom (
  window: TextWindow, startByte: number, query: LinesQuery, reading: Reading, marks: boolean
): LinesPage {
  const { file, encoding } = window
  const { startLine, maxLines, maxLineBytes } = query
  const lines = new LineCollector(window, startByte, reading)
  if (maxLineBytes === undefined) lines.collect(maxLines)
  else lines.collectClipped(startLine, maxLines, maxLineBytes, marks)
  if (lines.count === 0 && startByte < file.extent) throw lineTooLong(startLine, startByte, encoding)
  // An empty file, or one with a mark alone, has one empty line.
  const lineCount = Math.max(1, lines.count)
  const endLine = startLine + lineCount - 1
  const endByte = lines.endByte
  const truncated = endByte < file.extent
  return {
    unit: 'lines',
    encoding,
    startByte: startLine === 1 ? 0 : startByte,
    endByte,
    replacements: lines.replacements,
    contentBytes: lines.contentBytes,
    startLine,
    endLine,
    lineCount,
    endsWithNewline: lines.endsWithNewline,
    truncated,
    truncatedBy: truncated ? (lineCount === maxLines ? 'lines' : 'bytes') : null,
    nextStartLine: truncated ? endLine + 1 : null,
    totalLines: truncated ? null : endLine,
    clippedLines: lines.clippedLines,
    nextAt: truncated ? makeAt(file, query.path, 'line', endLine + 1, endByte) : null
  }
}

function pastTheEnd (window: TextWindow, startLine: number, totalLines: number): LinesPage {
  const { extent } = window.file
  return {
    unit: 'lines',
    encoding: window.encoding,
    startByte: extent,
    endByte: extent,
    replacements: 0,
    contentBytes: 0,
    startLine,
    endLine: startLine - 1,
    lineCount: 0,
    endsWithNewline: false,
    truncated: false,
    truncatedBy: null,
    nextStartLine: null,
    totalLines,
    clippedLines: [],
    nextAt: null
  }
}

/** The route adds the address of the line in bytes; `encoding` is for that. */
export function lineTooLong (line: number, startByte: number, encoding: Encoding): Problem {
  return new Problem(
    'READ_LIMIT_EXCEEDED',
    `Line ${line} alone is over 1,048,576 bytes of content; follow \`next\` to page through its bytes, or clip it with \`maxLineBytes\`.`,
    { reason: 'line-too-long', line, startByte, encoding }
  )
}
