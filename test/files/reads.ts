import fs from 'node:fs'
import type { Test } from 'tap'
import { Problem } from '../../src/errors.js'
import { openFile, type FileSeams } from '../../src/files/open-file.js'
import { parseRequestPath } from '../../src/files/request-path.js'
import { openRoot, type Root } from '../../src/files/root.js'
import type { Outcome } from '../helpers/tree-table.js'

/** A root, let go after the test. */
export function holdRoot (t: Test, folder: string): Root {
  const root = openRoot(folder)
  t.teardown(() => fs.closeSync(root.fd))
  return root
}

/**
 * Opens a small file and reads it whole.
 * @param scopeDepth see `FileAddress`
 */
export function readWhole (root: Root, path: string, seams: FileSeams = {}, scopeDepth = 0): Outcome {
  try {
    const file = openFile(root, { components: parseRequestPath(path, root.names), scopeDepth }, seams)
    try {
      const content = Buffer.alloc(file.extent)
      const length = file.read(content, 0, file.extent, 0)
      return { content: content.toString('utf8', 0, length) }
    } finally {
      file.close()
    }
  } catch (error) {
    if (error instanceof Problem) return { code: error.code }
    throw error
  }
}
