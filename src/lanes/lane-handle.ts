import { monotonicMs } from './clock.js'
import type { Task } from './task.js'
import type { LaneThread } from './thread.js'

/** A lane whose read takes no longer than this is brisk: waiting reads are offered to it. */
export const BRISK_MS = 1

/** A lane as the pool keeps it: its thread, what that reads, and what it is offered to read next. */
export class Lane {
  readonly thread: LaneThread
  /** What it reads, given up or not; null if it is idle or starting. */
  task: Task | null = null
  /** Waiting reads that it will begin next, in this order, unless they are taken back before. */
  readonly offers: Task[] = []
  ready = false
  /** Its read is past the deadline and has not come back. */
  stuck = false
  idleTimer: NodeJS.Timeout | null = null
  private beganAtMs = 0

  constructor (thread: LaneThread) {
    this.thread = thread
  }

  get isBrisk (): boolean {
    return this.task !== null && !this.task.settled && monotonicMs() - this.beganAtMs < BRISK_MS
  }

  /** It reads this now, or as soon as its thread wakes. */
  reads (task: Task): void {
    task.offeredTo = null
    this.task = task
    this.beganAtMs = monotonicMs()
  }

  offer (task: Task): void {
    task.offeredTo = this
    this.offers.push(task)
  }

  /** Whether an offered task had not been begun, and now will not be. */
  takeBack (task: Task): boolean {
    if (!this.thread.takeBack(task.id)) return false
    this.offers.splice(this.offers.indexOf(task), 1)
    task.offeredTo = null
    return true
  }

  /** What was offered waits for any lane again. */
  dropOffers (): void {
    for (const task of this.offers.splice(0)) task.offeredTo = null
  }

  stopIdling (): void {
    if (this.idleTimer !== null) clearTimeout(this.idleTimer)
    this.idleTimer = null
  }
}
