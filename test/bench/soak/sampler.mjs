import fs from 'node:fs'
import { median } from '../statistics.mjs'

const MIB = 1_048_576
/** What the last third may be over the reference. */
const GROWTH = 1.15
const JUDGED_SECONDS = 170
const SLACK = { rss: 10, descriptors: 10 }

/** Samples a process each second, and judges whether it stays as it was after its first minute. */
export class Sampler {
  #pid
  #timer
  #samples = []

  constructor (pid) {
    this.#pid = pid
    this.#timer = setInterval(() => this.#sample(), 1000)
  }

  end () {
    clearInterval(this.#timer)
  }

  /** The last third's median against the second minute's. A run without three minutes is too short to be judged. */
  judge () {
    const count = this.#samples.length
    const minute = Math.min(60, Math.floor(count / 6))
    return ['rss', 'descriptors'].map(name => {
      const values = this.#samples.map(sample => sample[name])
      const reference = median(values.slice(minute, 2 * minute))
      const last = median(values.slice(Math.floor(count * 2 / 3)))
      const bound = reference * GROWTH + SLACK[name]
      const verdict = count < JUDGED_SECONDS ? 'too short to be judged' : last <= bound ? 'holds' : 'FAILS'
      return { name, reference, last, most: Math.max(...values), bound, verdict }
    })
  }

  #sample () {
    try {
      const status = fs.readFileSync(`/proc/${this.#pid}/status`, 'latin1')
      const rss = Number(/^VmRSS:\s+(\d+)/m.exec(status)[1]) * 1024 / MIB
      this.#samples.push({ rss, descriptors: fs.readdirSync(`/proc/${this.#pid}/fd`).length })
    } catch {
      // It has ended, which is noticed elsewhere.
    }
  }
}
