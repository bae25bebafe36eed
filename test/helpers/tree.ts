import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import type { Test } from 'tap'
import { makeFolder } from './service.js'

export const SECRET = 'the secret'

/**
 * A root with something beside it:
 *
 *     <root>     a link to <real>: the name that a service is configured with
 *     <real>     the folder itself
 *     <outside>  holds `secret`
 */
export interface Tree {
  /** As configured. */
  root: string
  /** As it canonically is. */
  real: string
  outside: string
  /** Puts other entries in the place of those beneath the root. */
  replace (entries: string[]): Promise<void>
  /** Puts names in the place of `<root>`, `<real>` and `<outside>`. */
  expand (text: string): string
  /** What is open of this tree in this process. */
  descriptors (): string[]
}

/**
 * Makes a tree, gone after the test. An entry is a path relative to the root, and what it is:
 *
 *     a/            a folder; those on the way to an entry are made, too
 *     a/f           a file that holds its own path
 *     f = text      a file that holds the text
 *     l => target   a symbolic link; `<root>`, `<real>` and `<outside>` stand for names
 *     p|            a FIFO
 *     s=            a socket
 *     c%            a device, as /dev/null is (for root alone)
 *     \xFF          in a name or a target: a byte
 */
export async function makeTree (t: Test, entries: string[] = []): Promise<Tree> {
  const folder = makeFolder(t, { 'outside/secret': SECRET })
  const [root, real, outside] = ['root', 'real', 'outside'].map(name => path.join(folder, name)) as [string, string, string]
  fs.mkdirSync(real)
  fs.symlinkSync('real', root)
  const expand = (text: string): string =>
    text.replaceAll('<root>', root).replaceAll('<real>', real).replaceAll('<outside>', outside)
  const add = async (entries: string[]): Promise<void> => {
    for (const entry of entries) await addEntry(real, expand(entry))
  }
  await add(entries)
  return {
    root,
    real,
    outside,
    expand,
    replace: async entries => {
      for (const name of fs.readdirSync(real, 'buffer')) {
        fs.rmSync(Buffer.concat([Buffer.from(`${real}/`), name]), { recursive: true, force: true })
      }
      await add(entries)
    },
    descriptors: () => fs.readdirSync('/proc/self/fd').map(nameOf).filter(name => name.startsWith(`${folder}/`)).sort()
  }
}

function nameOf (fd: string): string {
  try {
    return fs.readlinkSync(`/proc/self/fd/${fd}`, { encoding: 'latin1' })
  } catch {
    // The one of the listing itself.
    return ''
  }
}

/** Why a tree cannot have a device, or false if it can. */
export function deviceMissing (): string | false {
  return process.getuid?.() === 0 ? false : 'making a device takes root'
}

async function addEntry (folder: string, entry: string): Promise<void> {
  const [, name, kind = '', target] = /^(.+?)(\/|\||=|%| => (.*)| = .*)?$/s.exec(entry) as unknown as [string, string, string?, string?]
  const content = kind.startsWith(' = ') ? kind.slice(3) : name
  const place = bytes(`${folder}/${name}`)
  fs.mkdirSync(place.subarray(0, place.lastIndexOf(0x2F)), { recursive: true })
  if (kind === '/') fs.mkdirSync(place, { recursive: true })
  else if (kind === '|') run('mkfifo', folder, name)
  else if (kind === '%') run('mknod', folder, name, 'c', '1', '3')
  else if (kind === '=') await makeSocket(`${folder}/${name}`)
  else if (kind.startsWith(' => ')) fs.symlinkSync(bytes(target!), place)
  else fs.writeFileSync(place, content)
}

/** Text in UTF-8, but `\xFF` is a byte. */
function bytes (text: string): Buffer {
  return Buffer.concat(text.split(/(\\x[0-9A-F]{2})/).map((part, index) =>
    index % 2 === 0 ? Buffer.from(part) : Buffer.from(part.slice(2), 'hex')))
}

function run (command: string, folder: string, ...args: string[]): void {
  const { status, stderr, error } = spawnSync(command, args, { cwd: folder })
  if (status !== 0) throw error ?? new Error(stderr.toString())
}

/** Leaves the socket behind, without a server: closing one would unlink its name, but not another link to it. */
async function makeSocket (place: string): Promise<void> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(`${place}.made`, resolve))
  fs.linkSync(`${place}.made`, place)
  await new Promise(resolve => server.close(resolve))
}
