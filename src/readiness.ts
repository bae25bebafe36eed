import type { CursorCalls } from './cursors/store.js'
import { rootIsInPlace, type Root } from './files/root.js'
import type { LanePool } from './lanes/pool.js'

const CHECK_MS = 1000

export interface ReadinessOptions { root: Root, artifactRoot: string, pool: LanePool, store: CursorCalls }

/** Whether the service can serve, and if not, why. */
export class Readiness {
  draining = false
  private readonly options: ReadinessOptions
  private rootCheck: Promise<string | null> | null = null

  constructor (options: ReadinessOptions) {
    this.options = options
  }

  /** Short sentences, one a fault; none if all is well. Answers within a second, whatever hangs. */
  async faults (): Promise<string[]> {
    const faults = await Promise.all([this.checkRoot(), this.checkStore()])
    return [
      this.draining ? 'the service is shutting down' : null,
      this.options.pool.allStuck ? 'every read that may be under way hangs' : null,
      ...faults
    ].filter(fault => fault !== null)
  }

  private async checkStore (): Promise<string | null> {
    return withinCheck(this.options.store.ping().then(() => null, () => 'the cursor store cannot be reached'), 'the cursor store does not answer')
  }

  private async checkRoot (): Promise<string | null> {
    const { root, artifactRoot } = this.options
    // One at a time: on storage that hangs, each would take one of libuv's few threads and keep it.
    this.rootCheck ??= rootIsInPlace(root, artifactRoot)
      .then(isInPlace => isInPlace ? null : 'the root\'s name leads to another folder', () => 'the root\'s name leads nowhere')
      .finally(() => { this.rootCheck = null })
    return withinCheck(this.rootCheck, 'the storage does not answer')
  }
}

async function withinCheck (check: Promise<string | null>, late: string): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<string>(resolve => { timer = setTimeout(() => resolve(late), CHECK_MS) })
  return Promise.race([check, timeout]).finally(() => clearTimeout(timer))
}
