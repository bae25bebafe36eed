import fs, { type BigIntStats } from 'node:fs'
import { Problem } from '../errors.js'
import { beneathRoot, isName, type Component } from './request-path.js'
import type { Root } from './root.js'
import { OPEN_FOLDER, OPEN_HANDLE, errnoOf, notFound, storageProblem } from './system.js'

/** Links that one walk follows at most; Linux's own limit (path_resolution(7)). */
const MAX_LINKS = 40

/** A handle (O_PATH) on what a walk led to. Whoever holds it closes `fd`. */
export interface Handle { fd: number, stat: BigIntStats }

/** Called before each step of a walk with the component at hand; a test changes the tree there. */
export type WalkSeam = (component: Component) => void

/**
 * Resolves components beneath a root to a handle on a regular file, one component at a time from the root's
 * descriptor. The kernel never follows a link: the walk reads each and judges its target step by step, so nothing
 * that is renamed or swapped meanwhile can lead out of the root.
 *
 * @throws Problem PATH_OUTSIDE_ROOT, FILE_NOT_FOUND, NOT_A_FILE, PERMISSION_DENIED, STORAGE_UNAVAILABLE
 */
export function walkToFile (root: Root, components: Component[], seam?: WalkSeam): Handle {
  return new Walk(root, components, seam).run(walk => walk.toFile())
}

/** An O_PATH descriptor of a folder, which whoever holds it closes, and its canonical name relative to the root. */
export interface Folder { fd: number, name: Component[] }

/** As `walkToFile`, for a folder. FILE_NOT_FOUND if it is something else. */
export function walkToFolder (root: Root, components: Component[], seam?: WalkSeam): Folder {
  return new Walk(root, [...components, '.'], seam).run(walk => walk.toFolder())
}

class Walk {
  private readonly root: Root
  private readonly seam: WalkSeam | undefined
  /** Components still to go, the next one last. Those of link targets may be `..` or, at their end, `.`. */
  private readonly pending: Component[]
  /** The folders from the root (itself not in here) down to where the walk is: their descriptors and names. */
  private readonly folders: { fd: number, name: Component }[] = []
  private links = 0

  constructor (root: Root, components: Component[], seam: WalkSeam | undefined) {
    this.root = root
    this.seam = seam
    this.pending = components.toReversed()
  }

  run<T> (walk: (self: Walk) => T): T {
    try {
      return walk(this)
    } catch (error) {
      throw storageProblem(error)
    } finally {
      this.leaveFolders()
    }
  }

  toFile (): Handle {
    for (let name = this.pending.pop(); name !== undefined; name = this.pending.pop()) {
      this.seam?.(name)
      if (!this.step(name)) continue
      if (this.pending.length > 0) {
        this.enter(name)
      } else {
        const handle = this.open(name)
        if (handle !== undefined) return handle
      }
    }
    throw notAFile()
  }

  /** Its components end in `.`, so that every name before it is entered as a folder. */
  toFolder (): Folder {
    for (let name = this.pending.pop(); name !== undefined; name = this.pending.pop()) {
      this.seam?.(name)
      if (this.step(name)) this.enter(name)
    }
    const name = this.folders.map(folder => folder.name)
    const fd = this.folders.pop()?.fd ?? fs.openSync(`/proc/self/fd/${this.root.fd}/.`, OPEN_FOLDER)
    return { fd, name }
  }

  /** Takes `.` and `..`; true if the component is a name, which is still to be taken. */
  private step (name: Component): boolean {
    if (name === '.') return false
    if (name !== '..') return true
    const folder = this.folders.pop()
    if (folder === undefined) throw outside()
    fs.closeSync(folder.fd)
    return false
  }

  private enter (name: Component): void {
    try {
      this.folders.push({ fd: fs.openSync(this.at(name), OPEN_FOLDER), name })
    } catch (error) {
      // ENOTDIR: a link, which O_NOFOLLOW kept the kernel from following, or no folder at all.
      if (errnoOf(error) !== 'ENOTDIR') throw error
      this.follow(name)
    }
  }

  /** A handle on the last component if it is a regular file; undefined if it was a link, now among the pending. */
  private open (name: Component): Handle | undefined {
    const fd = fs.openSync(this.at(name), OPEN_HANDLE)
    try {
      const stat = fs.fstatSync(fd, { bigint: true })
      if (stat.isFile()) return { fd, stat }
      if (!stat.isSymbolicLink()) throw notAFile()
    } catch (error) {
      fs.closeSync(fd)
      throw error
    }
    fs.closeSync(fd)
    this.follow(name)
    return undefined
  }

  /** Puts what a link says among the pending; what was a link a moment ago and is one no more is taken again. */
  private follow (name: Component): void {
    if (++this.links > MAX_LINKS) throw notFound()
    const target = this.readLink(name)?.split('/') ?? [name]
    const steps = target.filter(isName)
    // A target that ends in `/` or `.` names a folder: what it leads to must be entered.
    if (!isName(target.at(-1)!)) steps.push('.')
    if (target[0] === '') {
      const beneath = beneathRoot(steps, this.root.names)
      if (beneath === undefined) throw outside()
      this.leaveFolders()
      steps.splice(0, steps.length, ...beneath)
    }
    this.pending.push(...steps.reverse())
  }

  /** The target of a link; null if it is a link no more. */
  private readLink (name: Component): string | null {
    try {
      return fs.readlinkSync(this.at(name), 'latin1')
    } catch (error) {
      if (errnoOf(error) !== 'EINVAL') throw error
      // Not the last component, and no link: if it is no folder either, a file stands where a folder should. It may be
      // a link again, where the two are exchanged for each other again and again.
      const stat = fs.lstatSync(this.at(name))
      if (this.pending.length > 0 && !stat.isDirectory() && !stat.isSymbolicLink()) throw notFound()
      return null
    }
  }

  /** The component, seen from the folder where the walk is. */
  private at (name: Component): Buffer {
    // The kernel would resolve these, and a slash at the end would make O_NOFOLLOW follow.
    if (!isName(name) || name === '..' || name.includes('/') || name.includes('\0')) throw new Error('not a component')
    return Buffer.from(`/proc/self/fd/${this.folders.at(-1)?.fd ?? this.root.fd}/${name}`, 'latin1')
  }

  private leaveFolders (): void {
    for (const { fd } of this.folders.splice(0)) fs.closeSync(fd)
  }
}

function outside (): Problem {
  return new Problem('PATH_OUTSIDE_ROOT', 'A symbolic link on this path leads out of the root; only what is beneath the root is served.')
}

function notAFile (): Problem {
  return new Problem('NOT_A_FILE', 'This is a folder, a FIFO, a socket or a device; only regular files can be read.')
}
