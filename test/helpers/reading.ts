import fs from 'node:fs'
import path from 'node:path'
import type { Test } from 'tap'
import { Problem, type ProblemData } from '../../src/errors.js'
import { OpenFile, type FileSeams } from '../../src/files/open-file.js'
import { PAGE_BUFFER_BYTES, type Reading } from '../../src/pages/reading.js'
import { CHUNK_BYTES, type Kernel } from '../../src/text/kernel.js'
import { createPlainKernel } from '../../src/text/plain-kernel.js'
import { createWasmKernel } from '../../src/text/wasm-kernel.js'

/** A file of the test's own, gone after it. Each write makes it hold other bytes; it stays the same file. */
export class TestFile {
  readonly path: string

  constructor (t: Test, bytes: Uint8Array | string = '') {
    this.path = path.join(t.testdir(), 'file')
    fs.writeFileSync(this.path, bytes)
  }

  write (bytes: Uint8Array | string): void {
    fs.writeFileSync(this.path, bytes)
  }

  append (bytes: Uint8Array | string): void {
    fs.appendFileSync(this.path, bytes)
  }

  truncate (length: number): void {
    fs.truncateSync(this.path, length)
  }

  /** Puts another file in its place. */
  replace (bytes: Uint8Array | string): void {
    fs.writeFileSync(`${this.path}.new`, bytes)
    fs.renameSync(`${this.path}.new`, this.path)
  }

  /** Puts bytes at a place that may be far past the end: what is before them is a hole. */
  put (bytes: Uint8Array | string, position: number): void {
    const fd = fs.openSync(this.path, 'r+')
    fs.writeSync(fd, Buffer.from(bytes), 0, null, position)
    fs.closeSync(fd)
  }

  /** Opens the file as a service does, for the time of one read. */
  read<T> (use: (file: OpenFile) => T, seams: FileSeams = {}): T {
    const fd = fs.openSync(this.path, 'r')
    const file = new OpenFile(fd, fs.fstatSync(fd, { bigint: true }), seams)
    try {
      return use(file)
    } finally {
      file.close()
    }
  }
}

const KERNELS = { wasm: createWasmKernel(), plain: createPlainKernel() }

export interface ReadingOptions {
  kernel?: keyof typeof KERNELS
  /** How much of the file the reader sees at a time; at least a whole character, 4. */
  chunkBytes?: number
  checkpoint?: Reading['checkpoint']
}

const output = Buffer.alloc(PAGE_BUFFER_BYTES)

/** What a reader works with. One at a time: kernels and output are shared. */
export function makeReading (options: ReadingOptions = {}): Reading {
  const { kernel = 'wasm', chunkBytes = CHUNK_BYTES, checkpoint = () => {} } = options
  const shared = KERNELS[kernel]
  return { kernel: withInput(shared, shared.input.subarray(0, chunkBytes)), output, checkpoint }
}

function withInput (kernel: Kernel, input: Buffer): Kernel {
  return {
    input,
    get found () { return kernel.found },
    get position () { return kernel.position },
    seekLines: (...range) => kernel.seekLines(...range),
    seekChars: (...range) => kernel.seekChars(...range),
    escapeJson: length => kernel.escapeJson(length)
  }
}

/** The content of the page that was just read; not valid UTF-8 is an error. */
export function contentOf (page: { contentBytes: number }): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(output.subarray(0, page.contentBytes))
}

/** The problem that a read ends in, as plain data. */
export function problemOf (read: () => unknown): ProblemData {
  try {
    read()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { code, detail, members } = error
    return { code, detail, members }
  }
  throw new Error('no problem, but a page')
}
