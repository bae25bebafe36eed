import { MAX_CONTENT_BYTES } from '../pages/reading.js'
import { BODY_OFFSET } from './messages.js'

const SLOTS = 32
/**
 * Room for the largest page of text, and for the escapes that such a page commonly has in JSON. A multiple of the size
 * of a memory page, so that a slot takes no more memory than was written to it.
 */
const SLOT_BYTES = BODY_OFFSET + MAX_CONTENT_BYTES + 131_072

/**
 * Memory that lanes write bodies into and the main thread sends them from: shared by all, in slots, of which only what
 * was written takes memory. They are used again and again: a fresh buffer a body would cost several full collections a
 * second, and leave the heap of the C library in pieces.
 */
export class Slots {
  readonly memory = new SharedArrayBuffer(SLOTS * SLOT_BYTES)
  /** Bytes of bodies that are in no slot and have not been sent yet. */
  unsentBytes = 0
  private readonly buffers = slotsOf(this.memory)
  private readonly free = Array.from(this.buffers.keys()).reverse()

  /** The number of a slot, the one that was given back last; null if all are taken. */
  take (): number | null {
    return this.free.pop() ?? null
  }

  give (slot: number): void {
    this.free.push(slot)
  }

  buffer (slot: number): Buffer {
    return this.buffers[slot]!
  }
}

/** The slots that a memory has. A body is at BODY_OFFSET, with TRAILER_BYTES of room behind it. */
export function slotsOf (memory: SharedArrayBuffer): Buffer[] {
  const slots = memory.byteLength / SLOT_BYTES
  return Array.from({ length: slots }, (_, slot) => Buffer.from(memory, slot * SLOT_BYTES, SLOT_BYTES))
}
