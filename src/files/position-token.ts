import { hash } from 'node:crypto'
import type { Position } from './position.js'

/** What an opaque token of a position says. Tokens are unsigned: it is in range, and no more is known. */
export interface PositionToken {
  /** A letter: what kind of token it is. */
  kind: string
  /** What is counted up to the position: 0 to 2^53-1. */
  number: number
  position: Position
  /** `bindingOf` what the token was made for. */
  binding: string
}

const FORM = /^1([a-z])\.(0|[1-9]\d{0,15})\.(0|[1-9]\d{0,15})\.([\w-]{16})\.([\w-]{16})\.([\w-]{8})$/

/** Binds a token to what it is made for: it is of no use for anything else. */
export function bindingOf (...parts: string[]): string {
  return hash('sha256', parts.join('\0'), 'base64url').slice(0, 8)
}

export function formatPositionToken ({ kind, number, position, binding }: PositionToken): string {
  return [`1${kind}`, number, position.byte, position.identity, position.digest, binding].join('.')
}

/** Null if it is none, or out of range. */
export function parsePositionToken (token: string): PositionToken | null {
  const match = FORM.exec(token)
  if (match === null) return null
  const [, kind, digits, byteDigits, identity, digest, binding] = match as unknown as string[]
  const [number, byte] = [Number(digits), Number(byteDigits)]
  if (!Number.isSafeInteger(number) || !Number.isSafeInteger(byte)) return null
  return { kind: kind!, number, position: { byte, identity: identity!, digest: digest! }, binding: binding! }
}
