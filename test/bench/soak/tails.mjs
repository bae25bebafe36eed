import assert from 'node:assert/strict'
import { grownLine } from './files.mjs'
import { isRefused } from './readers.mjs'

/** A run's tail of a growing file, with `ack`; every line must come once and in order, over rotations too. */
export class Tail {
  #run
  #file
  #ack = '0'
  #endByte = 0
  #life = null
  #number = 0
  #rest = ''

  constructor (run, file) {
    this.#run = run
    this.#file = file
  }

  /** One page; now and then asked for twice, as a caller does that lost an answer. */
  async step ({ request, count }) {
    const wait = Math.random() < 0.2 ? 1 : 0
    const target = `/tail?run=${this.#run}&path=${this.#file.name}&maxBytes=${1 + Math.floor(Math.random() * 32_768)}&wait=${wait}`
    if (Math.random() < 0.1) await this.#peek(request, target, count)
    const post = () => request(`${target}&ack=${this.#ack}`, { method: 'POST' })
    const page = await post()
    if (isRefused(page, count) || isMissing(page)) return
    assert.equal(page.status, 200, `${target}: ${page.bytes}`)
    if (Math.random() < 0.1 && page.body.content !== '') {
      const again = await post()
      // A file that rotated in between shows its reset instead.
      if (again.status === 200 && again.body.reset === null && page.body.reset === null) {
        assert.ok(again.body.replayed, 'the same page comes again')
        assert.equal(again.body.content, page.body.content)
        count('replays')
      } else if (!isRefused(again, count) && !isMissing(again)) {
        return this.#take(again.body, count)
      }
    }
    this.#take(page.body, count)
  }

  async #peek (request, target, count) {
    const { status } = await request(target.replace(/wait=\d/, 'wait=0'))
    assert.ok([200, 404, 503].includes(status), `a peek: ${status}`)
    count('peeks')
  }

  #take ({ content, cursor, reset, startByte, endByte }, count) {
    if (reset !== null) {
      this.#life = null
      this.#number = 0
      this.#rest = ''
      this.#endByte = 0
      count(`resets (${reset.reason})`)
    }
    assert.equal(startByte, this.#endByte, 'pages follow each other')
    this.#endByte = endByte
    this.#ack = cursor
    const lines = (this.#rest + content).split('\n')
    this.#rest = lines.pop()
    for (const line of lines) {
      this.#life ??= Number(/^(\d+):0 /.exec(line)?.[1])
      assert.equal(`${line}\n`, grownLine(this.#life, this.#number), `line ${this.#number} of ${this.#file.name}`)
      this.#number++
    }
    count('tail pages')
  }
}

/** Between the two steps of a rotation there is no file. */
function isMissing ({ status }) {
  return status === 404
}
