import type { Position } from '../files/position.js'
import type { Reset } from '../pages/tail.js'

/** The page that was handed out last. */
export interface HandedOutPage {
  startByte: number
  reset: Reset | null
  /** The position before the page: what acknowledges the page before it. */
  previous: Position
  /** Where the page came in place of one whose bytes were gone: what acknowledges the page before that one. */
  insteadOf?: Acknowledged
}

/** The page that led to a position. */
export interface Acknowledged { seq: number, position: Position }

/** How far a run has come in a file. */
export interface Cursor {
  /** Random, made with the cursor: one that was forgotten and made anew is another. */
  id: string
  /** Pages handed out: 0 to 2^53-1. */
  seq: number
  /** Where the next page begins. */
  position: Position
  /** Null before any, and where the cursor was restored from a token. */
  page: HandedOutPage | null
}

/** What a cursor belongs to. */
export interface CursorKey {
  /** The name of the caller's token; empty where no tokens are configured. Holds no colon. */
  owner: string
  run: string
  /** The normalised path. */
  path: string
}
