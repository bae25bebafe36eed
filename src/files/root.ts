import fs from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { isName, toComponents, type Component } from './request-path.js'
import { O_PATH } from './system.js'

/** A folder that is held open and that reads do not leave. */
export interface Root {
  /** O_PATH descriptor of the folder. */
  fd: number
  /** The absolute names that count as the folder's: as configured, and as it canonically is. */
  names: Component[][]
}

const PROC_SUPER_MAGIC = 0x9FA0

/**
 * Opens the root and holds it. Renaming or replacing its name afterwards moves nothing.
 * @param folder its path as configured, relative to the working directory or absolute
 * @throws Error if it is not a folder, or if /proc, which every walk needs, is not there
 */
export function openRoot (folder: string): Root {
  if (fs.statfsSync('/proc').type !== PROC_SUPER_MAGIC) throw new Error('/proc is not procfs')
  const fd = fs.openSync(folder, O_PATH | fs.constants.O_DIRECTORY)
  const configured = path.resolve(folder)
  const canonical = fs.readlinkSync(`/proc/self/fd/${fd}`, 'latin1').split('/')
  const names = leadsTo(configured, fd) ? [toComponents(configured), canonical] : [canonical]
  return { fd, names: names.map(name => name.filter(isName)) }
}

/** False where `resolve` took a `..` that stands behind a link another way than the kernel does. */
function leadsTo (folder: string, fd: number): boolean {
  const named = fs.statSync(folder, { throwIfNoEntry: false })
  const held = fs.statSync(`/proc/self/fd/${fd}/.`)
  return named?.dev === held.dev && named.ino === held.ino
}

/** Whether the root's configured name still leads to the folder that is held. Rejects if the name leads nowhere. */
export async function rootIsInPlace (root: Root, folder: string): Promise<boolean> {
  const [held, named] = await Promise.all([stat(`/proc/self/fd/${root.fd}/.`), stat(folder)])
  return named.dev === held.dev && named.ino === held.ino
}
