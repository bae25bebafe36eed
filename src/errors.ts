/** Every error that a caller can meet. `MALFORMED_HTTP` has other statuses too: what the HTTP parser says. */
export const PROBLEMS = {
  INVALID_REQUEST: { status: 400, title: 'Invalid request' },
  INVALID_PATH: { status: 400, title: 'Invalid path' },
  MALFORMED_HTTP: { status: 400, title: 'Malformed HTTP' },
  UNAUTHORIZED: { status: 401, title: 'Unauthorized' },
  PATH_OUTSIDE_ROOT: { status: 403, title: 'Path outside the root' },
  PERMISSION_DENIED: { status: 403, title: 'Permission denied' },
  FILE_NOT_FOUND: { status: 404, title: 'File not found' },
  ROUTE_NOT_FOUND: { status: 404, title: 'Route not found' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'Method not allowed' },
  CURSOR_CONFLICT: { status: 409, title: 'Cursor conflict' },
  FILE_CHANGED: { status: 409, title: 'File changed' },
  NOT_A_FILE: { status: 422, title: 'Not a regular file' },
  READ_LIMIT_EXCEEDED: { status: 422, title: 'Read limit exceeded' },
  RATE_LIMITED: { status: 429, title: 'Rate limited' },
  INTERNAL: { status: 500, title: 'Internal error' },
  OVERLOADED: { status: 503, title: 'Overloaded' },
  STORAGE_UNAVAILABLE: { status: 503, title: 'Storage unavailable' },
  CURSOR_STORE_UNAVAILABLE: { status: 503, title: 'Cursor store unavailable' },
  NOT_READY: { status: 503, title: 'Not ready' },
  READ_DEADLINE_EXCEEDED: { status: 504, title: 'Read deadline exceeded' }
} as const satisfies Record<string, { status: number, title: string }>

export type ProblemCode = keyof typeof PROBLEMS

/** Further members of a problem's body. Plain data: it crosses from a lane to the main thread. */
export type ProblemMembers = Record<string, unknown>

/** A problem as plain data. */
export interface ProblemData { code: ProblemCode, detail: string, members: ProblemMembers }

/**
 * An error that is told to the caller. `detail` says what to do instead, and never holds the root's path or a path
 * outside it.
 */
export class Problem extends Error implements ProblemData {
  readonly code: ProblemCode
  readonly detail: string
  readonly members: ProblemMembers
  readonly status: number

  constructor (
    code: ProblemCode, detail: string, members: ProblemMembers = {}, status: number = PROBLEMS[code].status
  ) {
    super(detail)
    this.code = code
    this.detail = detail
    this.members = members
    this.status = status
  }
}

/** A parameter that breaks its rule. */
export function invalidParameter (parameter: string, detail: string): Problem {
  return new Problem('INVALID_REQUEST', detail, { parameter })
}

/** The problem's URN (RFC 9457, `type`). */
export function problemType (code: ProblemCode): string {
  return `urn:artifact-pager:problem:${code.toLowerCase().replaceAll('_', '-')}`
}
