import type { FileAddress } from '../files/open-file.js'
import { monotonicMs } from '../lanes/clock.js'
import { CallerGone, overloaded } from '../lanes/interruption.js'
import type { Watcher } from '../lanes/watcher.js'

export interface NewsOptions {
  watcher: Watcher
  /** Calls that may wait at once; more are refused. */
  maxWaiting: number
}

const FIRST_POLL_MS = 100
const MAX_POLL_MS = 1000

/** Lets calls wait for news of a file, without a lane or a descriptor of theirs. */
export class News {
  private readonly options: NewsOptions
  private readonly vigils = new Set<Vigil>()
  private draining = false

  constructor (options: NewsOptions) {
    this.options = options
  }

  get waiting (): number {
    return this.vigils.size
  }

  /**
   * Starts to wait, at most `waitMs`.
   * @throws Problem OVERLOADED if too many wait already
   */
  watch (address: FileAddress, waitMs: number, gone: AbortSignal): Vigil {
    if (this.vigils.size >= this.options.maxWaiting) throw overloaded('Too many calls wait for news')
    const vigil = new Vigil(this.draining ? 0 : waitMs, gone, () => this.vigils.delete(vigil))
    vigil.follow(this.options.watcher, address)
    this.vigils.add(vigil)
    return vigil
  }

  /** Ends all waiting, now and from now on: every call is answered with what there is. */
  drain (): void {
    this.draining = true
    for (const vigil of this.vigils) vigil.finish()
  }
}

/** One call's wait: a series of sleeps, each ended by news, by the poll or by the end of the time. */
export class Vigil {
  private readonly gone: AbortSignal
  private readonly onEnd: () => void
  private untilMs: number
  private pollMs = FIRST_POLL_MS
  private wake: (() => void) | null = null
  private hasNews = false
  private watch: { stop: () => void } | null = null

  constructor (waitMs: number, gone: AbortSignal, onEnd: () => void) {
    this.untilMs = monotonicMs() + waitMs
    this.gone = gone
    this.onEnd = onEnd
  }

  /** The time is over. */
  get over (): boolean {
    return monotonicMs() >= this.untilMs
  }

  follow (watcher: Watcher, address: FileAddress): void {
    this.watch = watcher.watch(address, () => {
      this.hasNews = true
      this.wake?.()
    })
  }

  /**
   * Sleeps until there may be news or the time is over. Resolves to the milliseconds that it took.
   * @throws CallerGone as soon as the caller leaves
   */
  async sleep (): Promise<number> {
    const startMs = monotonicMs()
    if (!this.hasNews && !this.gone.aborted) {
      await new Promise<void>(resolve => {
        const timer = setTimeout(() => this.wake?.(), Math.max(0, Math.min(this.pollMs, this.untilMs - startMs)))
        this.wake = () => {
          this.wake = null
          clearTimeout(timer)
          this.gone.removeEventListener('abort', this.onGone)
          resolve()
        }
        this.gone.addEventListener('abort', this.onGone)
      })
      this.pollMs = Math.min(MAX_POLL_MS, this.pollMs * 1.5)
    }
    this.hasNews = false
    if (this.gone.aborted) throw new CallerGone()
    return monotonicMs() - startMs
  }

  finish (): void {
    this.untilMs = 0
    this.wake?.()
  }

  end (): void {
    this.watch?.stop()
    this.onEnd()
  }

  private readonly onGone = (): void => { this.wake?.() }
}
