import { CHUNK_BYTES, type Kernel } from '../text/kernel.js'
import { BODY_OFFSET, TRAILER_BYTES, type BodyFormat } from './messages.js'

export interface PutBody { bodyBytes: number, body: ArrayBuffer | null }

/**
 * Puts content (UTF-8) where the main thread can send it from: into the slot from BODY_OFFSET on, or, if there is none
 * or it does not fit, into memory of its own, with BODY_OFFSET of room before it too.
 */
export function putBody (content: Buffer, format: BodyFormat, slot: Uint8Array | null, kernel: Kernel): PutBody {
  const place = new Place(slot ?? new Uint8Array(BODY_OFFSET + content.length + TRAILER_BYTES))
  if (format === 'text') {
    place.put(content)
  } else {
    for (let from = 0; from < content.length; from += CHUNK_BYTES) {
      place.put(kernel.escapeJson(content.copy(kernel.input, 0, from, from + CHUNK_BYTES)))
    }
  }
  const { bodyBytes, target } = place
  return { bodyBytes, body: target === slot ? null : target.buffer as ArrayBuffer }
}

/** Takes a body piece by piece, and moves to memory with room for it where it does not fit. */
class Place {
  target: Uint8Array
  bodyBytes = 0

  constructor (target: Uint8Array) {
    this.target = target
  }

  put (piece: Uint8Array): void {
    const at = BODY_OFFSET + this.bodyBytes
    const neededBytes = at + piece.length + TRAILER_BYTES
    if (neededBytes > this.target.length) {
      const larger = new Uint8Array(Math.max(neededBytes, 2 * at))
      larger.set(this.target.subarray(0, at))
      this.target = larger
    }
    this.target.set(piece, at)
    this.bodyBytes += piece.length
  }
}
