import { invalidParameter } from '../errors.js'
import { bindingOf } from '../pages/at-token.js'
import type { Cursor, CursorKey, CursorPosition } from './cursor.js'

/** What a caller acknowledges: the page that led to a position; `position` is null for `0`, «none yet». */
export interface Ack { seq: number, position: CursorPosition | null }

const FORM = /^1t\.(0|[1-9]\d{0,15})\.(0|[1-9]\d{0,15})\.([\w-]{16})\.([\w-]{16})\.([\w-]{8})$/

/** The `cursor` of a page: enough to restore the cursor where the server has lost it. */
export function makeCursorToken ({ run, path }: CursorKey, { seq, position }: Cursor): string {
  return ['1t', seq, position.byte, position.identity, position.digest, bindingOf(run, path)].join('.')
}

/**
 * Reads an `ack`. Tokens are unsigned: what this gives is in range, and no more is known.
 * @throws Problem INVALID_REQUEST
 */
export function parseAck (ack: string, { run, path }: CursorKey): Ack {
  if (ack === '0') return { seq: 0, position: null }
  const [, seq, byte, identity, digest, binding] = ack.match(FORM) ?? []
  if (seq === undefined || !Number.isSafeInteger(Number(seq) + 1) || !Number.isSafeInteger(Number(byte))) {
    throw invalidParameter('ack', '`ack` is no cursor of this service; give the `cursor` of the last page unchanged, or `0`.')
  }
  if (binding !== bindingOf(run, path)) {
    throw invalidParameter('ack', '`ack` is the cursor of another run or path; give the one of the last page of this run and path, or `0`.')
  }
  return { seq: Number(seq), position: { byte: Number(byte), identity: identity!, digest: digest! } }
}
