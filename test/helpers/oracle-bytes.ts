import type { Encoding } from '../../src/text/encoding.js'
import { charactersOf, countMalformed, joined } from './oracle.js'

export interface BytesAsked { offset: number, limit: number, encoding: Encoding | 'base64' | 'hex' }

/** The page that contract 4.4 wants, without `contentBytes`. */
export function expectedBytes (bytes: Buffer, asked: BytesAsked) {
  const { offset, limit, encoding } = asked
  const size = bytes.length
  const windowEnd = Math.min(offset + limit, size)
  const verbatim = encoding === 'base64' || encoding === 'hex'
  const edges = offset >= size
    ? { startByte: size, endByte: size, trimmedStart: 0, trimmedEnd: 0 }
    : verbatim
      ? { startByte: offset, endByte: windowEnd, trimmedStart: 0, trimmedEnd: 0 }
      : textEdges(bytes, offset, windowEnd, encoding)
  const shown = bytes.subarray(edges.startByte, edges.endByte)
  const characters = verbatim ? [] : windowCharacters(encoding, shown, edges.startByte, edges.endByte < size)
  const truncated = edges.endByte < size
  return {
    content: verbatim ? shown.toString(encoding) : joined(characters),
    page: {
      unit: 'bytes',
      ...asked,
      ...edges,
      byteCount: shown.length,
      replacements: countMalformed(characters),
      nextOffset: truncated ? edges.endByte : null,
      truncated
    }
  }
}

function textEdges (bytes: Buffer, offset: number, windowEnd: number, encoding: Encoding) {
  // From byte 0 on: marks mean nothing here, and units of UTF-16 lie at even offsets.
  const all = charactersOf(encoding, bytes)
  const straddling = (edge: number) => all.find(({ start, end, malformed }) => !malformed && start < edge && edge < end)
  const startByte = straddling(offset)?.end ?? offset
  const endByte = straddling(windowEnd)?.start ?? windowEnd
  if (startByte < endByte) {
    return { startByte, endByte, trimmedStart: startByte - offset, trimmedEnd: windowEnd - endByte }
  }
  const first = all.find(({ start }) => start >= startByte)
  return { startByte, endByte: first?.end ?? bytes.length, trimmedStart: startByte - offset, trimmedEnd: 0 }
}

/** What a window shows. Half a unit of UTF-16, at an odd offset or cut by the window's end, is a malformed sequence. */
function windowCharacters (encoding: Encoding, shown: Buffer, startByte: number, cut: boolean) {
  if (encoding === 'utf-8' || shown.length === 0) return charactersOf(encoding, shown)
  const from = startByte % 2
  const to = shown.length - (cut ? (shown.length - from) % 2 : 0)
  return [
    ...charactersOf(encoding, shown.subarray(0, from)),
    ...charactersOf(encoding, shown.subarray(0, to), from),
    ...charactersOf(encoding, shown.subarray(to), 0)
  ]
}
