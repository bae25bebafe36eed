import { differenceAt, positionAt, type Difference, type Position } from '../files/position.js'
import type { OpenFile } from '../files/open-file.js'
import { MAX_CHARACTER_BYTES, classify, incompleteSuffix } from '../text/characters.js'
import { MAX_MARK_BYTES, mayBecomeMark, type Encoding } from '../text/encoding.js'
import { transcode } from '../text/transcode.js'
import type { Reading } from './reading.js'
import { TextWindow } from './text-window.js'

/** The most bytes, of content and of the file, that a page of a tail has. */
export const MAX_TAIL_BYTES = 32_768

export interface TailQuery {
  /** Where to go on, or where a new cursor begins. */
  from: Position | 'start' | 'end'
  /** 1 to 32,768 */
  maxBytes: number
  /** The producer is done: a character cut by the end of file will not become whole. */
  flush: boolean
  /** The page [startByte, `from`) was handed out before: give it again. */
  replayFrom?: number
}

export interface Reset { reason: Difference, fromByte: number }

export interface TailPage {
  unit: 'tail'
  encoding: Encoding
  startByte: number
  endByte: number
  replacements: number
  contentBytes: number
  /** What made the tail restart at byte 0. */
  reset: Reset | null
  /** It is the page that was asked for again. */
  replayed: boolean
  /** Another call would return content now. */
  more: boolean
  /** Bytes of a cut character at the end of file. */
  heldBytes: number
  /** Where the next page begins. */
  position: Position
  /** Where the page begins if the cursor is new. */
  began: Position | null
}

/**
 * Reads the next unread bytes of a growing file. A character that the end of file cuts is held back; impossible
 * prefixes are not.
 * @throws Problem STORAGE_UNAVAILABLE
 */
export function readTail (file: OpenFile, query: TailQuery, reading: Reading): TailPage {
  const window = new TextWindow(file, reading)
  const { from } = query
  const difference = typeof from === 'string' ? null : differenceAt(file, from)
  const reset = difference && typeof from !== 'string' ? { reason: difference, fromByte: from.byte } : null
  const replayed = query.replayFrom !== undefined && reset === null
  const startByte = reset ? 0 : replayed ? query.replayFrom! : typeof from === 'string' ? firstByte(window, from) : from.byte
  const bounds = replayed
    ? { bytes: reading.output.length, endByte: (from as Position).byte, cut: true, flush: true }
    : { bytes: query.maxBytes, endByte: startByte + query.maxBytes, cut: false, flush: query.flush }
  const decoded = decodeTail(window, startByte, bounds, reading)
  // It was truncated meanwhile: now the comparison finds it.
  if (typeof from !== 'string' && !reset && from.byte > file.extent) return readTail(file, query, reading)
  const rest = restAfter(window, decoded.endByte, query.flush)
  return {
    unit: 'tail',
    encoding: window.encoding,
    startByte,
    ...decoded,
    reset,
    replayed,
    ...rest,
    position: replayed ? from as Position : positionAt(file, decoded.endByte),
    began: typeof from === 'string' ? positionAt(file, startByte) : null
  }
}

/** Where a new cursor begins: at the end before an incomplete last character, so that it will come whole. */
function firstByte (window: TextWindow, from: 'start' | 'end'): number {
  const { file, encoding, textStart, unit } = window
  if (from === 'start' || marksUnclear(window)) return 0
  const lastBytes = file.extent - (MAX_CHARACTER_BYTES - 1)
  const lookFrom = Math.max(textStart, lastBytes - lastBytes % unit)
  window.fill(lookFrom)
  const byte = file.extent - incompleteSuffix(encoding, window.kernel.input, window.from, window.to)
  return byte <= textStart ? 0 : byte
}

/** Whether the file is too short to tell if it starts with a byte order mark. */
function marksUnclear (window: TextWindow): boolean {
  const { file, kernel } = window
  if (file.extent >= MAX_MARK_BYTES) return false
  window.fill(0)
  return mayBecomeMark(kernel.input.subarray(0, window.to))
}

interface Bounds {
  /** The most bytes of content. */
  bytes: number
  /** Where characters must end. */
  endByte: number
  /** Nothing behind `endByte` is looked at: a sequence that was flushed there stays as it was. */
  cut: boolean
  flush: boolean
}

function decodeTail (window: TextWindow, startByte: number, bounds: Bounds, reading: Reading) {
  const { file } = window
  const decoded = { endByte: startByte, contentBytes: 0, replacements: 0 }
  if (startByte === 0 && !bounds.flush && marksUnclear(window)) return decoded
  let byte = startByte === 0 ? firstText(window, bounds) : startByte
  while (byte < file.extent && byte < bounds.endByte) {
    reading.checkpoint()
    const passed = decodeAt(window, byte, bounds, decoded.contentBytes, reading)
    if (passed === 0) break
    byte += passed.bytes
    decoded.endByte = byte
    decoded.contentBytes += passed.written
    decoded.replacements += passed.replacements
    if (passed.full) break
  }
  if (decoded.contentBytes > 0 || byte >= file.extent || bounds.cut) return decoded
  // The first character is larger than the page: the page grows to it.
  return { ...decoded, ...firstCharacter(window, byte, bounds.flush, reading) }
}

/** Where the text of the first page starts: past the mark, unless that was flushed when it was not yet whole. */
function firstText ({ textStart }: TextWindow, bounds: Bounds): number {
  return bounds.cut && bounds.endByte < textStart ? 0 : textStart
}

function decodeAt (window: TextWindow, byte: number, bounds: Bounds, contentBytes: number, reading: Reading) {
  window.at(byte)
  const { encoding, kernel, from, to } = window
  const half = isHalfUnit(window, byte)
  const limit = half ? from + 1 : Math.min(to, from + bounds.endByte - byte)
  const ends = window.final || (bounds.cut && limit < to)
  const seen = half || bounds.cut ? limit : to
  const input = { encoding, source: kernel.input, from, to: seen, limit, final: half || (ends && bounds.flush) }
  const decoded = transcode(input, reading.output, contentBytes, bounds.bytes - contentBytes)
  return decoded.position === from ? 0 : { ...decoded, bytes: decoded.position - from }
}

function firstCharacter (window: TextWindow, byte: number, flush: boolean, reading: Reading) {
  const kind = classifyAt(window, byte)
  const { encoding, kernel, from, to } = window
  if (kind === 0 && !flush) return {}
  const limit = kind === 0 ? to : from + Math.abs(kind)
  const input = { encoding, source: kernel.input, from, to: limit, limit, final: true }
  const { written, replacements } = transcode(input, reading.output, 0, MAX_CHARACTER_BYTES)
  return { endByte: byte + limit - from, contentBytes: written, replacements }
}

/** What is behind a page: more to return, or a cut character that is held. */
function restAfter (window: TextWindow, endByte: number, flush: boolean): { more: boolean, heldBytes: number } {
  const { file, textStart } = window
  const held = { more: false, heldBytes: Math.max(0, file.extent - endByte) }
  const byte = endByte === 0 ? textStart : endByte
  if (byte >= file.extent || (endByte === 0 && !flush && marksUnclear(window))) return held
  return classifyAt(window, byte) === 0 && !flush ? held : { more: true, heldBytes: 0 }
}

/** As `classify`, of what is at a byte, to which it moves the window. */
function classifyAt (window: TextWindow, byte: number): number {
  window.at(byte)
  return isHalfUnit(window, byte) ? -1 : classify(window.encoding, window.kernel.input, window.from, window.to)
}

/** The rest of a code unit whose first byte was flushed: malformed by itself, so that the next ones are whole. */
function isHalfUnit ({ unit }: TextWindow, byte: number): boolean {
  return byte % unit !== 0
}
