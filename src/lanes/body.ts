import { CHUNK_BYTES, type Kernel } from '../text/kernel.js'
import { BODY_OFFSET, TRAILER_BYTES, type BodyFormat } from './messages.js'

export interface PutBody { bodyBytes: number, body: ArrayBuffer | null }

/**
 * Puts content (UTF-8) where the main thread can send it from: into the slot from BODY_OFFSET on, or, if it does not
 * fit, into memory of its own, with BODY_OFFSET of room before it too.
 */
export function putBody (content: Buffer, format: BodyFormat, slot: SharedArrayBuffer, kernel: Kernel): PutBody {
  const room = slot.byteLength - BODY_OFFSET - TRAILER_BYTES
  if (format === 'text') return put([content], content.length, room, slot)
  if (content.length <= CHUNK_BYTES) {
    content.copy(kernel.input)
    const escaped = kernel.escapeJson(content.length)
    return put([escaped], escaped.length, room, slot)
  }
  const pieces: Uint8Array[] = []
  let bodyBytes = 0
  for (let from = 0; from < content.length; from += CHUNK_BYTES) {
    const length = content.copy(kernel.input, 0, from, from + CHUNK_BYTES)
    // The kernel's answer lasts until the next call.
    const piece = kernel.escapeJson(length).slice()
    pieces.push(piece)
    bodyBytes += piece.length
  }
  return put(pieces, bodyBytes, room, slot)
}

function put (pieces: Uint8Array[], bodyBytes: number, room: number, slot: SharedArrayBuffer): PutBody {
  const body = bodyBytes <= room ? null : new ArrayBuffer(BODY_OFFSET + bodyBytes + TRAILER_BYTES)
  const target = new Uint8Array(body ?? slot)
  let at = BODY_OFFSET
  for (const piece of pieces) {
    target.set(piece, at)
    at += piece.length
  }
  return { bodyBytes, body }
}
