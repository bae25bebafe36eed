import { randomBytes } from 'node:crypto'
import { Problem } from '../errors.js'
import type { FileAddress } from '../files/open-file.js'
import type { Deadline } from '../lanes/deadline.js'
import { CallerGone } from '../lanes/interruption.js'
import type { BodyFormat, Job } from '../lanes/messages.js'
import type { ReadResult } from '../lanes/task.js'
import type { TailPage, TailQuery } from '../pages/tail.js'
import { retriedBy } from './acknowledgement.js'
import type { Acknowledged, Cursor, CursorKey, HandedOutPage } from './cursor.js'
import type { Position } from '../files/position.js'
import { makeCursorToken, type Ack } from './cursor-token.js'
import type { News } from './news.js'
import type { CursorCalls } from './store.js'
import { Turns } from './turns.js'

/** One call of `/tail`. */
export interface TailCall {
  key: CursorKey
  address: FileAddress
  format: BodyFormat
  maxBytes: number
  flush: boolean
  from: 'start' | 'end'
  /** How long to wait for news if there are none. */
  waitMs: number
  /** Null without `ack`. */
  ack: Ack | null
  /** Show the page that the next call would get, and move nothing. */
  peek: boolean
  deadline: Deadline
  /** The caller has left. */
  gone: AbortSignal
  read: (job: Job) => Promise<ReadResult>
}

export interface TailAnswer {
  read: ReadResult & { page: TailPage }
  seq: number
  created: boolean
  /** For `ack`; null on a peek. */
  cursor: string | null
}

/** What a call remembers from one look to the next. */
interface Memory {
  /** The call made the cursor. */
  created: boolean
  /** The file was missing: whatever comes into it is new, also where a new cursor begins at the end. */
  missing: boolean
  /** Where a peek without a cursor first looked. */
  peeked: Position | null
}

/** Hands out the pages of growing files: each byte once to each run. */
export class Tailer {
  private readonly store: CursorCalls
  private readonly news: News
  private readonly turns = new Turns()

  constructor (store: CursorCalls, news: News) {
    this.store = store
    this.news = news
  }

  /**
   * The next page of a tail.
   * @throws Problem CURSOR_CONFLICT, CURSOR_STORE_UNAVAILABLE, OVERLOADED, and those of reading a page; CallerGone
   */
  async next (call: TailCall): Promise<TailAnswer> {
    const memory: Memory = { created: false, missing: false, peeked: null }
    const first = await this.look(call, memory, call.waitMs > 0)
    if (first !== null) return first
    const vigil = this.news.watch(call.address, call.waitMs, call.gone)
    try {
      for (;;) {
        const waitedMs = await vigil.sleep()
        call.deadline.extend(waitedMs)
        const answer = await this.look(call, memory, !vigil.over)
        if (answer !== null) return answer
      }
    } finally {
      vigil.end()
    }
  }

  /** One look at the file; null if there is nothing to return and the call may wait. */
  private async look (call: TailCall, memory: Memory, mayWait: boolean): Promise<TailAnswer | null> {
    const work = call.peek ? () => this.peek(call, memory) : () => this.advance(call, memory)
    try {
      const { key } = call
      const turn = [key.owner, key.run, key.path].join('\0')
      const answer = await (call.peek ? work() : this.turns.run(turn, call.deadline, call.gone, work))
      if (!mayWait || !isEmpty(answer.read.page)) return answer
      answer.read.release()
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'FILE_NOT_FOUND') throw error
      memory.missing = true
      if (!mayWait) throw error
    }
    return null
  }

  /**
   * Forgets a run's cursor for a path, or all of the run's. Resolves to how many there were.
   * @throws Problem CURSOR_STORE_UNAVAILABLE
   */
  async forget (key: Parameters<CursorCalls['forget']>[0], deadline: Deadline): Promise<number> {
    return await this.ask({ deadline }, this.store.forget(key))
  }

  private async peek (call: TailCall, memory: Memory): Promise<TailAnswer> {
    const cursor = await this.ask(call, this.store.load(call.key))
    const position = cursor?.position ?? memory.peeked
    const read = await this.read(call, position ?? beginning(call, memory))
    if (cursor === null) memory.peeked ??= read.page.position
    const seq = (cursor?.seq ?? 0) + (isEmpty(read.page) ? 0 : 1)
    return { read, seq, created: cursor === null, cursor: null }
  }

  /** Hands out the next page, or the last one again. Tries anew when another replica was first. */
  private async advance (call: TailCall, memory: Memory): Promise<TailAnswer> {
    for (;;) {
      const stored = await this.ask(call, this.store.load(call.key))
      const cursor = stored ?? restored(call.ack)
      const retried = stored !== null && call.ack !== null ? retriedBy(call.ack, stored) : null
      const from = cursor?.position ?? beginning(call, memory)
      const read = await this.read(call, from, retried ? stored!.page!.startByte : undefined)
      if (read.page.replayed) return this.replay(call, stored!, read)
      const next = cursorAfter(cursor, read.page, retried)
      if (next === stored || await this.move(call, stored, next, read)) {
        memory.created ||= stored === null
        return { read, seq: next.seq, created: memory.created, cursor: makeCursorToken(call.key, next) }
      }
      read.release()
    }
  }

  private replay (call: TailCall, cursor: Cursor, read: TailAnswer['read']): TailAnswer {
    const page = { ...read.page, reset: cursor.page!.reset }
    return { read: { ...read, page }, seq: cursor.seq, created: false, cursor: makeCursorToken(call.key, cursor) }
  }

  /** Moves the cursor over a page; false if it is no longer where it was. */
  private async move (call: TailCall, stored: Cursor | null, next: Cursor, read: ReadResult): Promise<boolean> {
    try {
      // Nobody would get the page.
      if (call.gone.aborted) throw new CallerGone()
      return await this.ask(call, this.store.save(call.key, stored, next))
    } catch (error) {
      read.release()
      throw error
    }
  }

  private async read (call: TailCall, from: TailQuery['from'], replayFrom?: number): Promise<TailAnswer['read']> {
    const { address, format, maxBytes, flush } = call
    const query = { from, maxBytes, flush, ...replayFrom === undefined ? {} : { replayFrom } }
    return await call.read({ address, format, page: { unit: 'tail', query } }) as TailAnswer['read']
  }

  /** Asks the store, within the deadline. */
  private async ask<T> ({ deadline }: Pick<TailCall, 'deadline'>, answer: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Problem(
        'CURSOR_STORE_UNAVAILABLE', 'The cursor store did not answer in time; repeat the call, with `ack`, so that nothing is lost.'
      )), Math.max(0, deadline.remainingMs))
    })
    try {
      return await Promise.race([answer, late])
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Nothing that is handed out. */
function isEmpty (page: TailPage): boolean {
  return page.contentBytes === 0 && page.reset === null && !page.replayed
}

function beginning (call: TailCall, memory: Memory): 'start' | 'end' {
  return memory.missing ? 'start' : call.from
}

function restored (ack: Ack | null): Cursor | null {
  if (ack === null || ack.position === null) return null
  return { id: newId(), seq: ack.seq, position: ack.position, page: null }
}

/** The cursor once a page was handed out; the same one if the page was empty. */
function cursorAfter (cursor: Cursor | null, page: TailPage, retried: Acknowledged | null): Cursor {
  const before = cursor ?? { id: newId(), seq: 0, position: page.began!, page: null }
  if (isEmpty(page)) return before
  const { startByte, reset, position } = page
  const handedOut: HandedOutPage = { startByte, reset, previous: before.position }
  if (retried !== null) handedOut.insteadOf = retried
  return { id: before.id, seq: before.seq + 1, position, page: handedOut }
}

function newId (): string {
  return randomBytes(12).toString('base64url')
}
