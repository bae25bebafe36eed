/** The encodings a file of text may have. A byte order mark selects one; without a mark it is UTF-8. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be'

/** Bytes of a code unit: characters and line feeds start at multiples of it from the start of the file. */
export function unitBytes (encoding: Encoding): 1 | 2 {
  return encoding === 'utf-8' ? 1 : 2
}

/** The longest byte order mark, in bytes. */
export const MAX_MARK_BYTES = 3

export interface Mark { encoding: Encoding, markBytes: 0 | 2 | 3 }

/**
 * Tells the encoding from the first bytes of a file (at most three are looked at).
 * @see https://encoding.spec.whatwg.org/#bom-sniff
 */
export function detectMark (head: Uint8Array): Mark {
  if (head[0] === 0xEF && head[1] === 0xBB && head[2] === 0xBF) return { encoding: 'utf-8', markBytes: 3 }
  if (head[0] === 0xFF && head[1] === 0xFE) return { encoding: 'utf-16le', markBytes: 2 }
  if (head[0] === 0xFE && head[1] === 0xFF) return { encoding: 'utf-16be', markBytes: 2 }
  return { encoding: 'utf-8', markBytes: 0 }
}

/** Whether more bytes could still make these few (a whole file, so far) start with a byte order mark. */
export function mayBecomeMark (head: Uint8Array): boolean {
  if (head.length === 1) return head[0] === 0xEF || head[0] === 0xFF || head[0] === 0xFE
  return head.length === 2 && head[0] === 0xEF && head[1] === 0xBB
}

/** The code unit of UTF-16 at an index. */
export function unitAt (encoding: Encoding, source: Uint8Array, at: number): number {
  return encoding === 'utf-16le' ? source[at]! | (source[at + 1]! << 8) : (source[at]! << 8) | source[at + 1]!
}
