import { monotonicMs } from './clock.js'
import type { Lane } from './lane-handle.js'
import type { Task } from './task.js'

/** Another lane is started when something waits and no lane has come free for this long: they hang, or scan. */
const GROW_AFTER_MS = 20
/** And when something has waited this long, though lanes come free: the storage is slow. */
const GROW_AFTER_WAIT_MS = 100
/** After a thread failed to start (no descriptor or memory is left, say), the next is not tried before this. */
const RESTART_AFTER_MS = 250

export interface GrowthOptions {
  lanes: ReadonlySet<Lane>
  /** What waits, the oldest first. */
  queue: ReadonlySet<Task>
  maxLanes: number
  startLane: () => void
}

/** Starts lanes, up to the most there may be, while reads wait and those there are do not keep up. */
export class Growth {
  private readonly options: GrowthOptions
  private timer: NodeJS.Timeout | null = null
  private cameFreeAtMs = 0
  private startFailedAtMs = -Infinity

  constructor (options: GrowthOptions) {
    this.options = options
  }

  /** A lane has come free. */
  noteFree (): void {
    this.cameFreeAtMs = monotonicMs()
  }

  noteStartFailed (): void {
    this.startFailedAtMs = monotonicMs()
  }

  /** To be called when something has to wait; goes on by itself as long as something does. */
  watch (): void {
    const { lanes, maxLanes } = this.options
    if (this.timer !== null || lanes.size >= maxLanes) return
    this.timer = setTimeout(() => {
      this.timer = null
      const [oldest] = this.options.queue
      if (oldest === undefined) return
      this.grow(oldest)
      this.watch()
    }, GROW_AFTER_MS)
  }

  stop (): void {
    if (this.timer !== null) clearTimeout(this.timer)
  }

  private grow (oldest: Task): void {
    const { lanes } = this.options
    const nowMs = monotonicMs()
    if (nowMs - this.startFailedAtMs < RESTART_AFTER_MS || [...lanes].some(lane => !lane.ready)) return
    const waitedMs = nowMs - oldest.queuedAtMs
    const heldUpMs = Math.min(waitedMs, nowMs - this.cameFreeAtMs)
    // Twice as many each time, where all hang: threads start side by side, and who waits has a deadline.
    if (heldUpMs >= GROW_AFTER_MS) this.start(Math.max(1, lanes.size))
    else if (waitedMs >= GROW_AFTER_WAIT_MS) this.start(1)
  }

  private start (wanted: number): void {
    const { lanes, queue, maxLanes, startLane } = this.options
    const count = Math.min(wanted, queue.size, maxLanes - lanes.size)
    for (let started = 0; started < count; started++) startLane()
  }
}
