import { Growth } from './growth.js'
import { Lane } from './lane-handle.js'
import type { LaneAnswer } from './messages.js'
import type { Task } from './task.js'
import type { LaneThread } from './thread.js'

/** An idle lane that is not kept warm is let go after this. */
const IDLE_MS = 10_000
const CLOSE_WITHIN_MS = 1500

export interface CrewOptions {
  startThread: () => LaneThread
  /** Lanes at once, those whose reads hang included. */
  maxLanes: number
  /** Lanes that are kept although idle. */
  warmLanes: number
  /** What waits for a lane, the oldest first. */
  queue: ReadonlySet<Task>
  onAnswer: (lane: Lane, answer: LaneAnswer) => void
  /** A lane's thread has ended, by itself or because it was told to. */
  onLost: (lane: Lane, error: Error | null) => void
  /** A thread could not be started, or failed. */
  onFault: (error: Error) => void
}

/** The lanes there are: started on demand, let go when idle. */
export class Crew {
  private readonly options: CrewOptions
  private readonly lanes = new Set<Lane>()
  private readonly idle: Lane[] = []
  private readonly growth: Growth
  private onAllEnded: (() => void) | null = null

  constructor (options: CrewOptions) {
    this.options = options
    const { queue, maxLanes, warmLanes } = options
    this.growth = new Growth({ lanes: this.lanes, queue, maxLanes, startLane: () => this.startLane() })
    for (let started = 0; started < warmLanes; started++) this.startLane()
  }

  get closing (): boolean {
    return this.onAllEnded !== null
  }

  /** Every lane that may be is past its deadline and has not come back. */
  get allStuck (): boolean {
    if (this.lanes.size < this.options.maxLanes) return false
    for (const lane of this.lanes) if (!lane.stuck) return false
    return true
  }

  get isBusy (): boolean {
    return this.idle.length < this.lanes.size
  }

  get hasIdle (): boolean {
    return this.idle.length > 0
  }

  [Symbol.iterator] (): IterableIterator<Lane> {
    return this.lanes.values()
  }

  /** The lane that reads for a task. */
  of (task: Task): Lane | undefined {
    for (const lane of this.lanes) if (lane.task === task) return lane
    return undefined
  }

  takeIdle (): Lane {
    const lane = this.idle.pop()!
    lane.stopIdling()
    return lane
  }

  /** A lane has come free: it is idle, and let go if it stays so. */
  goIdle (lane: Lane): void {
    this.idle.push(lane)
    if (this.lanes.size <= this.options.warmLanes) return
    lane.idleTimer = setTimeout(() => {
      if (this.lanes.size <= this.options.warmLanes) return
      this.idle.splice(this.idle.indexOf(lane), 1)
      this.lanes.delete(lane)
      lane.thread.end()
    }, IDLE_MS).unref()
  }

  /** A lane has come free, whether it goes idle or on with what it was offered. */
  noteFree (): void {
    this.growth.noteFree()
  }

  /** Something has to wait: starts lanes for it if those there are do not keep up. */
  growIfNeeded (): void {
    this.growth.watch()
  }

  /** Ends all lanes. One whose read hangs does not end: after 1.5 s this resolves all the same. */
  async close (): Promise<void> {
    this.growth.stop()
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>(resolve => {
      this.onAllEnded = resolve
      timer = setTimeout(resolve, CLOSE_WITHIN_MS)
      for (const lane of this.lanes) lane.thread.end()
      if (this.lanes.size === 0) resolve()
    })
    clearTimeout(timer)
  }

  private startLane (): void {
    const thread = this.tryToStart()
    if (thread === null) return
    const lane = new Lane(thread)
    this.lanes.add(lane)
    thread.onAnswer(answer => this.options.onAnswer(lane, answer))
    thread.onEnd(error => this.ended(lane, error))
  }

  private tryToStart (): LaneThread | null {
    try {
      return this.options.startThread()
    } catch (error) {
      this.growth.noteStartFailed()
      this.options.onFault(error as Error)
      return null
    }
  }

  private ended (lane: Lane, error: Error | null): void {
    this.lanes.delete(lane)
    if (!lane.ready) this.growth.noteStartFailed()
    lane.stopIdling()
    const place = this.idle.indexOf(lane)
    if (place >= 0) this.idle.splice(place, 1)
    if (error !== null) this.options.onFault(error)
    this.options.onLost(lane, error)
    if (this.lanes.size === 0) this.onAllEnded?.()
  }
}
