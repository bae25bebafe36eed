import { bindingOf, formatPositionToken, parsePositionToken } from '../files/position-token.js'
import { differenceAt, positionAt, type Position } from '../files/position.js'
import type { OpenFile } from '../files/open-file.js'
import { Problem, invalidParameter } from '../errors.js'

/** A line or character number and the byte where it is. */
export interface At extends Position {
  unit: 'line' | 'char'
  number: number
  /** The byte is inside the line, not at its start: good only for finding later lines. */
  midLine: boolean
}

/** Makes the token of a place in an open file. */
export function makeAt (
  file: OpenFile, path: string, unit: At['unit'], number: number, byte: number, midLine = false
): string {
  const kind = unit === 'char' ? 'c' : midLine ? 'm' : 'l'
  return formatPositionToken({ kind, number, position: positionAt(file, byte), binding: bindingOf(path) })
}

/**
 * Reads a token that came with a request. Tokens are unsigned: what this gives is in range, and no more is known.
 * @param start the line or character that the request starts at
 * @throws Problem INVALID_REQUEST
 */
export function parseAt (token: string, path: string, unit: At['unit'], start: number): At {
  const parsed = parsePositionToken(token)
  if (parsed === null || !'lmc'.includes(parsed.kind)) {
    throw invalidParameter('at', '`at` is no token of this service; take it unchanged from a `next` link, or leave it out.')
  }
  const { kind, number, position, binding } = parsed
  if (binding !== bindingOf(path)) {
    throw invalidParameter('at', '`at` is of another path; use it only with the `path` it came with, or leave it out.')
  }
  if (unit !== (kind === 'c' ? 'char' : 'line')) {
    throw invalidParameter('at', '`at` is of another unit (lines or characters); leave it out.')
  }
  const at: At = { unit, number, ...position, midLine: kind === 'm' }
  if (start < at.number + (at.midLine ? 1 : 0) || (unit === 'line' && at.number === 0)) {
    throw invalidParameter('at', '`at` lies after the start that was asked for; leave it out.')
  }
  return at
}

/** @throws Problem FILE_CHANGED if the file is not the one, or no longer holds the bytes, that the token is of */
export function checkAt (file: OpenFile, at: At): void {
  const difference = differenceAt(file, at)
  if (difference === null) return
  throw new Problem('FILE_CHANGED', `The file was ${difference} since \`at\` was made; read it anew from its start, without \`at\`.`)
}
