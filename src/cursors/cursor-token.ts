import { invalidParameter } from '../errors.js'
import { bindingOf, formatPositionToken, parsePositionToken } from '../files/position-token.js'
import type { Position } from '../files/position.js'
import type { Cursor, CursorKey } from './cursor.js'

/** What a caller acknowledges: the page that led to a position; `position` is null for `0`, «none yet». */
export interface Ack { seq: number, position: Position | null }

const KIND = 't'

/** The `cursor` of a page: enough to restore the cursor where the server has lost it. */
export function makeCursorToken ({ run, path }: CursorKey, { seq, position }: Cursor): string {
  return formatPositionToken({ kind: KIND, number: seq, position, binding: bindingOf(run, path) })
}

/**
 * Reads an `ack`. Tokens are unsigned: what this gives is in range, and no more is known.
 * @throws Problem INVALID_REQUEST
 */
export function parseAck (ack: string, { run, path }: CursorKey): Ack {
  if (ack === '0') return { seq: 0, position: null }
  const parsed = parsePositionToken(ack)
  // The next page has one more.
  if (parsed?.kind !== KIND || !Number.isSafeInteger(parsed.number + 1)) {
    throw invalidParameter('ack', '`ack` is no cursor of this service; give the `cursor` of the last page unchanged, or `0`.')
  }
  const { number, position, binding } = parsed
  if (binding !== bindingOf(run, path)) {
    throw invalidParameter('ack', '`ack` is the cursor of another run or path; give the one of the last page of this run and path, or `0`.')
  }
  return { seq: number, position }
}
