import fs from 'node:fs'

const KIB_PER_MIB = 1024

/** Resident memory of a process, MiB. */
export function residentMib (pid) {
  return statusMib(pid, 'VmRSS')
}

/** The most that it has had since the last `forgetPeak`, MiB. */
export function peakMib (pid) {
  return statusMib(pid, 'VmHWM')
}

/** Starts the peak anew (proc(5), clear_refs). */
export function forgetPeak (pid) {
  fs.writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

function statusMib (pid, field) {
  const status = fs.readFileSync(`/proc/${pid}/status`, 'latin1')
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)[1]) / KIB_PER_MIB
}
