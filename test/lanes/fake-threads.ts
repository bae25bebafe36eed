import type { FinalAnswer, Job, LaneAnswer, LaneRequest } from '../../src/lanes/messages.js'
import type { LaneThread } from '../../src/lanes/thread.js'

/** A lane's thread that does what a test says, when it says so. */
export class FakeThread implements LaneThread {
  readonly requests: Omit<LaneRequest, 'claim'>[] = []
  readonly givenUp: number[] = []
  /** Requests that can no longer be taken back. */
  readonly begun = new Set<number>()
  readonly takenBack: number[] = []
  endAsked = false
  /** It has no request that it did not answer. */
  get answered (): boolean { return this.answers >= this.requests.length }
  private answers = 0
  private tell: (answer: LaneAnswer) => void = () => {}
  private endWith: (error: Error | null) => void = () => {}
  private readonly hangs: boolean

  constructor (hangs: boolean) {
    this.hangs = hangs
  }

  post (request: Omit<LaneRequest, 'claim'>): void { this.requests.push(request) }
  takeBack (id: number): boolean {
    if (this.begun.has(id)) return false
    this.takenBack.push(id)
    return true
  }

  giveUp (id: number): void { this.givenUp.push(id) }
  onAnswer (listener: (answer: LaneAnswer) => void): void { this.tell = listener }
  onEnd (listener: (error: Error | null) => void): void { this.endWith = listener }

  end (): void {
    this.endAsked = true
    if (!this.hangs) queueMicrotask(() => this.crash(null))
  }

  ready (): void { this.tell({ type: 'ready' }) }
  crash (error: Error | null): void { this.endWith(error) }

  reached (byte: number): void {
    this.tell({ type: 'reached', id: this.id, reached: { unit: 'line', number: 7, byte, at: 'token' } })
  }

  /** Answers a request, by default the one that came last. */
  answer (answer: Partial<FinalAnswer> = {}): void {
    this.answers++
    this.tell({ ...pageAnswer(this.id), ...answer } as FinalAnswer)
  }

  get id (): number { return this.requests.at(-1)!.id }
}

/** Starts fake threads and keeps them, in the order of their start. */
export class FakeThreads {
  readonly threads: FakeThread[] = []
  /** Threads are ready at once. */
  ready = true
  /** Threads do not end when they are told to. */
  hang = false
  /** Starting one throws. */
  fail = false

  readonly start = (): LaneThread => {
    if (this.fail) throw new Error('no thread can be started')
    const thread = new FakeThread(this.hang)
    this.threads.push(thread)
    if (this.ready) queueMicrotask(() => thread.ready())
    return thread
  }

  /** Those that have been given a request that is number `count` of theirs. */
  posted (count = 1): FakeThread[] {
    return this.threads.filter(thread => thread.requests.length >= count)
  }
}

export const JOB: Job = {
  address: { components: [], scopeDepth: 0 },
  page: { unit: 'bytes', query: { offset: 0, limit: 1, encoding: 'utf-8' } },
  format: 'text'
}

function pageAnswer (id: number): FinalAnswer {
  const file = { size: 3, modifiedAt: '2026-01-01T00:00:00.000Z', generation: 'g' }
  return { type: 'page', id, page: { unit: 'bytes' } as never, file, bytesRead: 3, bodyBytes: 3, body: null }
}
