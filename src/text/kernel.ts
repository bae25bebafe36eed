import type { Encoding } from './encoding.js'

/** Files are read and scanned in chunks of this size, in bytes. */
export const CHUNK_BYTES = 65_536

/**
 * Counting and escaping over one chunk of bytes. A kernel owns its memory: `input` is where the caller puts the
 * bytes (reading a file straight into it), and the other methods work on ranges of it. Not for use by two
 * readers at once.
 */
export interface Kernel {
  /**
   * At a fixed place for the life of the kernel. Its length is what readers take for that of a chunk: CHUNK_BYTES; a
   * test of theirs may give less, MAX_CHARACTER_BYTES at least.
   */
  readonly input: Buffer

  /** How many line feeds or characters the last seek passed. */
  readonly found: number

  /** The index in `input` just past what the last seek passed. */
  readonly position: number

  /**
   * Passes `count` (≥ 0) line feeds in input[from, to). Sets `found`, and `position`: just past the line feed that
   * was number `count`; `from` if `count` is 0; else, when there are fewer, `to` (in UTF-16 less an odd last byte).
   * Code units are counted from `from`.
   */
  seekLines (encoding: Encoding, from: number, to: number, count: number): void

  /**
   * Passes `count` (≥ 0) characters in input[from, to), which must start at a character. A character is a code
   * point; a malformed sequence (WHATWG: a maximal subpart; a lone surrogate) is one. Bytes at the end that are a
   * proper prefix of a well-formed character (in UTF-16 also: an odd byte, a high surrogate, both) are not passed.
   */
  seekChars (encoding: Encoding, from: number, to: number, count: number): void

  /**
   * Escapes input[0, length), valid UTF-8, as the inside of a JSON string, as JSON.stringify does. The answer is a
   * view that is valid until the next call.
   */
  escapeJson (length: number): Uint8Array
}
