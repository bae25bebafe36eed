/** Milliseconds of the system's monotonic clock: the same in every thread of the process. */
export function monotonicMs (): number {
  return Number(process.hrtime.bigint()) / 1e6
}
