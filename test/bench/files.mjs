import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { seededRandom } from './statistics.mjs'

const MIB = 1024 * 1024
const LINES_AT_ONCE = 20_000
const WORDS = 'request response cache miss hit retry worker queue flush commit "GET /api/v1/items" timeout shard'.repeat(3)
const COPY_BYTES = 8 * MIB

/** The folder that the measured files are in, made when it is first needed and removed at the end. */
export class Files {
  #folder = null
  #made = new Map()

  get folder () {
    this.#folder ??= fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'artifact-pager-bench-')))
    return this.#folder
  }

  /** An ASCII log of about so many bytes: `lines` is how many it has, `marks` where the lines asked for start. */
  log (name, bytes, markedLines = []) {
    return this.#once(name, file => writeLog(file, bytes, markedLines))
  }

  /** A JSON text on one line, with a character outside ASCII now and then. */
  oneLine (name, bytes) {
    return this.#once(name, file => {
      const item = '{"step":"tool_call","name":"search","status":"ok","note":"naïve – 検索 done","tokens":1234,"cost":0.0125},'
      fs.writeFileSync(file, `[${item.repeat(Math.ceil(bytes / Buffer.byteLength(item)))}`)
      return {}
    })
  }

  /** A file so many times over, in real blocks. */
  repeated (name, source, times) {
    return this.#once(name, file => {
      const target = fs.openSync(file, 'w')
      for (let copy = 0; copy < times; copy++) appendFile(source.file, target)
      fs.closeSync(target)
      return { lines: source.lines * times }
    })
  }

  remove () {
    if (this.#folder !== null) fs.rmSync(this.#folder, { recursive: true, force: true })
  }

  #once (name, write) {
    if (!this.#made.has(name)) {
      const file = path.join(this.folder, name)
      const facts = write(file)
      this.#made.set(name, { name, file, ...facts, size: fs.statSync(file).size })
    }
    return this.#made.get(name)
  }
}

function writeLog (file, bytes, markedLines) {
  const random = seededRandom(1)
  const fd = fs.openSync(file, 'w')
  const marks = new Map()
  let written = 0
  let lines = 0
  while (written < bytes) {
    let text = ''
    for (let count = 0; count < LINES_AT_ONCE; count++) {
      lines++
      if (markedLines.includes(lines)) marks.set(lines, written + text.length)
      const from = Math.floor(random() * 90)
      text += `2026-03-14T09:26:53.${lines % 1000}Z INFO  line=${lines} ${WORDS.slice(from, from + 20 + random() * 110)}\n`
    }
    written += fs.writeSync(fd, text, null, 'latin1')
  }
  fs.closeSync(fd)
  return { lines, marks }
}

function appendFile (file, target) {
  const source = fs.openSync(file, 'r')
  const buffer = Buffer.allocUnsafe(COPY_BYTES)
  let got = 0
  while ((got = fs.readSync(source, buffer)) > 0) fs.writeSync(target, buffer, 0, got)
  fs.closeSync(source)
}

/** Bytes [start, end) of a file. */
export function slice (file, start, end) {
  const fd = fs.openSync(file, 'r')
  const buffer = Buffer.allocUnsafe(end - start)
  fs.readSync(fd, buffer, 0, buffer.length, start)
  fs.closeSync(fd)
  return buffer
}

/** Reads a file once, so that it is in the page cache. */
export function warm ({ file }) {
  const fd = fs.openSync(file, 'r')
  const buffer = Buffer.allocUnsafe(COPY_BYTES)
  while (fs.readSync(fd, buffer) > 0);
  fs.closeSync(fd)
}
