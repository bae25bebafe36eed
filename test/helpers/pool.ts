import { LanePool, type PoolOptions } from '../../src/lanes/pool.js'

/** A pool without offers and lookout, whose faults are nobody's business, unless a test says otherwise. */
export function makePool (options: Partial<PoolOptions> & Pick<PoolOptions, 'startThread' | 'maxLanes' | 'warmLanes'>): LanePool {
  return new LanePool({ maxOffers: 0, lookOutMs: 0, onFault: () => {}, ...options })
}
