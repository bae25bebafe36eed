import { constants } from 'node:fs'
import { Problem } from '../errors.js'

/**
 * open(2): a handle that names a file without opening it. Not in `fs.constants`; the same on all Linux ports that
 * Node has.
 */
export const O_PATH = 0o10000000

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY, O_NONBLOCK, O_NOCTTY } = constants

export const OPEN_FOLDER = O_PATH | O_DIRECTORY | O_NOFOLLOW
export const OPEN_HANDLE = O_PATH | O_NOFOLLOW
/** For a handle's /proc/self/fd link, which must be followed. */
export const OPEN_READ = O_RDONLY | O_NONBLOCK | O_NOCTTY

/** The errno name of a failed system call, or undefined if it is no such error. */
export function errnoOf (error: unknown): string | undefined {
  return error instanceof Error && 'syscall' in error && 'code' in error ? String(error.code) : undefined
}

/** What a failed system call on a file means to the caller. Anything that is no system error is passed on as it is. */
export function storageProblem (error: unknown): unknown {
  const errno = errnoOf(error)
  switch (errno) {
    case undefined:
      return error
    case 'ENOENT':
    case 'ENOTDIR':
    case 'ELOOP':
    case 'ENAMETOOLONG':
      return notFound()
    case 'EACCES':
    case 'EPERM':
      return new Problem('PERMISSION_DENIED', 'The service may not read this file; ask its operator for access.')
    default:
      return new Problem('STORAGE_UNAVAILABLE', `The storage failed (${errno}); try again later.`)
  }
}

export function notFound (): Problem {
  return new Problem('FILE_NOT_FOUND', 'There is no such file; check `path`, which counts from the root.')
}
