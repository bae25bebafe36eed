import fs from 'node:fs'

const CALLS = ['openSync', 'fstatSync', 'lstatSync', 'readlinkSync', 'readSync', 'closeSync'] as const

export interface SystemCall { index: number, name: typeof CALLS[number], args: unknown[] }

/** Tells `before` of each system call on files that `run` makes, before it is made. What `before` does is not told. */
export function watchSystemCalls<T> (before: (call: SystemCall) => void, run: () => T): T {
  const functions = fs as unknown as Record<string, (...args: unknown[]) => unknown>
  const originals = CALLS.map(name => [name, functions[name]!] as const)
  let index = 0
  const restore = (): void => { for (const [name, original] of originals) functions[name] = original }
  const watch = (): void => {
    for (const [name, original] of originals) {
      functions[name] = (...args) => {
        restore()
        try {
          before({ index: index++, name, args })
        } finally {
          watch()
        }
        return original(...args)
      }
    }
  }
  watch()
  try {
    return run()
  } finally {
    restore()
  }
}
