import { endOf, markOf, pageOf, restOf } from './tail-text.js'

/** A file as the model has it; another `generation` is another file. */
export interface ModelFile { bytes: Buffer, generation: number }

/** A position, with what a cursor remembers of the file. */
export interface Place { byte: number, generation: number, before: string }

/** What a cursor token says. */
export interface Acknowledged { seq: number, place: Place }

interface Handed {
  startByte: number
  content: string
  replacements: number
  reset: Reset | null
  /** What asks for it again. */
  previous: Acknowledged[]
}
interface Reset { reason: 'replaced' | 'truncated' | 'rewritten', fromByte: number }
interface Cursor extends Acknowledged { page: Handed | null }

export interface ModelCall {
  /** What is acknowledged; `zero`: none yet, null: no `ack`. */
  ack: Acknowledged | 'zero' | null
  maxBytes: number
  flush: boolean
  from: 'start' | 'end'
}

/** What a call must answer: a page's members, or a problem's. */
export type Expected = { status: number, body: Record<string, unknown> }

/** The cursor of one run and path, as the contract (4.5) has it, and nothing else. */
export class TailModel {
  file: ModelFile | null = null
  cursor: Cursor | null = null

  /** The answer, and what its `cursor` acknowledges; the cursor moves. */
  post (call: ModelCall): { expected: Expected, token?: Acknowledged } {
    const { ack } = call
    const matched = this.cursor && ack && match(this.cursor, ack)
    if (this.cursor && matched === 'neither') return { expected: conflict(this.cursor) }
    if (this.file === null) return { expected: notFound() }
    const created = this.cursor === null
    const cursor = this.cursor ?? begin(this.file, call)
    const retried = typeof matched === 'object' ? matched : null
    if (retried && !differenceOf(this.file, cursor.place)) return replay(this.file, cursor, call)
    const { expected, next } = advance(this.file, cursor, call, created, retried)
    this.cursor = next
    return { expected, token: next }
  }

  peek (call: Omit<ModelCall, 'ack'>): Expected {
    if (this.file === null) return notFound()
    const cursor = this.cursor ?? begin(this.file, { ...call, ack: null })
    const { expected } = advance(this.file, cursor, call, this.cursor === null, null)
    return { ...expected, body: { ...expected.body, cursor: null } }
  }
}

function replay (file: ModelFile, cursor: Cursor, { flush }: ModelCall): { expected: Expected, token: Acknowledged } {
  const { seq, place, page } = cursor
  const { startByte, content, replacements, reset } = page!
  const facts = { startByte, endByte: place.byte, content, replacements, reset, seq, created: false, replayed: true }
  return { expected: answer(file, facts, flush), token: cursor }
}

function advance (
  file: ModelFile, cursor: Cursor, { maxBytes, flush }: Pick<ModelCall, 'maxBytes' | 'flush'>,
  created: boolean, retried: Acknowledged | null
): { expected: Expected, next: Cursor } {
  const reset = differenceOf(file, cursor.place)
  const startByte = reset ? 0 : cursor.place.byte
  const { endByte, content, replacements } = pageOf(file.bytes, startByte, maxBytes, flush)
  const isHandedOut = content !== '' || reset !== null
  const seq = cursor.seq + (isHandedOut ? 1 : 0)
  const facts = { startByte, endByte, content, replacements, reset, seq, created, replayed: false }
  const expected = answer(file, facts, flush)
  if (!isHandedOut) return { expected, next: cursor }
  const { place, seq: lastSeq } = cursor
  const previous = [{ seq: lastSeq, place }, ...retried ? [retried] : []]
  const page = { startByte, content, replacements, reset, previous }
  return { expected, next: { seq, place: placeAt(file, endByte), page } }
}

interface Facts { startByte: number, endByte: number, content: string, replacements: number, seq: number }

function answer (file: ModelFile, facts: Facts & Record<string, unknown>, flush: boolean): Expected {
  const { startByte, endByte } = facts
  const size = file.bytes.length
  return {
    status: 200,
    body: {
      unit: 'tail',
      encoding: markOf(file.bytes).encoding,
      ...facts,
      byteCount: endByte - startByte,
      eof: endByte === size,
      pendingBytes: size - endByte,
      ...restOf(file.bytes, endByte, flush)
    }
  }
}

function begin (file: ModelFile, { ack, from }: ModelCall): Cursor {
  if (ack && ack !== 'zero') return { ...ack, page: null }
  return { seq: 0, place: placeAt(file, from === 'end' ? endOf(file.bytes) : 0), page: null }
}

function match ({ seq, place, page }: Cursor, ack: Acknowledged | 'zero'): 'last' | Acknowledged | 'neither' {
  const isSame = (one: Acknowledged): boolean => ack === 'zero' ? one.seq === 0 : isEqual(one, ack)
  if (isSame({ seq, place })) return 'last'
  return page?.previous.find(isSame) ?? 'neither'
}

function isEqual (one: Acknowledged, other: Acknowledged): boolean {
  return one.seq === other.seq && one.place.byte === other.place.byte &&
    one.place.generation === other.place.generation && one.place.before === other.place.before
}

function placeAt ({ bytes, generation }: ModelFile, byte: number): Place {
  return { byte, generation, before: digested(bytes, byte) }
}

function digested (bytes: Buffer, byte: number): string {
  const before = bytes.subarray(0, byte)
  return `${before.toString('hex', 0, 256)} ${before.subarray(Math.max(0, byte - 64)).toString('hex')}`
}

function differenceOf ({ bytes, generation }: ModelFile, place: Place): Reset | null {
  const { byte: fromByte } = place
  if (fromByte === 0) return null
  if (generation !== place.generation) return { reason: 'replaced', fromByte }
  if (bytes.length < fromByte) return { reason: 'truncated', fromByte }
  return digested(bytes, fromByte) === place.before ? null : { reason: 'rewritten', fromByte }
}

function notFound (): Expected {
  return { status: 404, body: { code: 'FILE_NOT_FOUND' } }
}

function conflict ({ seq, place, page }: Cursor): Expected {
  const startByte = page?.startByte ?? place.byte
  return { status: 409, body: { code: 'CURSOR_CONFLICT', seq, startByte, endByte: place.byte } }
}
