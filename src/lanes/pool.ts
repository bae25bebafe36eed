import { Crew } from './crew.js'
import type { Deadline } from './deadline.js'
import { CallerGone, deadlineExceeded, deadlineInScan, overloaded } from './interruption.js'
import { BRISK_MS, type Lane } from './lane-handle.js'
import { Lookout } from './lookout.js'
import type { Job, LaneAnswer } from './messages.js'
import { Slots } from './slots.js'
import { Task, type ReadResult } from './task.js'
import type { StartThread } from './thread.js'

export interface PoolOptions {
  startThread: StartThread
  /** Reads under way at once, hung ones included. */
  maxLanes: number
  /** Lanes that are kept although idle. */
  warmLanes: number
  /**
   * Waiting reads that a busy lane may have at hand, to go on without being woken, 0 to CLAIMS - 1. Waking a thread
   * costs as much as a small read.
   */
  maxOffers: number
  /** How long the event loop is kept awake for an answer, milliseconds; 0: not at all. */
  lookOutMs: number
  /** A thread could not be started, or failed. */
  onFault: (error: Error) => void
}

/** A read under way: its answer, and a way to give it up. */
export interface Read {
  /** Rejects with a Problem, with CallerGone if it was given up, or with the Error of a defect. */
  result: Promise<ReadResult>
  giveUp: () => void
  /** What the lane has told to have read from the storage, in bytes; also of a read that failed. */
  readonly bytesRead: number
}

export interface PoolFigures {
  lanes: number
  busy: number
  stuck: number
  queued: number
  /** Bytes of bodies in no slot that have not been sent yet. */
  unsentBytes: number
}

/** Reads that may wait for a lane; more are refused at once. */
const MAX_QUEUED = 1024
/** Of bodies in no slot. With more unsent, slow callers would take the memory: reads are refused. */
const MAX_UNSENT_BYTES = 134_217_728
/** A lane that is over its deadline has this long to say so itself, before it counts as stuck. */
const GRACE_MS = 60
const MAX_ID = 0x7FFFFFFF

/**
 * Hands reads to the lanes: threads that read, each one request at a time. A read that its caller gave up, or that is
 * past its deadline, settles at once; its lane stays counted until the read comes back.
 */
export class LanePool {
  private readonly options: PoolOptions
  private readonly slots = new Slots()
  /** What waits, also if it is offered to a lane. */
  private readonly queue = new Set<Task>()
  private readonly crew: Crew
  private readonly lookout: Lookout
  private offerTimer: NodeJS.Timeout | null = null
  private lastId = 0

  constructor (options: PoolOptions) {
    this.options = options
    this.crew = new Crew({
      ...options,
      startThread: () => options.startThread(this.slots.memory),
      queue: this.queue,
      onAnswer: (lane, answer) => this.answered(lane, answer),
      onLost: (lane, error) => this.lost(lane, error)
    })
    this.lookout = new Lookout({ ...options, isAwaited: () => this.crew.isBusy })
  }

  /** Reads a page, on a lane of its own from open to close. */
  read (job: Job, deadline: Deadline): Read {
    if (this.queue.size >= MAX_QUEUED || this.allStuck || this.crew.closing) return refused('Every read that may be under way is taken')
    if (this.slots.unsentBytes >= MAX_UNSENT_BYTES) return refused('Too much waits to be sent')
    const task = new Task(job, deadline)
    task.timer = setTimeout(() => this.expire(task), deadline.remainingMs + GRACE_MS)
    this.queue.add(task)
    this.dispatch()
    return { result: task.result, giveUp: () => this.giveUp(task), get bytesRead () { return task.bytesRead } }
  }

  /** Every read that may be under way is past its deadline and has not come back. */
  get allStuck (): boolean {
    return this.crew.allStuck
  }

  get figures (): PoolFigures {
    const lanes = [...this.crew]
    return {
      lanes: lanes.length,
      busy: lanes.filter(lane => lane.task !== null).length,
      stuck: lanes.filter(lane => lane.stuck).length,
      queued: this.queue.size,
      unsentBytes: this.slots.unsentBytes
    }
  }

  /** Gives up what waits and ends all lanes. One whose read hangs does not end: this resolves all the same. */
  async close (): Promise<void> {
    if (this.offerTimer !== null) clearTimeout(this.offerTimer)
    for (const task of [...this.queue]) this.giveUp(task)
    await this.crew.close()
  }

  private dispatch (): void {
    for (const task of this.queue) {
      const { offeredTo } = task
      if (offeredTo !== null && (offeredTo.isBrisk || !offeredTo.takeBack(task))) continue
      const brisk = this.briskLane()
      if (brisk === undefined && !this.crew.hasIdle) return this.crew.growIfNeeded()
      // Its time ran out while it waited; a lane would call that a read that took too long.
      if (task.deadline.remainingMs <= 0) this.expire(task)
      else if (brisk === undefined) this.begin(task, this.crew.takeIdle())
      else this.offer(task, brisk)
    }
  }

  private begin (task: Task, lane: Lane): void {
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
      for (const lane of this.crew) if (lane.offers.length > 0) return this.watchOffers()
    }, BRISK_MS)
  }

  private post (task: Task, { thread }: Lane): void {
    task.slot ??= this.slots.take()
    task.id = this.lastId = this.lastId % MAX_ID + 1
    const { id, job, slot, deadline } = task
    thread.post({ id, job, slot, deadlineMs: deadline.atMs })
    this.lookout.start()
  }

  private nowReads (lane: Lane, task: Task): void {
    this.queue.delete(task)
    lane.reads(task)
  }

  private briskLane (): Lane | undefined {
    for (const lane of this.crew) if (lane.offers.length < this.options.maxOffers && lane.isBrisk) return lane
    return undefined
  }

  private answered (lane: Lane, answer: LaneAnswer): void {
    const { task } = lane
    // One caller's page must never be another's, whatever else goes wrong.
    if (answer.type !== 'ready' && answer.id !== task?.id) {
      this.options.onFault(new Error('a lane answered what it was not asked'))
      return lane.thread.end()
    }
    if (answer.type === 'reached') {
      task!.reached = answer.reached
      return
    }
    lane.ready = true
    lane.task = null
    lane.stuck = false
    if (answer.type !== 'ready') task!.answer(answer, this.slots)
    this.crew.noteFree()
    const offered = lane.offers.shift()
    if (offered === undefined) this.crew.goIdle(lane)
    else this.nowReads(lane, offered)
    this.dispatch()
  }

  private lost (lane: Lane, error: Error | null): void {
    lane.task?.abandon(error ?? new Error('a lane ended in the middle of a read'), this.slots)
    lane.dropOffers()
    if (!this.crew.closing) this.dispatch()
  }

  /** The deadline has passed, and the lane, if the task has one, has not said so. */
  private expire (task: Task): void {
    if (this.leaveQueue(task)) {
      task.fail(overloaded('No read could be started in time'))
      return
    }
    const lane = this.crew.of(task)
    if (lane !== undefined) lane.stuck = true
    if (!task.settled) task.fail(task.reached === null ? deadlineExceeded() : deadlineInScan(task.reached))
  }

  private giveUp (task: Task): void {
    if (task.settled) return
    if (!this.leaveQueue(task)) {
      const lane = task.offeredTo ?? this.crew.of(task)
      lane?.thread.giveUp(task.id)
    }
    task.fail(new CallerGone())
  }

  /** Whether a task waited, and no longer does; false if a lane has begun it. */
  private leaveQueue (task: Task): boolean {
    if (!this.queue.has(task) || (task.offeredTo !== null && !task.offeredTo.takeBack(task))) return false
    this.queue.delete(task)
    task.stopTimer()
    task.leaveSlot(this.slots)
    return true
  }
}

function refused (reason: string): Read {
  return { result: Promise.reject(overloaded(reason)), giveUp: () => {}, bytesRead: 0 }
}
