import { hash } from 'node:crypto'
import type { OpenFile } from './open-file.js'

const HEAD_BYTES = 256
const TAIL_BYTES = 64

/** A place in a file, with what tells later whether it is still the same file and the bytes before it the same. */
export interface Position {
  /** Raw bytes before it. */
  byte: number
  /** `OpenFile.identity` */
  identity: string
  /** Of the first 256 and the last 64 bytes before the position. */
  digest: string
}

export function positionAt (file: OpenFile, byte: number): Position {
  return { byte, identity: file.identity, digest: digestBefore(file, byte) }
}

/** How a file differs from the one that a position was taken in. */
export type Difference = 'replaced' | 'truncated' | 'rewritten'

/** Compares a file with the one that a position was taken in. At byte 0 there is nothing that could differ. */
export function differenceAt (file: OpenFile, position: Position): Difference | null {
  if (position.byte === 0) return null
  if (position.identity !== file.identity) return 'replaced'
  if (position.byte > file.extent) return 'truncated'
  return digestBefore(file, position.byte) === position.digest ? null : 'rewritten'
}

const scratch = Buffer.alloc(HEAD_BYTES + TAIL_BYTES)

function digestBefore (file: OpenFile, byte: number): string {
  const head = file.read(scratch, 0, Math.min(HEAD_BYTES, byte), 0)
  const tailBytes = Math.min(TAIL_BYTES, byte)
  const tail = file.read(scratch, head, tailBytes, byte - tailBytes)
  return hash('sha256', scratch.subarray(0, head + tail), 'base64url').slice(0, 16)
}
