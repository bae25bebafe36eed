/** The rule of contract 4.3, word for word, over all lines of a file in memory. */
export interface BlockAsked {
  aroundLine: number
  maxLevels: number
  includeSiblings: boolean
  includeHeader: boolean
  maxLines: number
}

interface Measured { indent: number, blank: boolean, comment: boolean }

const COMMENT = /^(#|\/\/|--|\/\*|\*|'''|""")/

/** First and last line, from 1, of the block; and whether `maxLines` ended its growth. */
export function expectedBlock (lines: string[], asked: BlockAsked): { first: number, last: number, full: boolean } {
  const { aroundLine, maxLevels, maxLines } = asked
  const measured = measureAll(lines)
  const anchor = measured[aroundLine - 1]!
  const minIndent = maxLevels === 0 ? 0 : Math.max(0, anchor.indent - 4 * maxLevels)
  // Which lines a direction would take, were it alone and without a limit.
  const above = takenAlong(measured.slice(0, aroundLine - 1).reverse(), minIndent, asked, true)
  const below = takenAlong(measured.slice(aroundLine), minIndent, asked, false)
  let up = 0
  let down = 0
  while (1 + up + down < maxLines && (up < above || down < below)) {
    if (up < above) up++
    if (1 + up + down < maxLines && down < below) down++
  }
  let first = aroundLine - up
  let last = aroundLine + down
  const full = 1 + up + down === maxLines && (up < above || down < below)
  const isBlank = (line: number) => measured[line - 1]!.blank
  while (first < last && isBlank(first)) first++
  while (last > first && isBlank(last)) last--
  return isBlank(first) ? { first: aroundLine, last: aroundLine, full } : { first, last, full }
}

function measureAll (lines: string[]): Measured[] {
  let previous = 0
  return lines.map(line => {
    const space = /^[ \t\r]*/.exec(line)![0]
    const blank = space === line
    const indent = blank ? previous : [...space].reduce((columns, unit) => columns + (unit === '\t' ? 4 : 1), 0)
    previous = indent
    return { indent, blank, comment: COMMENT.test(line.slice(space.length)) }
  })
}

function takenAlong (lines: Measured[], minIndent: number, asked: BlockAsked, upward: boolean): number {
  let taken = 0
  let hadFirst = false
  for (const { indent, comment } of lines) {
    if (indent < minIndent) break
    if (indent === minIndent && !asked.includeSiblings) {
      const isHeader = upward && asked.includeHeader && comment
      if (hadFirst && !isHeader) break
      hadFirst = true
    }
    taken++
  }
  return taken
}
