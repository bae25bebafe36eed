import { BYTES_EXAMPLES } from './bytes.js'
import type { Example } from './example.js'
import { READ_EXAMPLES } from './read.js'
import { READ_PROBLEM_EXAMPLES } from './read-problems.js'
import { SERVICE_EXAMPLES } from './service.js'
import { TAIL_EXAMPLES } from './tail.js'

export type { Example }
export const EXAMPLES: Example[] = [
  ...READ_EXAMPLES, ...READ_PROBLEM_EXAMPLES, ...BYTES_EXAMPLES, ...TAIL_EXAMPLES, ...SERVICE_EXAMPLES
]
