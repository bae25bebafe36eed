import type { Deadline } from './deadline.js'
import { CallerGone, deadlineExceeded, deadlineInScan, overloaded } from './interruption.js'
import { Growth } from './growth.js'
import { BRISK_MS, Lane } from './lane-handle.js'
import type { Job, LaneAnswer } from './messages.js'
import { Slots } from './slots.js'
import { Task, type ReadResult } from './task.js'
import type { LaneThread, StartThread } from './thread.js'

export interface PoolOptions {
  startThread: StartThread
  /** Reads under way at once, hung ones included. */
  maxLanes: number
  /** Lanes that are kept although idle. */
  warmLanes: number
  /**
   * Waiting reads that a busy lane may have at hand, to go on without being woken; default 0. Waking a thread costs
   * as much as a small read.
   */
  maxOffers?: number
}

/** A read under way: its answer, and a way to give it up. */
export interface Read {
  /** Rejects with a Problem, with CallerGone if it was given up, or with the Error of a defect. */
  result: Promise<ReadResult>
  giveUp: () => void
}

export interface PoolFigures { lanes: number, busy: number, stuck: number, queued: number }

/** Reads that may wait for a lane; more are refused at once. */
const MAX_QUEUED = 1024
/** An idle lane that is not kept warm is let go after this. */
const IDLE_MS = 10_000
/** A lane that is over its deadline has this long to say so itself, before it counts as stuck. */
const GRACE_MS = 60
const CLOSE_WITHIN_MS = 1500
const MAX_ID = 0x7FFFFFFF

/**
 * The lanes: threads that read, each one request at a time. Started on demand, let go when idle. A read that its
 * caller gave up, or that is past its deadline, settles at once; its lane stays counted until the read comes back.
 */
export class LanePool {
  private readonly options: PoolOptions
  private readonly slots = new Slots()
  private readonly lanes = new Set<Lane>()
  private readonly idle: Lane[] = []
  /** What waits, also if it is offered to a lane. */
  private readonly queue = new Set<Task>()
  private readonly growth: Growth
  private offerTimer: NodeJS.Timeout | null = null
  private lastId = 0
  private onAllEnded: (() => void) | null = null

  constructor (options: PoolOptions) {
    this.options = options
    const { lanes, queue } = this
    this.growth = new Growth({ lanes, queue, maxLanes: options.maxLanes, startLane: () => this.startLane() })
    while (this.lanes.size < options.warmLanes) this.startLane()
  }

  /** Reads a page, on a lane of its own from open to close. */
  read (job: Job, deadline: Deadline): Read {
    if (this.queue.size >= MAX_QUEUED || this.allStuck || this.onAllEnded !== null) {
      const refusal = Promise.reject(overloaded('Every read that may be under way is taken'))
      return { result: refusal, giveUp: () => {} }
    }
    this.lastId = this.lastId % MAX_ID + 1
    const task = new Task(this.lastId, job, deadline)
    task.timer = setTimeout(() => this.expire(task), deadline.remainingMs + GRACE_MS)
    this.queue.add(task)
    this.dispatch()
    return { result: task.result, giveUp: () => this.giveUp(task) }
  }

  /** Every read that may be under way is past its deadline and has not come back. */
  get allStuck (): boolean {
    if (this.lanes.size < this.options.maxLanes) return false
    for (const lane of this.lanes) if (!lane.stuck) return false
    return true
  }

  get figures (): PoolFigures {
    const lanes = [...this.lanes]
    return {
      lanes: lanes.length,
      busy: lanes.filter(lane => lane.task !== null).length,
      stuck: lanes.filter(lane => lane.stuck).length,
      queued: this.queue.size
    }
  }

  /** Ends all lanes. One whose read hangs does not end: after 1.5 s this resolves all the same. */
  async close (): Promise<void> {
    this.growth.stop()
    if (this.offerTimer !== null) clearTimeout(this.offerTimer)
    for (const task of [...this.queue]) this.giveUp(task)
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>(resolve => {
      this.onAllEnded = resolve
      timer = setTimeout(resolve, CLOSE_WITHIN_MS)
      for (const lane of this.lanes) lane.thread.end()
      if (this.lanes.size === 0) resolve()
    })
    clearTimeout(timer)
  }

  private dispatch (): void {
    for (const task of this.queue) {
      const { offeredTo } = task
      if (offeredTo !== null && (offeredTo.isBrisk || !offeredTo.takeBack(task))) continue
      const brisk = this.briskLane()
      if (brisk === undefined && this.idle.length === 0) return this.growth.watch()
      // Its time ran out while it waited; a lane would call that a read that took too long.
      if (task.deadline.remainingMs <= 0) this.expire(task)
      else if (brisk === undefined) this.begin(task, this.idle.pop()!)
      else this.offer(task, brisk)
    }
  }

  private begin (task: Task, lane: Lane): void {
    lane.stopIdling()
    this.nowReads(lane, task)
    this.post(task, lane)
  }

  private offer (task: Task, lane: Lane): void {
    lane.offer(task)
    this.post(task, lane)
    this.watchOffers()
  }

  /** If a lane turns out not to be brisk, another has to be found for what it was offered. */
  private watchOffers (): void {
    this.offerTimer ??= setTimeout(() => {
      this.offerTimer = null
      this.dispatch()
      for (const lane of this.lanes) if (lane.offers.length > 0) return this.watchOffers()
    }, BRISK_MS)
  }

  private post (task: Task, { thread }: Lane): void {
    task.slot ??= this.slots.take()
    const { id, job, slot, deadline } = task
    thread.post({ id, job, slot: slot.shared, deadlineMs: deadline.atMs })
  }

  private nowReads (lane: Lane, task: Task): void {
    this.queue.delete(task)
    lane.reads(task)
  }

  private briskLane (): Lane | undefined {
    const { maxOffers = 0 } = this.options
    for (const lane of this.lanes) if (lane.offers.length < maxOffers && lane.isBrisk) return lane
    return undefined
  }

  private startLane (): void {
    const thread = this.tryToStart()
    if (thread === null) return
    const lane = new Lane(thread)
    this.lanes.add(lane)
    lane.thread.onAnswer(answer => this.answered(lane, answer))
    lane.thread.onEnd(error => this.ended(lane, error))
  }

  private tryToStart (): LaneThread | null {
    try {
      return this.options.startThread()
    } catch {
      this.growth.noteStartFailed()
      return null
    }
  }

  private answered (lane: Lane, answer: LaneAnswer): void {
    if (answer.type === 'reached') {
      if (lane.task !== null) lane.task.reached = answer.reached
      return
    }
    const { task } = lane
    lane.ready = true
    lane.task = null
    lane.stuck = false
    if (task !== null && answer.type !== 'ready') task.answer(answer, slot => this.slots.give(slot))
    this.growth.noteFree()
    const offered = lane.offers.shift()
    if (offered === undefined) return this.goIdle(lane)
    this.nowReads(lane, offered)
    this.dispatch()
  }

  private goIdle (lane: Lane): void {
    this.idle.push(lane)
    this.dispatch()
    if (lane.task !== null || this.lanes.size <= this.options.warmLanes) return
    lane.idleTimer = setTimeout(() => {
      if (this.lanes.size <= this.options.warmLanes) return
      this.idle.splice(this.idle.indexOf(lane), 1)
      this.lanes.delete(lane)
      lane.thread.end()
    }, IDLE_MS).unref()
  }

  private ended (lane: Lane, error: Error | null): void {
    this.lanes.delete(lane)
    if (!lane.ready) this.growth.noteStartFailed()
    lane.stopIdling()
    const place = this.idle.indexOf(lane)
    if (place >= 0) this.idle.splice(place, 1)
    if (lane.task !== null) {
      if (lane.task.timer !== null) clearTimeout(lane.task.timer)
      // Its slot is left to the collector: the thread may have been writing into it.
      if (!lane.task.settled) lane.task.fail(error ?? new Error('a lane ended in the middle of a read'))
    }
    lane.dropOffers()
    if (this.onAllEnded !== null) {
      if (this.lanes.size === 0) this.onAllEnded()
    } else {
      this.dispatch()
    }
  }

  /** The deadline has passed, and the lane, if the task has one, has not said so. */
  private expire (task: Task): void {
    if (this.leaveQueue(task)) {
      task.fail(overloaded('No read could be started in time'))
      return
    }
    const lane = [...this.lanes].find(lane => lane.task === task)
    if (lane !== undefined) lane.stuck = true
    if (!task.settled) task.fail(task.reached === null ? deadlineExceeded() : deadlineInScan(task.reached))
  }

  private giveUp (task: Task): void {
    if (task.settled) return
    if (!this.leaveQueue(task)) {
      const lane = task.offeredTo ?? [...this.lanes].find(lane => lane.task === task)
      lane?.thread.giveUp(task.id)
    }
    task.fail(new CallerGone())
  }

  /** Whether a task waited, and no longer does; false if a lane has begun it. */
  private leaveQueue (task: Task): boolean {
    if (!this.queue.has(task) || (task.offeredTo !== null && !task.offeredTo.takeBack(task))) return false
    this.queue.delete(task)
    if (task.timer !== null) clearTimeout(task.timer)
    if (task.slot !== null) this.slots.give(task.slot)
    return true
  }
}
