import { unitAt } from '../text/encoding.js'
import type { Reading } from './reading.js'
import { LineCollector } from './line-collector.js'
import type { TextWindow } from './text-window.js'

const TAB = 0x09
const LINE_FEED = 0x0A
const CARRIAGE_RETURN = 0x0D
const SPACE = 0x20
const TAB_COLUMNS = 4
const COMMENT_STARTS = ['#', '//', '--', '/*', '*', "'''", '"""']

export interface Indent {
  /** Of the leading white space, a tab counting 4. */
  columns: number
  /** White space alone. */
  blank: boolean
  /** What follows the white space starts a comment. */
  comment: boolean
}

/** The indent of a line, given as UTF-8 without its line feed. */
export function indentOf (line: Buffer): Indent {
  let columns = 0
  let index = 0
  for (; index < line.length && isSpace(line[index]!); index++) columns += line[index] === TAB ? TAB_COLUMNS : 1
  const start = line.toString('latin1', index, index + 3)
  return { columns, blank: index === line.length, comment: COMMENT_STARTS.some(mark => start.startsWith(mark)) }
}

/** The indent of the last non-blank line before a line's start; 0 if there is none. Scans backwards, in chunks. */
export function inheritedIndent (window: TextWindow, lineStart: number, reading: Reading): number {
  const lastText = findBackwards(window, lineStart, unit => !isSpace(unit) && unit !== LINE_FEED, reading)
  if (lastText === undefined) return 0
  const lineFeed = findBackwards(window, lastText, unit => unit === LINE_FEED, reading)
  const start = lineFeed === undefined ? window.textStart : lineFeed + window.unit
  const collector = new LineCollector(window, start, reading)
  collector.collectClipped(1, 1, Infinity, false)
  return indentOf(reading.output.subarray(0, collector.contentBytes)).columns
}

/** The byte of the last code unit before a byte that a test holds for. */
function findBackwards (
  window: TextWindow, before: number, test: (unit: number) => boolean, reading: Reading
): number | undefined {
  const { encoding, kernel, unit } = window
  const step = window.reach - window.reach % unit
  for (let end = before; end > window.textStart;) {
    reading.checkpoint()
    const start = Math.max(window.textStart, end - step)
    window.fill(start)
    for (let byte = end - unit; byte >= start; byte -= unit) {
      const index = window.from + byte - start
      const value = encoding === 'utf-8' ? kernel.input[index]! : unitAt(encoding, kernel.input, index)
      if (test(value)) return byte
    }
    end = start
  }
  return undefined
}

function isSpace (unit: number): boolean {
  return unit === SPACE || unit === TAB || unit === CARRIAGE_RETURN
}
