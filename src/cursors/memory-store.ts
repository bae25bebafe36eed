import { hash } from 'node:crypto'
import type { Cursor, CursorKey } from './cursor.js'
import type { Position } from '../files/position.js'
import type { Reset } from '../pages/tail.js'
import type { CursorStore } from './store.js'

export interface MemoryCursorStoreOptions {
  /** The most cursors kept, 1 and above: about half a KiB each. */
  maxCursors: number
  /** How long a cursor is kept after the last call on it, 1 and above. */
  ttlMs: number
  /** A clock that never goes back. */
  nowMs: () => number
}

/** An entry holds nothing of a request: a piece of a URL would keep the whole of it in memory. */
interface Entry {
  key: string
  run: string
  /** Packed: a fraction of the objects' size, and apart from what the caller holds. */
  cursor: string
  expiresAtMs: number
  older: Entry | undefined
  newer: Entry | undefined
  /** The others of its run. */
  previousOfRun: Entry | undefined
  nextOfRun: Entry | undefined
}

/** Keeps cursors in this process; the least recently used goes first. Nothing rejects. */
export class MemoryCursorStore implements CursorStore {
  readonly #options: MemoryCursorStoreOptions
  readonly #entries = new Map<string, Entry>()
  /** The first entry of each run: a list, since a Map a run would take more than the cursors do. */
  readonly #runs = new Map<string, Entry>()
  // A list in the order of use, which is that of expiry: all entries live equally long. (The order of a Map would do
  // but for its oldest key, which costs a walk over every hole that deleting left in front of it.)
  #oldest: Entry | undefined
  #newest: Entry | undefined

  constructor (options: MemoryCursorStoreOptions) {
    this.#options = options
  }

  async load (key: CursorKey): Promise<Cursor | null> {
    this.#sweep()
    const entry = this.#find(key)
    return entry ? this.#use(entry) : null
  }

  async save (key: CursorKey, expected: Cursor | null, next: Cursor): Promise<boolean> {
    this.#sweep()
    const entry = this.#find(key)
    const stored = entry ? this.#use(entry) : null
    if (stored?.id !== expected?.id || stored?.seq !== expected?.seq) return false
    if (entry) entry.cursor = pack(next)
    else this.#add(key, next)
    return true
  }

  async forget ({ owner, run, path }: Parameters<CursorStore['forget']>[0]): Promise<number> {
    this.#sweep()
    let forgotten = 0
    for (let entry = this.#first({ owner, run, path }); entry !== undefined; forgotten++) {
      const next = path === undefined ? entry.nextOfRun : undefined
      this.#remove(entry)
      entry = next
    }
    return forgotten
  }

  async ping (): Promise<void> {}

  size (): number {
    this.#sweep()
    return this.#entries.size
  }

  async close (): Promise<void> {
    this.#entries.clear()
    this.#runs.clear()
    this.#oldest = this.#newest = undefined
  }

  #find ({ owner, run, path }: CursorKey): Entry | undefined {
    return this.#entries.get(digest(owner, run, path))
  }

  #first ({ owner, run, path }: Parameters<CursorStore['forget']>[0]): Entry | undefined {
    return path === undefined ? this.#runs.get(digest(owner, run)) : this.#find({ owner, run, path })
  }

  #use (entry: Entry): Cursor {
    this.#unlink(entry)
    this.#link(entry)
    return unpack(entry.cursor)
  }

  #add ({ owner, run, path }: CursorKey, next: Cursor): void {
    if (this.#entries.size >= this.#options.maxCursors) this.#remove(this.#oldest!)
    const runDigest = digest(owner, run)
    const first = this.#runs.get(runDigest)
    const entry: Entry = {
      key: digest(owner, run, path),
      run: runDigest,
      cursor: pack(next),
      expiresAtMs: 0,
      older: undefined,
      newer: undefined,
      previousOfRun: undefined,
      nextOfRun: first
    }
    if (first) first.previousOfRun = entry
    this.#runs.set(entry.run, entry)
    this.#entries.set(entry.key, entry)
    this.#link(entry)
  }

  #remove (entry: Entry): void {
    const { previousOfRun: previous, nextOfRun: next } = entry
    if (next) next.previousOfRun = previous
    if (previous) previous.nextOfRun = next
    else if (next) this.#runs.set(entry.run, next)
    else this.#runs.delete(entry.run)
    this.#entries.delete(entry.key)
    this.#unlink(entry)
  }

  #sweep (): void {
    const nowMs = this.#options.nowMs()
    while (this.#oldest && this.#oldest.expiresAtMs <= nowMs) this.#remove(this.#oldest)
  }

  #link (entry: Entry): void {
    entry.expiresAtMs = this.#options.nowMs() + this.#options.ttlMs
    entry.older = this.#newest
    entry.newer = undefined
    if (this.#newest) this.#newest.newer = entry
    else this.#oldest = entry
    this.#newest = entry
  }

  #unlink ({ older, newer }: Entry): void {
    if (older) older.newer = newer
    else this.#oldest = newer
    if (newer) newer.older = older
    else this.#newest = older
  }
}

/** Of what a key is made of (none of its parts holds a NUL), as a string of bytes: the shortest that is no slice. */
function digest (...parts: string[]): string {
  return hash('sha256', parts.join('\0'), 'binary')
}

type PackedPosition = [byte: number, identity: string, digest: string]

type PackedCursor = [
  id: string, seq: number, ...PackedPosition,
  page?: PackedPage
]

type PackedPage = [
  startByte: number, ...PackedPosition,
  reason?: Reset['reason'], fromByte?: number,
  insteadOf?: [seq: number, ...PackedPosition]
]

function pack ({ id, seq, position, page }: Cursor): string {
  const packed: PackedCursor = [id, seq, ...packPosition(position)]
  if (page) {
    const { startByte, previous, reset, insteadOf } = page
    const packedPage: PackedPage = [startByte, ...packPosition(previous)]
    if (reset) packedPage.push(reset.reason, reset.fromByte)
    // A page comes instead of another because of a reset.
    if (reset && insteadOf) packedPage.push([insteadOf.seq, ...packPosition(insteadOf.position)])
    packed.push(packedPage)
  }
  return JSON.stringify(packed)
}

function packPosition ({ byte, identity, digest }: Position): PackedPosition {
  return [byte, identity, digest]
}

function unpack (text: string): Cursor {
  const [id, seq, byte, identity, digest, page] = JSON.parse(text) as PackedCursor
  return { id, seq, position: { byte, identity, digest }, page: page ? unpackPage(page) : null }
}

function unpackPage ([startByte, byte, identity, digest, reason, fromByte, insteadOf]: PackedPage): Cursor['page'] {
  const reset = reason === undefined ? null : { reason, fromByte: fromByte! }
  const page = { startByte, reset, previous: { byte, identity, digest } }
  if (!insteadOf) return page
  const [seq, ...position] = insteadOf
  return { ...page, insteadOf: { seq, position: { byte: position[0], identity: position[1], digest: position[2] } } }
}
