import { Worker, type WorkerOptions } from 'node:worker_threads'
import type { Root } from '../files/root.js'
import { CLAIMS, type LaneAnswer, type LaneRequest, type LaneStart } from './messages.js'

/** A lane's thread, as the pool sees it. Tests put another in its place. */
export interface LaneThread {
  /** Requests are begun in the order that they are posted. No id may come twice. */
  post (request: Omit<LaneRequest, 'claim'>): void
  /** Takes a request back that was posted; false if it has been begun. One that was taken back is never answered. */
  takeBack (id: number): boolean
  /** Tells the thread that a request was given up: its next checkpoint ends it. */
  giveUp (id: number): void
  onAnswer (listener: (answer: LaneAnswer) => void): void
  /** It ended, by itself or because it was told to. */
  onEnd (listener: (error: Error | null) => void): void
  end (): void
}

/** @param memory of the slots */
export type StartThread = (memory: SharedArrayBuffer) => LaneThread

const ENTRY = new URL('./lane.js', import.meta.url)

const OPTIONS: WorkerOptions = {
  // A lane's heap holds one page's bookkeeping; small spaces keep many lanes cheap.
  resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 24 },
  // What the process preloads (`--import`) is not for lanes.
  execArgv: [],
  stdin: false
}

/** Starts a worker thread that reads beneath `root`. */
export function startThread (root: Root, memory: SharedArrayBuffer): LaneThread {
  const givenUp = new SharedArrayBuffer(4)
  const givenUpId = new Int32Array(givenUp)
  const claims = new SharedArrayBuffer(4 * CLAIMS)
  const claimIds = new Int32Array(claims)
  const worker = new Worker(ENTRY, { ...OPTIONS, workerData: { root, givenUp, claims, memory } satisfies LaneStart })
  return {
    post: ({ id, job, slot, deadlineMs }) => {
      const claim = claimIds.indexOf(0)
      if (claim < 0) throw new Error('a lane has more at hand than it may')
      Atomics.store(claimIds, claim, id)
      worker.postMessage({ id, claim, job, slot, deadlineMs } satisfies LaneRequest)
    },
    takeBack: id => {
      const claim = claimIds.indexOf(id)
      return claim >= 0 && Atomics.compareExchange(claimIds, claim, id, 0) === id
    },
    giveUp: id => { Atomics.store(givenUpId, 0, id) },
    onAnswer: listener => { worker.on('message', listener) },
    onEnd: listener => {
      let error: Error | null = null
      worker.on('error', reason => { error = reason as Error })
      worker.on('exit', () => listener(error))
    },
    end: () => { worker.terminate().catch(() => {}) }
  }
}
