import fs from 'node:fs'
import path from 'node:path'

const LINE_TEXTS = ['GET /api/v1/items 200', 'naïve – 検索 done', '😀 retry', 'worker "7" \\ flushed\t', '']
const GROWS_EVERY_MS = 25
const ROTATES_EVERY_MS = 7000
const LINES_AT_ONCE = 40

/** The bytes of files that do not change, by name. */
export function writeStaticFiles (folder) {
  const lines = Array.from({ length: 60_000 }, (_, number) => `${number} ${LINE_TEXTS[number % LINE_TEXTS.length]}\n`)
  const deep = Array.from({ length: 5000 }, (_, number) => `${' '.repeat(number % 7 * 4)}call(${number})\n`)
  const contents = {
    'mixed.log': lines.join(''),
    'code.py': deep.join(''),
    'wide.csv': Array.from({ length: 200 }, (_, number) => `${number},${'ä'.repeat(20_000)}\n`).join('')
  }
  const files = new Map()
  for (const [name, content] of Object.entries(contents)) {
    const bytes = Buffer.from(content)
    fs.writeFileSync(path.join(folder, name), bytes)
    files.set(name, { name, bytes, lines: content.split('\n').length - 1, chars: [...content].length })
  }
  return files
}

/** Line `number` of a file that grows, in its life `life`: whoever reads it can tell whether one is missing. */
export function grownLine (life, number) {
  return `${life}:${number} ${LINE_TEXTS[number % LINE_TEXTS.length]}\n`
}

/** A file that grows all the time, and, if it rotates, is replaced by an empty one now and then. */
export class GrowingFile {
  #life = 1
  #number = 0
  #timers

  constructor (folder, name, { rotates }) {
    this.name = name
    this.path = path.join(folder, name)
    fs.writeFileSync(this.path, '')
    this.#timers = [setInterval(() => this.#grow(), GROWS_EVERY_MS)]
    if (rotates) this.#timers.push(setInterval(() => this.#rotate(), ROTATES_EVERY_MS))
  }

  end () {
    for (const timer of this.#timers) clearInterval(timer)
  }

  #grow () {
    const lines = Array.from({ length: LINES_AT_ONCE }, () => grownLine(this.#life, this.#number++))
    // In two parts, so that pages end within lines and characters.
    const bytes = Buffer.from(lines.join(''))
    const cut = Math.floor(Math.random() * bytes.length)
    fs.appendFileSync(this.path, bytes.subarray(0, cut))
    fs.appendFileSync(this.path, bytes.subarray(cut))
  }

  #rotate () {
    fs.renameSync(this.path, `${this.path}.1`)
    fs.writeFileSync(this.path, '')
    this.#life++
    this.#number = 0
  }
}
