import type { Cursor, CursorKey } from './cursor.js'

/**
 * What is asked of the store of cursors. Every call on a cursor renews its expiry.
 *
 * All reject with Problem CURSOR_STORE_UNAVAILABLE if the store cannot be reached, does not answer in time, refuses,
 * or holds a value that cannot be read; they never answer as if there were no cursor.
 */
export interface CursorCalls {
  /** The cursor, or null if there is none. */
  load (key: CursorKey): Promise<Cursor | null>

  /**
   * Compare and set: puts `next` if what is stored is still `expected` (the same `id` and `seq`; null: nothing).
   * Resolves to whether it did.
   */
  save (key: CursorKey, expected: Cursor | null, next: Cursor): Promise<boolean>

  /** Forgets a run's cursor for a path, or all of the run's; unreadable values too. Resolves to how many there were. */
  forget (key: Omit<CursorKey, 'path'> & { path?: string | undefined }): Promise<number>

  /** Rejects unless the store answers. */
  ping (): Promise<void>
}

/** Where cursors live. */
export interface CursorStore extends CursorCalls {
  /** How many cursors there are, where that is known without asking another machine. */
  size (): number | undefined

  close (): Promise<void>
}
