import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { FileAddress } from '../files/open-file.js'
import type { Root } from '../files/root.js'
import type { WatchRequest } from './watch-thread.js'

const ENTRY = new URL('./watch-thread.js', import.meta.url)
const CLOSE_WITHIN_MS = 500

/** Tells when something may have happened to a file. May tell too often, or never: whoever listens polls as well. */
export interface Watcher {
  /** Calls `onNews` until `stop` is called; once as soon as it watches, so that nothing before is missed. */
  watch (address: FileAddress, onNews: () => void): { stop: () => void }
  close (): Promise<void>
  /** Once closed: it did not end. */
  readonly hangs: boolean
}

/** Watches files beneath `root` in a thread of its own, started when it is first needed. */
export class ThreadWatcher implements Watcher {
  private readonly root: Root
  private readonly onFault: (error: Error) => void
  private readonly listeners = new Map<number, () => void>()
  private worker: Worker | null = null
  private lastId = 0

  /** @param onFault told when the thread could not be started, or failed; what it watched is then found by polls */
  constructor (root: Root, onFault: (error: Error) => void) {
    this.root = root
    this.onFault = onFault
  }

  watch (address: FileAddress, onNews: () => void): { stop: () => void } {
    const id = ++this.lastId
    this.listeners.set(id, onNews)
    this.post({ id, address })
    return {
      stop: () => {
        this.listeners.delete(id)
        // No thread is started to be told this.
        this.worker?.postMessage({ id } satisfies WatchRequest)
      }
    }
  }

  /** A thread that hangs does not end: it must not hold up whoever closes. */
  async close (): Promise<void> {
    const { worker } = this
    if (worker === null) return
    const ended = new AbortController()
    const patience = sleep(CLOSE_WITHIN_MS, undefined, { signal: ended.signal }).catch(() => {})
    await Promise.race([worker.terminate(), patience])
    ended.abort()
  }

  get hangs (): boolean {
    return this.worker !== null
  }

  private post (request: WatchRequest): void {
    try {
      this.worker ??= this.start()
    } catch (error) {
      this.onFault(error as Error)
    }
    this.worker?.postMessage(request)
  }

  private start (): Worker {
    const worker = new Worker(ENTRY, {
      workerData: { root: this.root }, resourceLimits: { maxOldGenerationSizeMb: 64 }, execArgv: []
    })
    worker.on('message', (id: number) => this.listeners.get(id)?.())
    // Without it the poll goes on; the next call starts another.
    worker.on('error', this.onFault)
    worker.on('exit', () => { this.worker = null })
    worker.unref()
    return worker
  }
}
