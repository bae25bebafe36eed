import pino, { type DestinationStream } from 'pino'

/** Lines are written together: a call of its own for each costs as much as reading a small page. */
const WRITE_BYTES = 4096
const WRITE_WITHIN_MS = 100
/** Where the reader of standard output stalls, lines beyond this are dropped: the service goes on. */
const MAX_WAITING_BYTES = 16_777_216

/** Standard output. The event loop does not wait for it; at the end of the process what is left is written. */
export function standardOutput (): DestinationStream {
  return pino.destination({
    dest: 1, sync: false, minLength: WRITE_BYTES, periodicFlush: WRITE_WITHIN_MS, maxLength: MAX_WAITING_BYTES
  })
}
