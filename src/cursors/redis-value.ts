import { DIFFERENCES, type Position } from '../files/position.js'
import { MAX_TAIL_BYTES, type Reset } from '../pages/tail.js'
import { MAX_CHARACTER_BYTES } from '../text/characters.js'
import type { Acknowledged, Cursor, HandedOutPage } from './cursor.js'

/** The longest page that is ever handed out, in bytes. */
const MAX_PAGE_BYTES = MAX_TAIL_BYTES + MAX_CHARACTER_BYTES
const MAX_TEXT_LENGTH = 256
const REASONS: ReadonlySet<string> = new Set(DIFFERENCES)

/** A cursor as the names and values of a hash, in turn. */
export function toFields ({ id, seq, position, page }: Cursor): string[] {
  const fields = ['id', id, 'seq', `${seq}`, ...positionFields('', position)]
  if (!page) return fields
  fields.push('page.startByte', `${page.startByte}`, ...positionFields('previous.', page.previous))
  const { insteadOf } = page
  if (insteadOf) fields.push('insteadOf.seq', `${insteadOf.seq}`, ...positionFields('insteadOf.', insteadOf.position))
  if (page.reset) fields.push('reset.reason', page.reset.reason, 'reset.fromByte', `${page.reset.fromByte}`)
  return fields
}

function positionFields (prefix: string, { byte, identity, digest }: Position): string[] {
  return [`${prefix}byte`, `${byte}`, `${prefix}identity`, identity, `${prefix}digest`, digest]
}

/**
 * The cursor that a hash holds. Nothing of it is trusted: a field that is missing, out of range or unknown makes the
 * whole unreadable.
 * @param fields names and values in turn, in any order
 * @throws Error
 */
export function fromFields (fields: string[]): Cursor {
  const values = new Map<string, string>()
  for (let index = 0; index < fields.length; index += 2) values.set(fields[index]!, fields[index + 1]!)
  const reader = new FieldReader(values)
  const cursor = { id: reader.text('id'), seq: reader.integer('seq'), position: reader.position(''), page: reader.page() }
  reader.end()
  const pageBytes = cursor.page ? cursor.position.byte - cursor.page.startByte : 0
  if (pageBytes < 0 || pageBytes > MAX_PAGE_BYTES) throw new Error(`the page has ${pageBytes} bytes`)
  return cursor
}

class FieldReader {
  readonly #values: Map<string, string>

  constructor (values: Map<string, string>) {
    this.#values = values
  }

  text (name: string): string {
    const value = this.#values.get(name)
    this.#values.delete(name)
    if (!value || value.length > MAX_TEXT_LENGTH) throw new Error(`field ${name} is missing, empty or too long`)
    return value
  }

  integer (name: string): number {
    const value = this.text(name)
    const number = Number(value)
    if (!/^(0|[1-9]\d*)$/.test(value) || !Number.isSafeInteger(number)) throw new Error(`field ${name} is out of range`)
    return number
  }

  position (prefix: string): Position {
    return {
      byte: this.integer(`${prefix}byte`),
      identity: this.text(`${prefix}identity`),
      digest: this.text(`${prefix}digest`)
    }
  }

  page (): HandedOutPage | null {
    if (!this.#values.has('page.startByte')) return null
    const page = { startByte: this.integer('page.startByte'), previous: this.position('previous.'), reset: this.#reset() }
    const insteadOf = this.#insteadOf()
    return insteadOf ? { ...page, insteadOf } : page
  }

  #insteadOf (): Acknowledged | null {
    if (!this.#values.has('insteadOf.seq')) return null
    return { seq: this.integer('insteadOf.seq'), position: this.position('insteadOf.') }
  }

  #reset (): Reset | null {
    if (!this.#values.has('reset.reason')) return null
    const reason = this.text('reset.reason')
    if (!REASONS.has(reason)) throw new Error('field reset.reason is none of the reasons')
    return { reason: reason as Reset['reason'], fromByte: this.integer('reset.fromByte') }
  }

  end (): void {
    if (this.#values.size > 0) throw new Error('there are unknown fields')
  }
}
