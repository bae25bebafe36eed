import fs from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { usePinned, type FileAddress, type Pinned } from '../files/open-file.js'
import type { Root } from '../files/root.js'

/** To the thread: watch a file, or (without an address) no longer. */
export interface WatchRequest { id: number, address?: FileAddress }

/**
 * The thread that watches files for all waiting calls, apart from the main thread because a hung mount would hold up
 * whoever asks it for a watch. It watches what the confined walk leads to, through descriptors that it closes at once:
 * the kernel's watch holds the inode itself.
 */
const port = parentPort!
const { root } = workerData as { root: Root }
const watches = new Map<number, fs.FSWatcher[]>()

port.on('message', ({ id, address }: WatchRequest) => {
  for (const watcher of watches.get(id) ?? []) watcher.close()
  watches.delete(id)
  if (address === undefined) return
  const tell = (): void => port.postMessage(id)
  // The file grows, or its folder gets a file of its name; where neither can be watched, the poll finds out.
  watches.set(id, usePinned(root, address, pinned => watch(pinned, tell)))
  tell()
})

function watch ({ path, name }: Pinned, onNews: () => void): fs.FSWatcher | null {
  try {
    const watcher = fs.watch(path, { encoding: 'latin1' }, (_event, entry) => {
      if (name === null || entry === null || entry === name) onNews()
    })
    watcher.on('error', () => watcher.close())
    return watcher
  } catch {
    return null
  }
}
