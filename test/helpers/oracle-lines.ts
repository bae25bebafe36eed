import { joined, countMalformed, type OracleCharacter, type OracleText } from './oracle.js'

const MAX_CONTENT_BYTES = 1_048_576

/** A line: its characters without the line feed, and its raw bytes. */
export interface OracleLine { start: number, textEnd: number, end: number, characters: OracleCharacter[] }

/** Splits at line feeds. A final one opens no further line; a file without characters has one empty line. */
export function linesOf ({ characters, textStart, size }: OracleText): OracleLine[] {
  const lines: OracleLine[] = []
  let start = textStart
  let line: OracleCharacter[] = []
  for (const character of characters) {
    if (character.text === '\n') {
      lines.push({ start, textEnd: character.start, end: character.end, characters: line })
      start = character.end
      line = []
    } else {
      line.push(character)
    }
  }
  if (start < size || lines.length === 0) lines.push({ start, textEnd: size, end: size, characters: line })
  return lines
}

export interface LinesAsked { startLine: number, maxLines: number, maxLineBytes?: number }

/** The page that contract 4.1 wants, without `nextAt` and `contentBytes`; or the line that is too long. */
export function expectedLines (text: OracleText, asked: LinesAsked) {
  const { startLine, maxLines, maxLineBytes } = asked
  const all = linesOf(text)
  const wanted = all.slice(startLine - 1, startLine - 1 + maxLines).map(line => clip(line, maxLineBytes))
  let bytes = -1
  const over = wanted.findIndex(line => (bytes += 1 + Buffer.byteLength(joined(line.kept))) > MAX_CONTENT_BYTES)
  if (over === 0) return { tooLong: { line: startLine, startByte: wanted[0]!.start } }
  const taken = over === -1 ? wanted : wanted.slice(0, over)
  const last = taken.at(-1)
  const endLine = startLine + taken.length - 1
  const truncated = last !== undefined && endLine < all.length
  return {
    content: taken.map(line => joined(line.kept)).join('\n'),
    page: {
      unit: 'lines',
      encoding: text.encoding,
      startByte: startLine === 1 ? 0 : taken[0]?.start ?? text.size,
      endByte: last?.end ?? text.size,
      replacements: countMalformed(taken.flatMap(line => line.kept)),
      startLine,
      endLine,
      lineCount: taken.length,
      endsWithNewline: last !== undefined && last.end > last.textEnd,
      truncated,
      truncatedBy: truncated ? (taken.length === maxLines ? 'lines' : 'bytes') : null,
      nextStartLine: truncated ? endLine + 1 : null,
      totalLines: truncated ? null : all.length,
      clippedLines: taken.flatMap((line, index) => clippedLine(line, startLine + index))
    }
  }
}

type ClippedOracleLine = OracleLine & { kept: OracleCharacter[] }

function clip (line: OracleLine, maxLineBytes: number | undefined): ClippedOracleLine {
  if (maxLineBytes === undefined) return { ...line, kept: line.characters }
  let contentBytes = 0
  const over = line.characters.findIndex(({ text, end }) => {
    contentBytes += Buffer.byteLength(text)
    return end - line.start > maxLineBytes || contentBytes > MAX_CONTENT_BYTES
  })
  return { ...line, kept: over === -1 ? line.characters : line.characters.slice(0, over) }
}

function clippedLine ({ start, textEnd, characters, kept }: ClippedOracleLine, line: number) {
  if (kept.length === characters.length) return []
  const omittedStart = kept.at(-1)?.end ?? start
  const omittedBytes = textEnd - omittedStart
  return [{ line, lineBytes: textEnd - start, omittedStart, omittedEnd: textEnd - 1, omittedBytes }]
}
