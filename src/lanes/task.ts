import type { Reached } from '../pages/reading.js'
import type { Deadline } from './deadline.js'
import type { FileFacts, Job, Page } from './messages.js'
import { monotonicMs } from './clock.js'
import type { Lane } from './pool.js'
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

  succeed (result: ReadResult): void {
    this.settled = true
    this.resolve(result)
  }

  fail (error: Error): void {
    this.settled = true
    this.reject(error)
  }
}
