import { Problem } from '../errors.js'
import type { Reached } from '../pages/reading.js'

/** The caller has gone: nobody gets an answer. */
export class CallerGone extends Error {
  constructor () {
    super('the caller has gone')
  }
}

/** The deadline passed while a far-away start was being scanned for. The route makes the `next` from `at`. */
export function deadlineInScan ({ unit, number, byte, at }: Reached): Problem {
  return new Problem(
    'READ_LIMIT_EXCEEDED',
    `The time was over at ${unit === 'line' ? 'line' : 'character'} ${number}, before the start; follow \`next\` to go on from there.`,
    { reason: 'deadline', reached: { [unit]: number, byte }, at }
  )
}

export function deadlineExceeded (): Problem {
  return new Problem('READ_DEADLINE_EXCEEDED', 'The read did not end in time: the storage is slow, or a line is very long. Try again later, or read its bytes with `/bytes`.')
}

export function overloaded (what: string): Problem {
  return new Problem('OVERLOADED', `${what}; try again after the time in Retry-After.`)
}
