import { hash } from 'node:crypto'
import type { Cursor, CursorKey, CursorPosition, CursorReset } from './cursor.js'
import type { CursorStore } from './store.js'

export interface MemoryCursorStoreOptions {
  /** The most cursors kept, 1 and above: 0.7 KiB each, twice that with what is yet to be collected. */
  maxCursors: number
  /** How long a cursor is kept after the last call on it, 1 and above. */
  ttlMs: number
  /** A clock that never goes back. */
  nowMs: () => number
}

/** An entry holds nothing of a request: a piece of a URL would keep the whole of it in memory. */
interface Entry {
  run: string
  path: string
  /** Packed: a fraction of the objects' size, and apart from what the caller holds. */
  cursor: string
  expiresAtMs: number
  older: Entry | undefined
  newer: Entry | undefined
}

/** Keeps cursors in this process; the least recently used goes first. Nothing rejects. */
export class MemoryCursorStore implements CursorStore {
  readonly #options: MemoryCursorStoreOptions
  /** By run, then by path. */
  readonly #runs = new Map<string, Map<string, Entry>>()
  // A list in the order of use, which is that of expiry: all entries live equally long. (The order of a Map would do
  // but for its oldest key, which costs a walk over every hole that deleting left in front of it.)
  #oldest: Entry | undefined
  #newest: Entry | undefined
  #size = 0

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
    const entries = this.#runs.get(runDigest(owner, run))
    if (!entries) return 0
    const named = path === undefined ? undefined : digest(path)
    const chosen = [...entries.values()].filter(entry => named === undefined || entry.path === named)
    for (const entry of chosen) this.#remove(entry)
    return chosen.length
  }

  async ping (): Promise<void> {}

  size (): number {
    this.#sweep()
    return this.#size
  }

  async close (): Promise<void> {
    this.#runs.clear()
    this.#oldest = this.#newest = undefined
    this.#size = 0
  }

  #find ({ owner, run, path }: CursorKey): Entry | undefined {
    return this.#runs.get(runDigest(owner, run))?.get(digest(path))
  }

  #use (entry: Entry): Cursor {
    this.#unlink(entry)
    this.#link(entry)
    return unpack(entry.cursor)
  }

  #add ({ owner, run, path }: CursorKey, next: Cursor): void {
    if (this.#size >= this.#options.maxCursors) this.#remove(this.#oldest!)
    const entry: Entry = {
      run: runDigest(owner, run),
      path: digest(path),
      cursor: pack(next),
      expiresAtMs: 0,
      older: undefined,
      newer: undefined
    }
    const entries = this.#runs.get(entry.run)
    if (entries) entries.set(entry.path, entry)
    else this.#runs.set(entry.run, new Map([[entry.path, entry]]))
    this.#link(entry)
    this.#size++
  }

  #remove (entry: Entry): void {
    const entries = this.#runs.get(entry.run)!
    entries.delete(entry.path)
    if (entries.size === 0) this.#runs.delete(entry.run)
    this.#unlink(entry)
    this.#size--
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

/** An owner holds no colon. */
function runDigest (owner: string, run: string): string {
  return digest(`${owner}:${run}`)
}

function digest (text: string): string {
  return hash('sha256', text, 'base64url')
}

type PackedPosition = [byte: number, identity: string, digest: string]

type PackedCursor = [
  id: string, seq: number, ...PackedPosition,
  page?: PackedPage
]

type PackedPage = [startByte: number, ...PackedPosition, reason?: CursorReset['reason'], fromByte?: number]

function pack ({ id, seq, position, page }: Cursor): string {
  const packed: PackedCursor = [id, seq, ...packPosition(position)]
  if (page) {
    const { startByte, previous, reset } = page
    const packedPage: PackedPage = [startByte, ...packPosition(previous)]
    if (reset) packedPage.push(reset.reason, reset.fromByte)
    packed.push(packedPage)
  }
  return JSON.stringify(packed)
}

function packPosition ({ byte, identity, digest }: CursorPosition): PackedPosition {
  return [byte, identity, digest]
}

function unpack (text: string): Cursor {
  const [id, seq, byte, identity, digest, page] = JSON.parse(text) as PackedCursor
  return { id, seq, position: { byte, identity, digest }, page: page ? unpackPage(page) : null }
}

function unpackPage ([startByte, byte, identity, digest, reason, fromByte]: PackedPage): Cursor['page'] {
  const reset = reason === undefined ? null : { reason, fromByte: fromByte! }
  return { startByte, reset, previous: { byte, identity, digest } }
}
