import { Problem } from '../errors.js'
import type { Acknowledged, Cursor } from './cursor.js'
import type { Ack } from './cursor-token.js'

/**
 * What an `ack` acknowledges if the page after it was handed out already; null if it acknowledges the last page.
 * @throws Problem CURSOR_CONFLICT if it does neither
 */
export function retriedBy (ack: Ack, { seq, position, page }: Cursor): Acknowledged | null {
  if (isSame(ack, { seq, position })) return null
  const before = page === null ? [] : [{ seq: seq - 1, position: page.previous }, page.insteadOf]
  const retried = before.find(acknowledged => acknowledged !== undefined && isSame(ack, acknowledged))
  if (retried !== undefined) return retried
  throw new Problem(
    'CURSOR_CONFLICT',
    'This cursor has moved on, or is another one; go on with the `cursor` of the last page you have from it, or forget it with DELETE.',
    { seq, startByte: page?.startByte ?? position.byte, endByte: position.byte }
  )
}

function isSame (ack: Ack, { seq, position }: Acknowledged): boolean {
  if (ack.seq !== seq || ack.position === null) return ack.seq === seq
  const { byte, identity, digest } = ack.position
  return byte === position.byte && identity === position.identity && digest === position.digest
}
