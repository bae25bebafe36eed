import { Problem } from '../errors.js'
import type { Reached } from '../pages/reading.js'
import type { Deadline } from './deadline.js'
import type { Lane } from './lane-handle.js'
import { BODY_OFFSET, type FileFacts, type FinalAnswer, type Job, type Page } from './messages.js'
import { monotonicMs } from './clock.js'
import type { Slots } from './slots.js'

/** A page as the main thread gets it. `release` must be called when the body has been sent, or will not be. */
export interface ReadResult {
  page: Page
  file: FileFacts
  /** The body is at [bodyStart, bodyEnd), with BODY_OFFSET bytes of room before and TRAILER_BYTES behind it. */
  buffer: Buffer
  bodyStart: number
  bodyEnd: number
  release: () => void
}

/** One read, from being asked for to the lane's answer, which may come long after its caller was answered. */
export class Task {
  /**
   * Of the request that was posted for it, a new one each time: what was taken back still lies in its old lane's queue,
   * and must not be taken for what is posted later.
   */
  id = 0
  readonly job: Job
  readonly deadline: Deadline
  readonly queuedAtMs = monotonicMs()
  readonly result: Promise<ReadResult>
  /** How far its scan had come when it last told. */
  reached: Reached | null = null
  /** The caller has its answer. */
  settled = false
  timer: NodeJS.Timeout | null = null
  /** Where its body goes; null before a lane knows of it, and if all were taken then. */
  slot: number | null = null
  /** The busy lane that will begin it next, while it waits. */
  offeredTo: Lane | null = null
  /** What the lane has told to have read from the storage. */
  bytesRead = 0
  private resolve!: (result: ReadResult) => void
  private reject!: (error: Error) => void

  constructor (job: Job, deadline: Deadline) {
    this.job = job
    this.deadline = deadline
    this.result = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
    // Whoever gave it up no longer listens.
    this.result.catch(() => {})
  }

  fail (error: Error): void {
    this.settled = true
    this.reject(error)
  }

  stopTimer (): void {
    if (this.timer !== null) clearTimeout(this.timer)
  }

  /** Its lane ended before it answered, and writes no more. */
  abandon (error: Error, slots: Slots): void {
    this.stopTimer()
    this.leaveSlot(slots)
    if (!this.settled) this.fail(error)
  }

  /** Takes the lane's answer. Its slot is given back at once, or when the body in it has been sent. */
  answer (answer: FinalAnswer, slots: Slots): void {
    this.stopTimer()
    this.bytesRead = answer.bytesRead
    const isInSlot = answer.type === 'page' && answer.body === null && !this.settled
    if (!isInSlot) this.leaveSlot(slots)
    if (this.settled) return
    if (answer.type === 'failure') {
      this.fail(answer.error)
    } else if (answer.type === 'problem') {
      const { code, detail, members } = answer.problem
      this.fail(new Problem(code, detail, members))
    } else {
      const { page, file, body, bodyBytes } = answer
      const buffer = body === null ? slots.buffer(this.slot!) : Buffer.from(body)
      if (body !== null) slots.unsentBytes += buffer.length
      const release = once(() => {
        if (body === null) this.leaveSlot(slots)
        else slots.unsentBytes -= buffer.length
      })
      this.succeed({ page, file, buffer, bodyStart: BODY_OFFSET, bodyEnd: BODY_OFFSET + bodyBytes, release })
    }
  }

  /** Nothing of it is written to its slot, or sent from there, any more. */
  leaveSlot (slots: Slots): void {
    if (this.slot !== null) slots.give(this.slot)
    this.slot = null
  }

  private succeed (result: ReadResult): void {
    this.settled = true
    this.resolve(result)
  }
}

/** A slot that was given back twice would hold two bodies. */
function once (work: () => void): () => void {
  let done = false
  return () => {
    if (!done) work()
    done = true
  }
}
