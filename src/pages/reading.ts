import type { Kernel } from '../text/kernel.js'

/** The most bytes of content that a page of any unit has. */
export const MAX_CONTENT_BYTES = 1_048_576

/** How far a scan has come: a line or character number, its raw byte, and the `at` token of the place. */
export interface Reached { unit: 'line' | 'char', number: number, byte: number, at: string }

/** What a page reader works with. It knows no clock and no caller. */
export interface Reading {
  kernel: Kernel
  /** Where content goes, as UTF-8: at least PAGE_BUFFER_BYTES long. */
  output: Buffer
  /**
   * Called between chunks. Throws when the caller has gone or the time is over; while a far-away start is being
   * scanned for, `reached` tells how far the scan has come, so that it can be gone on from there.
   */
  checkpoint: (reached?: () => Reached) => void
}

/** Room for any page: a window of bytes of which each becomes U+FFFD, or lines with the marks of 500 clipped ones. */
export const PAGE_BUFFER_BYTES = 3 * MAX_CONTENT_BYTES + 65_536
