import { monotonicMs } from './clock.js'

export interface LookoutOptions {
  /** How long to look out for an answer, milliseconds; 0: not at all. */
  lookOutMs: number
  /** Whether any answer is awaited. */
  isAwaited: () => boolean
}

/**
 * Keeps the event loop awake for the moment in which a small read is done. Asleep, its thread would have to be woken
 * for the answer, and that takes as long as the read.
 */
export class Lookout {
  private readonly options: LookoutOptions
  private untilMs = 0
  private isLooking = false

  constructor (options: LookoutOptions) {
    this.options = options
  }

  /** Something was asked for: looks out from now on. */
  start (): void {
    if (this.options.lookOutMs === 0) return
    this.untilMs = monotonicMs() + this.options.lookOutMs
    if (!this.isLooking) setImmediate(this.look)
    this.isLooking = true
  }

  private readonly look = (): void => {
    this.isLooking = monotonicMs() < this.untilMs && this.options.isAwaited()
    if (this.isLooking) setImmediate(this.look)
  }
}
