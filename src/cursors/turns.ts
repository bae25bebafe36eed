import { CallerGone, overloaded } from '../lanes/interruption.js'
import type { Deadline } from '../lanes/deadline.js'

/** Lets callers of one key in one after another, in the order they came. */
export class Turns {
  /** Who waits behind the one that has the turn, by key. */
  private readonly waiting = new Map<string, Set<() => void>>()

  /**
   * Runs `work` when its turn comes.
   * @throws Problem OVERLOADED if the deadline passes before, CallerGone if the caller leaves before
   */
  async run<T> (key: string, deadline: Deadline, gone: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.enter(key, deadline, gone)
    try {
      return await work()
    } finally {
      this.leave(key)
    }
  }

  private async enter (key: string, deadline: Deadline, gone: AbortSignal): Promise<void> {
    const queue = this.waiting.get(key)
    if (queue === undefined) {
      this.waiting.set(key, new Set())
      return
    }
    await new Promise<void>((resolve, reject) => {
      const end = (): void => {
        queue.delete(enter)
        clearTimeout(timer)
        gone.removeEventListener('abort', leave)
      }
      const enter = (): void => { end(); resolve() }
      const leave = (): void => { end(); reject(new CallerGone()) }
      const timer = setTimeout(() => { end(); reject(overloaded('Other calls for this run and path took all the time')) }, deadline.remainingMs)
      queue.add(enter)
      gone.addEventListener('abort', leave)
      if (gone.aborted) leave()
    })
  }

  private leave (key: string): void {
    const [next] = this.waiting.get(key)!
    if (next === undefined) this.waiting.delete(key)
    else next()
  }
}
