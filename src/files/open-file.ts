import fs, { type BigIntStats } from 'node:fs'
import { hash } from 'node:crypto'
import { Problem } from '../errors.js'
import { CHUNK_BYTES } from '../text/kernel.js'
import type { Component } from './request-path.js'
import type { Root } from './root.js'
import { OPEN_READ, storageProblem } from './system.js'
import { walkToFile, walkToFolder, type Handle, type WalkSeam } from './walk.js'

/** The years 0000 and 9999. A file may bear times far beyond. */
const MIN_TIME_MS = Date.parse('0000-01-01T00:00:00.000Z')
const MAX_TIME_MS = Date.parse('9999-12-31T23:59:59.999Z')

/** Where a test reaches in. */
export interface FileSeams {
  walk?: WalkSeam
  /** Before each read of a chunk. */
  read?: (position: number) => void
}

/**
 * A regular file, pinned: everything goes through its descriptor, whatever becomes of its name. To be used by one
 * reader and closed by it.
 */
export class OpenFile {
  /**
   * The size at the open, in bytes. Growth does not change it; a truncation seen by a read makes it the end of
   * file that was then seen.
   */
  extent: number
  /** RFC 3339; a time that it cannot say is the nearest that it can. */
  readonly modifiedAt: string
  /** Which file this is. Equal for the same file on every replica; a new file has another, even with the old inode. */
  readonly identity: string
  /** Bytes read so far. */
  bytesRead = 0

  private readonly fd: number
  private readonly seams: FileSeams

  constructor (fd: number, stat: BigIntStats, seams: FileSeams = {}) {
    this.fd = fd
    this.seams = seams
    this.extent = Number(stat.size)
    this.modifiedAt = new Date(Math.min(Math.max(Number(stat.mtimeMs), MIN_TIME_MS), MAX_TIME_MS)).toISOString()
    this.identity = identityOf(stat)
  }

  /**
   * Reads file bytes [position, position + length), cut to the extent, into target from `at` on. Short reads are
   * repeated. Returns how many bytes there were: fewer than `length` at the end of file alone.
   * @param length at most CHUNK_BYTES, so that no single read is long
   * @throws Problem STORAGE_UNAVAILABLE
   */
  read (target: Uint8Array, at: number, length: number, position: number): number {
    const got = this.lookAt(target, at, length, position)
    // Fewer than there were at the open: the file was truncated.
    if (got < Math.min(length, this.extent - position)) this.extent = position + got
    return got
  }

  /**
   * As `read`, for bytes that are no part of a page. What it finds truncated is left to the reads of a page to find:
   * the extent of a page that was read must not fall behind its end.
   */
  lookAt (target: Uint8Array, at: number, length: number, position: number): number {
    const wanted = Math.max(0, Math.min(length, this.extent - position))
    if (wanted > CHUNK_BYTES) throw new RangeError('a read is a chunk at most')
    let got = 0
    while (got < wanted) {
      this.seams.read?.(position + got)
      const count = this.readOnce(target, at + got, wanted - got, position + got)
      if (count === 0) break
      got += count
    }
    this.bytesRead += got
    return got
  }

  close (): void {
    fs.closeSync(this.fd)
  }

  private readOnce (target: Uint8Array, at: number, length: number, position: number): number {
    try {
      return fs.readSync(this.fd, target, at, length, position)
    } catch (error) {
      throw storageProblem(error)
    }
  }
}

/** Components beneath the root, of which the first `scopeDepth` make a confined root of their own. */
export interface FileAddress { components: Component[], scopeDepth: number }

/**
 * Walks to a regular file beneath the root and opens it for reading.
 * @throws Problem as `walkToFile`
 */
export function openFile (root: Root, address: FileAddress, seams: FileSeams = {}): OpenFile {
  return inScope(root, address, (scope, components) => reopen(walkToFile(scope, components, seams.walk), seams), seams)
}

/** A /proc path of something that is pinned; `name`: it is a folder, and this the entry in it that matters. */
export interface Pinned { path: string, name: Component | null }

/**
 * Gives `use` the file, if there is one, and its folder, if there is one; the paths are good during the call alone.
 * Returns what `use` made of them, without the nulls.
 */
export function usePinned<T> (root: Root, address: FileAddress, use: (pinned: Pinned) => T | null): T[] {
  const walks = [
    { name: null, walk: (scope: Root, components: Component[]) => walkToFile(scope, components).fd },
    {
      name: address.components.at(-1)!,
      walk: (scope: Root, components: Component[]) => walkToFolder(scope, components.slice(0, -1)).fd
    }
  ]
  return walks.flatMap(({ name, walk }) => {
    try {
      const fd = inScope(root, address, walk)
      try {
        return use({ path: `/proc/self/fd/${fd}`, name }) ?? []
      } finally {
        fs.closeSync(fd)
      }
    } catch (error) {
      if (error instanceof Problem) return []
      throw error
    }
  })
}

/** Runs a walk from the root that confines it: the root itself, or a scope that is opened beneath it for the time. */
function inScope<T> (
  root: Root, address: FileAddress, walk: (scope: Root, components: Component[]) => T, seams: FileSeams = {}
): T {
  const { components, scopeDepth } = address
  if (scopeDepth === 0) return walk(root, components)
  const scope = components.slice(0, scopeDepth)
  const { fd, name } = walkToFolder(root, scope, seams.walk)
  // As it is named in the request and as it canonically is, as for the root.
  const names = root.names.flatMap(rootName => [[...rootName, ...scope], [...rootName, ...name]])
  try {
    return walk({ fd, names }, components.slice(scopeDepth))
  } finally {
    fs.closeSync(fd)
  }
}

/** Opens for reading what a handle pins, through the handle: the name is not looked at again. Closes the handle. */
function reopen (handle: Handle, seams: FileSeams): OpenFile {
  try {
    const fd = fs.openSync(`/proc/self/fd/${handle.fd}`, OPEN_READ)
    try {
      const stat = fs.fstatSync(fd, { bigint: true })
      if (stat.dev !== handle.stat.dev || stat.ino !== handle.stat.ino || !stat.isFile()) {
        throw new Problem('STORAGE_UNAVAILABLE', 'The storage gave another file than was named; try again.')
      }
      return new OpenFile(fd, stat, seams)
    } catch (error) {
      fs.closeSync(fd)
      throw error
    }
  } catch (error) {
    throw storageProblem(error)
  } finally {
    fs.closeSync(handle.fd)
  }
}

/**
 * Where statx(2) cannot be used (an old kernel, a strict seccomp profile), libuv gives the time of the last change for
 * that of birth, and a file would be another with every byte that is appended. procfs knows no births: if it seems
 * to know one, births are not to be had.
 */
const TELLS_BIRTHS = fs.statSync('/proc', { bigint: true }).birthtimeNs === 0n

/**
 * The inode with its time of birth: an inode number alone is reused as soon as its file is deleted. The device
 * stands in where the file system knows no births; elsewhere it is left out, since network file systems get a device
 * number of their own on every host, and replicas must agree.
 */
function identityOf (stat: BigIntStats): string {
  const birth = TELLS_BIRTHS && stat.birthtimeNs > 0n ? `b${stat.birthtimeNs}` : `d${stat.dev}`
  return hash('sha256', `${stat.ino}:${birth}`, 'base64url').slice(0, 16)
}
