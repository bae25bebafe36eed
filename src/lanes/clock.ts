/** `performance` counts from the start of its thread; this is where that was on the system's monotonic clock. */
const ORIGIN_MS = Number(process.hrtime.bigint()) / 1e6 - performance.now()

/** Milliseconds of the system's monotonic clock: the same, to some microseconds, in every thread of the process. */
export function monotonicMs (): number {
  return ORIGIN_MS + performance.now()
}
