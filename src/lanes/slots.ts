import { CHUNK_BYTES } from '../text/kernel.js'
import { BODY_OFFSET, TRAILER_BYTES } from './messages.js'

/** A slot holds a page of a chunk's size, and one of half that size with every other byte escaped. */
const SLOT_BYTES = BODY_OFFSET + CHUNK_BYTES + TRAILER_BYTES
const MAX_SPARE = 64

/** Memory that a lane writes a page's body into and the main thread sends it from. */
export interface Slot { shared: SharedArrayBuffer, buffer: Buffer }

/** Slots are used again and again: fresh ones would cost several full collections a second. */
export class Slots {
  private readonly spare: Slot[] = []

  /** Bytes of bodies that did not fit in a slot and have not been sent yet. */
  unsentBytes = 0

  take (): Slot {
    const spare = this.spare.pop()
    if (spare !== undefined) return spare
    const shared = new SharedArrayBuffer(SLOT_BYTES)
    return { shared, buffer: Buffer.from(shared) }
  }

  give (slot: Slot): void {
    if (this.spare.length < MAX_SPARE) this.spare.push(slot)
  }
}
