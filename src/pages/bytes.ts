import type { OpenFile } from '../files/open-file.js'
import { MAX_CHARACTER_BYTES, classify } from '../text/characters.js'
import { unitBytes, type Encoding } from '../text/encoding.js'
import { transcode } from '../text/transcode.js'
import type { Reading } from './reading.js'

/** The largest window, in bytes. */
export const MAX_BYTE_WINDOW = 1_048_576

/** How far beyond an edge of a window is looked, in bytes: a character that begins or ends there may reach over it. */
const REACH = MAX_CHARACTER_BYTES - 1

export type ByteEncoding = Encoding | 'base64' | 'hex'

/** Which bytes, and how to show them. */
export interface BytesQuery {
  /** ≥ 0 */
  offset: number
  /** 1 to 1,048,576 */
  limit: number
  encoding: ByteEncoding
}

export interface BytesPage {
  unit: 'bytes'
  encoding: ByteEncoding
  startByte: number
  endByte: number
  replacements: number
  contentBytes: number
  /** As asked for. */
  offset: number
  limit: number
  byteCount: number
  /** Bytes of the window that belong to a character which an edge cuts. */
  trimmedStart: number
  trimmedEnd: number
  nextOffset: number | null
  truncated: boolean
}

/**
 * Reads a window of raw bytes. In a text encoding, well-formed characters that straddle an edge are left out, and a
 * window that this empties grows to the first whole character.
 * @throws Problem STORAGE_UNAVAILABLE
 */
export function readBytes (file: OpenFile, query: BytesQuery, reading: Reading): BytesPage {
  const { encoding } = query
  if (encoding === 'base64' || encoding === 'hex') return readVerbatim(file, query, encoding, reading)
  const { startByte, endByte, trimmedEnd } = textEdges(file, query, encoding)
  const { contentBytes, replacements } = decodeWindow(file, startByte, endByte, encoding, reading)
  return page(file, query, { startByte, endByte, trimmedEnd, contentBytes, replacements })
}

interface Edges { startByte: number, endByte: number, trimmedEnd: number }

interface WindowRead extends Edges { contentBytes: number, replacements: number }

function page (file: OpenFile, query: BytesQuery, read: WindowRead): BytesPage {
  const { startByte, trimmedEnd, contentBytes, replacements } = read
  // A truncation seen while reading makes the end then seen the end of the page too.
  const endByte = Math.min(read.endByte, Math.max(file.extent, startByte))
  const truncated = endByte < file.extent
  return {
    unit: 'bytes',
    encoding: query.encoding,
    offset: query.offset,
    limit: query.limit,
    startByte,
    endByte,
    replacements,
    contentBytes,
    byteCount: endByte - startByte,
    trimmedStart: Math.max(0, startByte - query.offset),
    trimmedEnd: endByte < read.endByte ? 0 : trimmedEnd,
    nextOffset: truncated ? endByte : null,
    truncated
  }
}

function textEdges (file: OpenFile, query: BytesQuery, encoding: Encoding): Edges {
  const { extent } = file
  if (query.offset >= extent) return { startByte: extent, endByte: extent, trimmedEnd: 0 }
  const windowEnd = Math.min(query.offset + query.limit, extent)
  const startByte = straddling(file, encoding, query.offset)?.end ?? query.offset
  const endByte = straddling(file, encoding, windowEnd)?.start ?? windowEnd
  if (startByte < endByte) return { startByte, endByte, trimmedEnd: windowEnd - endByte }
  return { startByte, endByte: startByte + firstLength(file, encoding, startByte), trimmedEnd: 0 }
}

/** The well-formed character that begins before an edge and ends behind it. Looks at 3 bytes on either side. */
function straddling (file: OpenFile, encoding: Encoding, edge: number): { start: number, end: number } | undefined {
  const first = Math.max(0, edge - REACH)
  const bytes = Buffer.alloc(2 * REACH)
  const got = file.lookAt(bytes, 0, edge + REACH - first, first)
  const unit = unitBytes(encoding)
  for (let start = edge - 1; start >= first; start--) {
    if (start % unit !== 0 || start >= first + got) continue
    const end = start + classify(encoding, bytes, start - first, got)
    if (end > edge) return { start, end }
  }
  return undefined
}

/** The length of the character or malformed sequence that starts at a byte; 0 at the end of file. */
function firstLength (file: OpenFile, encoding: Encoding, byte: number): number {
  const bytes = Buffer.alloc(MAX_CHARACTER_BYTES)
  const got = file.read(bytes, 0, bytes.length, byte)
  if (got === 0) return 0
  // The second half of a malformed UTF-16 unit.
  if (byte % unitBytes(encoding) !== 0) return 1
  const kind = classify(encoding, bytes, 0, got)
  return kind === 0 ? got : Math.abs(kind)
}

function decodeWindow (file: OpenFile, startByte: number, endByte: number, encoding: Encoding, reading: Reading) {
  const { input } = reading.kernel
  let byte = startByte
  let contentBytes = 0
  let replacements = 0
  while (byte < endByte) {
    reading.checkpoint()
    // Half a unit, at an odd offset, is a malformed sequence by itself.
    const isHalf = byte % unitBytes(encoding) !== 0
    const got = file.read(input, 0, isHalf ? 1 : Math.min(input.length, endByte + REACH - byte), byte)
    if (got === 0) break
    const limit = Math.min(got, endByte - byte)
    const whole = { encoding, source: input, from: 0, to: got, limit, final: isHalf || byte + got >= file.extent }
    const room = reading.output.length - contentBytes
    let decoded = transcode(whole, reading.output, contentBytes, room)
    // What is left is the part of a malformed sequence that the edge leaves here.
    if (decoded.position === 0) {
      decoded = transcode({ ...whole, to: limit, final: true }, reading.output, contentBytes, room)
    }
    contentBytes += decoded.written
    replacements += decoded.replacements
    byte += decoded.position
  }
  return { contentBytes, replacements }
}

function readVerbatim (
  file: OpenFile, query: BytesQuery, encoding: 'base64' | 'hex', reading: Reading
): BytesPage {
  const startByte = Math.min(query.offset, file.extent)
  const endByte = Math.min(query.offset + query.limit, file.extent)
  // A multiple of 3, so that the base64 of the chunks joins to that of the window.
  const { input } = reading.kernel
  const step = input.length - input.length % 3
  let contentBytes = 0
  for (let byte = startByte; byte < endByte; byte += step) {
    reading.checkpoint()
    const got = file.read(input, 0, Math.min(step, endByte - byte), byte)
    const text = input.toString(encoding, 0, got)
    contentBytes += reading.output.write(text, contentBytes, 'latin1')
    if (got < step) break
  }
  return page(file, query, { startByte, endByte, trimmedEnd: 0, contentBytes, replacements: 0 })
}
