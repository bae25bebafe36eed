import { hash } from 'node:crypto'
import type { Redis } from 'ioredis'
import { Problem } from '../errors.js'
import { plainError, runScript, type RedisScript } from '../redis.js'
import type { Cursor, CursorKey } from './cursor.js'
import { FORGET, FORGET_RUN, LOAD, MEND_INDEX, SAVE } from './redis-scripts.js'
import { fromFields, toFields } from './redis-value.js'
import type { CursorStore } from './store.js'

const PREFIX = 'artifact-pager:tail:'
/** 30 years: Redis refuses an expiry that overflows its milliseconds. */
const MAX_TTL_SECONDS = 1_000_000_000
const SCAN_COUNT = 1000
const SAVE_ATTEMPTS = 3

export interface RedisCursorStoreOptions {
  /** Made by `connectRedis`, so that it answers in time; the store closes it. */
  client: Redis
  /** How long a cursor is kept after the last call on it, 1 and above. */
  ttlSeconds: number
}

/** Keeps cursors in a Redis that replicas share. A transition is one script, so it happens whole or not at all. */
export class RedisCursorStore implements CursorStore {
  readonly #client: Redis
  readonly #ttlSeconds: number

  constructor ({ client, ttlSeconds }: RedisCursorStoreOptions) {
    this.#client = client
    this.#ttlSeconds = Math.min(ttlSeconds, MAX_TTL_SECONDS)
  }

  async load (key: CursorKey): Promise<Cursor | null> {
    const { cursor, index, member } = names(key)
    return readCursor(await this.#run(LOAD, [cursor, index], [this.#ttlSeconds, member]))
  }

  async save (key: CursorKey, expected: Cursor | null, next: Cursor): Promise<boolean> {
    const { cursor, index, member } = names(key)
    let fields = expected ? toFields(expected) : []
    for (let attempt = 0; attempt < SAVE_ATTEMPTS; attempt++) {
      const args = [this.#ttlSeconds, member, fields.length, ...fields, ...toFields(next)]
      const answer = await this.#run(SAVE, [cursor, index], args)
      if (answer === 1) return true
      const stored = readCursor(answer)
      if (stored?.id !== expected?.id || stored?.seq !== expected?.seq) return false
      // The same state, written differently: only what can be read may be replaced, and only if it is still there.
      fields = answer as string[]
    }
    return false
  }

  async forget ({ owner, run, path }: Parameters<CursorStore['forget']>[0]): Promise<number> {
    const { prefix, index } = runNames(owner, run)
    if (path === undefined) {
      const [forgotten, broken] = await this.#run(FORGET_RUN, [index], [prefix]) as [number, number]
      return broken ? await this.#forgetWithoutIndex(prefix, index) : forgotten
    }
    const { cursor, member } = names({ owner, run, path })
    const [forgotten, broken] = await this.#run(FORGET, [cursor, index], [member]) as [number, number]
    if (broken) await this.#mendIndex(prefix, index)
    return forgotten
  }

  async ping (): Promise<void> {
    await this.#ask(client => client.ping())
  }

  size (): undefined {}

  async close (): Promise<void> {
    this.#client.disconnect()
  }

  async #forgetWithoutIndex (prefix: string, index: string): Promise<number> {
    let forgotten = 0
    for await (const cursors of this.#scan(prefix, index)) {
      forgotten += await this.#ask(client => client.del(cursors))
    }
    // Last, so that a call that fails half-way can be repeated. Cursors that came meanwhile stay indexed.
    await this.#run(MEND_INDEX, [index], [this.#ttlSeconds])
    return forgotten
  }

  /** Until it is done nothing is saved in this run, so the scan misses nothing. */
  async #mendIndex (prefix: string, index: string): Promise<void> {
    const members: string[] = []
    for await (const cursors of this.#scan(prefix, index)) {
      members.push(...cursors.map(cursor => cursor.slice(prefix.length)))
    }
    await this.#run(MEND_INDEX, [index], [this.#ttlSeconds, ...members])
  }

  async * #scan (prefix: string, index: string): AsyncGenerator<string[]> {
    const pattern = `${prefix.replace(/[\\*?[\]]/g, '\\$&')}*`
    let from = '0'
    do {
      const [next, found] = await this.#ask(client => client.scan(from, 'MATCH', pattern, 'COUNT', SCAN_COUNT))
      const cursors = found.filter(name => name !== index)
      if (cursors.length > 0) yield cursors
      from = next
    } while (from !== '0')
  }

  #run (script: RedisScript, keys: string[], args: (string | number)[]): Promise<unknown> {
    return this.#ask(client => runScript(client, script, keys, args))
  }

  async #ask<Answer> (question: (client: Redis) => Promise<Answer>): Promise<Answer> {
    try {
      return await question(this.#client)
    } catch (error) {
      throw unavailable(plainError(error))
    }
  }
}

function readCursor (answer: unknown): Cursor | null {
  if (!Array.isArray(answer)) throw unreadable(new Error('the cursor or the index of its run has another type'))
  if (answer.length === 0) return null
  try {
    return fromFields(answer)
  } catch (error) {
    throw unreadable(error as Error)
  }
}

/** `{…}` is the part that tells the node of a cluster; no owner holds a colon, and none of ours a brace. */
function runNames (owner: string, run: string) {
  const prefix = `${PREFIX}{${encodeURIComponent(owner)}:${run}}:`
  return { prefix, index: `${prefix}paths` }
}

function names ({ owner, run, path }: CursorKey) {
  const { prefix, index } = runNames(owner, run)
  const member = hash('sha256', path, 'base64url')
  return { cursor: prefix + member, index, member }
}

function unavailable (cause: Error): Problem {
  const detail = 'The cursor store cannot be reached, does not answer or refuses. Retry later. A `POST` with `ack` set ' +
    'to the `cursor` of the last page you have (`0` if none) goes on from there, whatever was lost.'
  return Object.assign(new Problem('CURSOR_STORE_UNAVAILABLE', detail), { cause })
}

function unreadable (cause: Error): Problem {
  const detail = 'The cursor store holds a value for this run that cannot be read, and left it as it is. Send `DELETE` ' +
    'for the run, then `POST` with `ack` set to the `cursor` of the last page you have: it goes on from there.'
  return Object.assign(new Problem('CURSOR_STORE_UNAVAILABLE', detail), { cause })
}
