import { hash } from 'node:crypto'
import type { OpenFile } from './open-file.js'

const HEAD_BYTES = 256
const TAIL_BYTES = 64

/** A place in a file, with what tells later whether it is still the same file and the bytes before it the same. */
export interface Position {
  /** Raw bytes before it: 0 to 2^53-1. */
  byte: number
  /** `OpenFile.identity` */
  identity: string
  /** Of the first 256 and the last 64 bytes before the position. */
  digest: string
}

export function positionAt (file: OpenFile, byte: number): Position {
  return { byte, identity: file.identity, digest: digestBefore(file, byte).digest }
}

/** How a file differs from the one that a position was taken in. */
export const DIFFERENCES = ['replaced', 'truncated', 'rewritten'] as const
export type Difference = typeof DIFFERENCES[number]

/** Compares a file with the one that a position was taken in. At byte 0 there is nothing that could differ. */
export function differenceAt (file: OpenFile, position: Position): Difference | null {
  if (position.byte === 0) return null
  if (position.identity !== file.identity) return 'replaced'
  if (position.byte > file.extent) return 'truncated'
  const { digest, whole } = digestBefore(file, position.byte)
  if (!whole) return 'truncated'
  return digest === position.digest ? null : 'rewritten'
}

const scratch = Buffer.alloc(HEAD_BYTES + TAIL_BYTES)

/** The digest before a byte; not `whole` if the file turns out to end before it. */
function digestBefore (file: OpenFile, byte: number): { digest: string, whole: boolean } {
  const headBytes = Math.min(HEAD_BYTES, byte)
  const tailBytes = Math.min(TAIL_BYTES, byte)
  const head = file.lookAt(scratch, 0, headBytes, 0)
  const tail = file.lookAt(scratch, head, tailBytes, byte - tailBytes)
  const digest = hash('sha256', scratch.subarray(0, head + tail), 'base64url').slice(0, 16)
  return { digest, whole: head === headBytes && tail === tailBytes }
}
