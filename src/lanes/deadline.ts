import { monotonicMs } from './clock.js'

/** When a request must be settled. Time spent waiting for news does not count. */
export class Deadline {
  /** Of the monotonic clock. */
  atMs: number

  constructor (durationMs: number) {
    this.atMs = monotonicMs() + durationMs
  }

  get remainingMs (): number {
    return this.atMs - monotonicMs()
  }

  extend (ms: number): void {
    this.atMs += ms
  }
}
