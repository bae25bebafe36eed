import { Problem } from '../errors.js'
import type { Reached } from '../pages/reading.js'
import type { Deadline } from './deadline.js'
import type { Lane } from './lane-handle.js'
import { BODY_OFFSET, type FileFacts, type FinalAnswer, type Job, type Page } from './messages.js'
import { monotonicMs } from './clock.js'
import type { Slot } from './slots.js'

/** A page as the main thread gets it. `release` must be called once the body has been sent, or will not be. */
export interface ReadResult {
  page: Page
  file: FileFacts
  bytesRead: number
  /** The body is at [bodyStart, bodyEnd), with BODY_OFFSET bytes of room before and TRAILER_BYTES behind it. */
  buffer: Buffer
  bodyStart: number
  bodyEnd: number
  release: () => void
}

/** One read, from being asked for to the lane's answer, which may come long after its caller was answered. */
export class Task {
  readonly id: number
  readonly job: Job
  readonly deadline: Deadline
  readonly queuedAtMs = monotonicMs()
  readonly result: Promise<ReadResult>
  /** How far its scan had come when it last told. */
  reached: Reached | null = null
  /** The caller has its answer. */
  settled = false
  timer: NodeJS.Timeout | null = null
  /** Where its body goes; null before a lane knows of it, so that a long queue takes no memory. */
  slot: Slot | null = null
  /** The busy lane that will begin it next, while it waits. */
  offeredTo: Lane | null = null
  private resolve!: (result: ReadResult) => void
  private reject!: (error: Error) => void

  constructor (id: number, job: Job, deadline: Deadline) {
    this.id = id
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

  /** Takes the lane's answer. Its slot is given back at once, or when the body in it has been sent. */
  answer (answer: FinalAnswer, giveBack: (slot: Slot) => void): void {
    if (this.timer !== null) clearTimeout(this.timer)
    const slot = this.slot!
    const release = (): void => giveBack(slot)
    const isInSlot = answer.type === 'page' && answer.body === null && !this.settled
    if (!isInSlot) release()
    if (this.settled) return
    if (answer.type === 'failure') {
      this.fail(answer.error)
    } else if (answer.type === 'problem') {
      const { code, detail, members } = answer.problem
      this.fail(new Problem(code, detail, members))
    } else {
      const { page, file, bytesRead, body, bodyBytes } = answer
      const buffer = body === null ? slot.buffer : Buffer.from(body)
      const bodyEnd = BODY_OFFSET + bodyBytes
      const whenSent = isInSlot ? release : () => {}
      this.succeed({ page, file, bytesRead, buffer, bodyStart: BODY_OFFSET, bodyEnd, release: whenSent })
    }
  }

  private succeed (result: ReadResult): void {
    this.settled = true
    this.resolve(result)
  }
}
