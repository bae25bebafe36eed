/** The value below which a share of the values lies, 0 to 1. */
export function quantile (values, share) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}

export function median (values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/**
 * The median over rounds of a ratio. Both sides of a ratio come from the same round, so that what else the machine
 * does weighs on both.
 */
export function medianRatio (numerators, denominators) {
  return median(numerators.map((value, round) => value / denominators[round]))
}

/** A small generator of repeatable random numbers in [0, 1) (mulberry32). */
export function seededRandom (seed) {
  let state = seed
  return () => {
    state = (state + 0x6D2B79F5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A target that a measured value has to meet: at most (`<=`, `<`) or at least (`>=`) a limit. */
export function target (what, value, relation, limit, unit = 'x') {
  const holds = { '<=': value <= limit, '<': value < limit, '>=': value >= limit }[relation]
  return { what, value, relation, limit, unit, holds }
}
