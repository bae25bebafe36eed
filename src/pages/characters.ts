import type { OpenFile } from '../files/open-file.js'
import { countCodePoints } from '../text/characters.js'
import { transcode } from '../text/transcode.js'
import { checkAt, makeAt, type At } from './at-token.js'
import type { TextPage } from './lines.js'
import type { Reading } from './reading.js'
import { TextWindow } from './text-window.js'

/** The most characters, and bytes of content, that a page of characters has. */
export const MAX_CHARS = 32_768
export const MAX_CHAR_PAGE_BYTES = 32_768

/** Which characters (code points). */
export interface CharactersQuery {
  path: string
  /** ≥ 0 */
  offsetChars: number
  /** 1 to 32,768 */
  limitChars: number
  at?: At
}

export interface CharactersPage extends TextPage {
  unit: 'chars'
  offsetChars: number
  /** Exclusive. */
  endChars: number
  charCount: number
  truncated: boolean
  truncatedBy: 'chars' | 'bytes' | null
  nextOffsetChars: number | null
  totalChars: number | null
  nextAt: string | null
}

interface CharacterPlace { char: number, byte: number }

/**
 * Reads a page of characters.
 * @throws Problem READ_LIMIT_EXCEEDED (`deadline`), FILE_CHANGED, STORAGE_UNAVAILABLE
 */
export function readCharacters (file: OpenFile, query: CharactersQuery, reading: Reading): CharactersPage {
  const window = new TextWindow(file, reading)
  const { offsetChars } = query
  const start = skipToCharacter(window, query, reading)
  const end = start.char < offsetChars
    ? { char: offsetChars, byte: file.extent, contentBytes: 0, replacements: 0 }
    : collect(window, start, query.limitChars, reading)
  const truncated = end.byte < file.extent
  const charCount = end.char - offsetChars
  const pastTheEnd = charCount === 0 && offsetChars > 0
  return {
    unit: 'chars',
    encoding: window.encoding,
    startByte: offsetChars === 0 ? 0 : pastTheEnd ? file.extent : start.byte,
    endByte: end.byte,
    replacements: end.replacements,
    contentBytes: end.contentBytes,
    offsetChars,
    endChars: end.char,
    charCount,
    truncated,
    truncatedBy: truncated ? (charCount === query.limitChars ? 'chars' : 'bytes') : null,
    nextOffsetChars: truncated ? end.char : null,
    totalChars: truncated ? null : pastTheEnd ? start.char : end.char,
    nextAt: truncated ? makeAt(file, query.path, 'char', end.char, end.byte) : null
  }
}

/**
 * Scans to a character; those on the way are counted and never stored. If the file ends before, the answer's `char` is
 * the number of characters in it.
 */
function skipToCharacter (window: TextWindow, query: CharactersQuery, reading: Reading): CharacterPlace {
  const { file } = window
  const from = characterOrigin(window, query.at)
  let { char, byte } = from
  while (char < query.offsetChars && byte < file.extent) {
    const place = { number: char, byte }
    reading.checkpoint(byte === from.byte
      ? undefined
      : () => ({
          unit: 'char', ...place, at: makeAt(file, query.path, 'char', place.number, place.byte)
        }))
    const passed = seekCharacters(window, byte, query.offsetChars - char)
    char += passed.chars
    byte = passed.byte
  }
  return { char, byte: Math.min(byte, file.extent) }
}

function characterOrigin (window: TextWindow, at: At | undefined): CharacterPlace {
  if (at === undefined) return { char: 0, byte: window.textStart }
  checkAt(window.file, at)
  return { char: at.number, byte: Math.max(at.byte - at.byte % window.unit, window.textStart) }
}

/** Passes characters from a byte on, at most `count` and at most what a chunk holds. */
function seekCharacters (window: TextWindow, byte: number, count: number): { chars: number, byte: number } {
  const { kernel } = window
  window.at(byte)
  kernel.seekChars(window.encoding, window.from, window.to, count)
  const chars = kernel.found
  const passed = { chars, byte: byte + kernel.position - window.from }
  // What the end of file cut is one malformed sequence.
  if (!window.final || chars === count || kernel.position === window.to) return passed
  return { chars: chars + 1, byte: byte + window.to - window.from }
}

function collect (window: TextWindow, start: CharacterPlace, limitChars: number, reading: Reading) {
  const { file, kernel, encoding } = window
  const end = { ...start, contentBytes: 0, replacements: 0 }
  while (end.char - start.char < limitChars && end.byte < file.extent) {
    reading.checkpoint()
    const passed = seekCharacters(window, end.byte, limitChars - (end.char - start.char))
    const limit = window.from + passed.byte - end.byte
    const input = { encoding, source: kernel.input, from: window.from, to: limit, limit, final: true }
    const decoded = transcode(input, reading.output, end.contentBytes, MAX_CHAR_PAGE_BYTES - end.contentBytes)
    const content = reading.output.subarray(end.contentBytes, end.contentBytes + decoded.written)
    end.char += decoded.full ? countCodePoints(content) : passed.chars
    end.byte += decoded.position - window.from
    end.contentBytes += decoded.written
    end.replacements += decoded.replacements
    if (decoded.full) break
  }
  return end
}
