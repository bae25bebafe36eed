import { unitBytes, type Encoding } from './encoding.js'

/**
 * The index just past the last line feed in source[from, to), or `from` if there is none.
 * In UTF-16 units are counted from `from`.
 */
export function lastLineFeedEnd (encoding: Encoding, source: Buffer, from: number, to: number): number {
  if (encoding === 'utf-8') {
    const index = source.subarray(from, to).lastIndexOf(0x0A)
    return from + index + 1
  }
  for (let end = to - (to - from) % 2; end > from; end -= 2) {
    if (endsWithLineFeed(encoding, source, from, end)) return end
  }
  return from
}

/** Whether the last code unit of source[from, to) is a line feed. */
export function endsWithLineFeed (encoding: Encoding, source: Uint8Array, from: number, to: number): boolean {
  const unit = unitBytes(encoding)
  if (to - from < unit || (to - from) % unit !== 0) return false
  if (encoding === 'utf-16le') return source[to - 2] === 0x0A && source[to - 1] === 0
  return source[to - 1] === 0x0A && (encoding === 'utf-8' || source[to - 2] === 0)
}
