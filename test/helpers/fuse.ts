import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'

const START_MS = 15_000

/** Why tests that need a file whose reads hang are skipped, or false if they are not. */
export function fuseMissing (): string | false {
  for (const [program, name] of [['nbdkit', 'nbdkit'], ['nbdfuse', 'libnbd-bin'], ['fusermount3', 'fuse3']] as const) {
    if (spawnSync(program, ['--version']).error) return `there is no ${program}: \`apt-get install nbdkit libnbd-bin fuse3\` (${name})`
  }
  try {
    fs.closeSync(fs.openSync('/dev/fuse', 'r+'))
    return false
  } catch {
    return '/dev/fuse cannot be opened: run as root, or with `--device /dev/fuse --cap-add SYS_ADMIN`'
  }
}

export interface SlowMount {
  /** Ends it at once: reads that hang fail. */
  end: () => Promise<void>
}

/**
 * Mounts, at an empty folder, a file system that holds `slow.log`, 1 GiB of NUL, each of whose reads takes
 * `delaySeconds` at the server, and twice that where the kernel splits it. Up to 32 at once. Gone after the test.
 */
export async function mountSlowFile (t: Test, folder: string, delaySeconds: number): Promise<SlowMount> {
  const run = fs.mkdtempSync(path.join(os.tmpdir(), 'slow-mount-'))
  const socket = path.join(run, 'nbd')
  const processes: ChildProcess[] = []
  const start = (program: string, args: string[]): ChildProcess => {
    const child = spawn(program, args, { stdio: 'ignore' })
    processes.push(child)
    return child
  }
  const end = async (): Promise<void> => {
    for (const child of processes.splice(0).reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    }
    // Lazily, since a reader may still hold a file in it.
    spawnSync('fusermount3', ['-u', '-z', folder])
    if (isMounted(folder)) spawnSync('umount', ['-l', folder])
    fs.rmSync(run, { recursive: true, force: true })
  }
  t.teardown(end)
  start('nbdkit', ['-f', '-r', '-t', '64', '-U', socket, '--filter=delay', 'memory', '1G', `rdelay=${delaySeconds}`])
  await until(() => fs.existsSync(socket))
  start('nbdfuse', ['-r', '-C', '32', path.join(folder, 'slow.log'), '--unix', socket])
  await until(() => isMounted(folder) && fs.existsSync(path.join(folder, 'slow.log')))
  return { end }
}

function isMounted (folder: string): boolean {
  return fs.readFileSync('/proc/self/mounts', 'utf8').includes(` ${folder} fuse`)
}

async function until (condition: () => boolean): Promise<void> {
  const endsAt = performance.now() + START_MS
  while (!condition()) {
    if (performance.now() > endsAt) throw new Error('the slow mount does not start')
    await sleep(20)
  }
}
