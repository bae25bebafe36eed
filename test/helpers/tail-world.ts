import assert from 'node:assert/strict'
import fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from './service.js'
import { askPatiently } from './tail-client.js'
import { TailModel, type Acknowledged, type Expected, type ModelCall } from './tail-model.js'
import { markOf } from './tail-text.js'

/** How the service is reached and disturbed. */
export interface Services {
  /** Of the replicas. */
  urls: string[]
  restart (): Promise<void>
  /** All cursors expire. */
  expire (): Promise<void>
  /** Whether a restart loses the cursors. */
  forgetful: boolean
}

export interface Call extends Omit<ModelCall, 'ack'> { replica: number }

/** What is acknowledged: nothing, no page, the last page that the caller got, or any page that it ever got. */
export type AckChoice = 'none' | 'zero' | 'last' | { anyOf: number }

/** A file, a run that tails it through the service, and the model beside them: every answer must be the model's. */
export class TailWorld {
  readonly model = new TailModel()
  private readonly services: Services
  private readonly folder: string
  private readonly name: string
  private readonly run: string
  private readonly seen = new Set<string>()
  private readonly tokens: { text: string, says: Acknowledged }[] = []
  /** The last page that the caller got. */
  private last: { text: string, says: Acknowledged | 'zero' } = { text: '0', says: 'zero' }
  /** What was handed out since byte 0, unless pages of it were skipped, flushed or changed. */
  private story: { endByte: number, content: string, flushed: boolean } | null = null

  constructor (services: Services, folder: string, name: string) {
    this.services = services
    this.folder = folder
    this.name = name
    this.run = `run-${name}`
  }

  get bytes (): Buffer {
    return this.model.file?.bytes ?? Buffer.alloc(0)
  }

  /** Makes the file anew, under an identity that no file before had: times of birth are coarse. */
  async create (bytes: Buffer): Promise<void> {
    for (;;) {
      fs.writeFileSync(this.path, bytes)
      const { ino, birthtimeNs } = fs.statSync(this.path, { bigint: true })
      const identity = `${ino} ${birthtimeNs}`
      if (!this.seen.has(identity)) {
        this.seen.add(identity)
        break
      }
      fs.rmSync(this.path)
      await sleep(2)
    }
    this.model.file = { bytes, generation: this.seen.size }
  }

  async rotate (bytes: Buffer): Promise<void> {
    if (this.model.file) fs.renameSync(this.path, `${this.path}.${this.seen.size}`)
    await this.create(bytes)
  }

  append (bytes: Buffer): void {
    if (!this.model.file) return
    fs.appendFileSync(this.path, bytes)
    this.change(Buffer.concat([this.bytes, bytes]))
  }

  truncate (size: number): void {
    if (!this.model.file) return
    fs.truncateSync(this.path, size)
    this.change(this.bytes.subarray(0, size))
  }

  /** Writes into the file as it is, from a byte on. */
  overwrite (at: number, bytes: Buffer): void {
    if (!this.model.file) return
    const fd = fs.openSync(this.path, 'r+')
    fs.writeSync(fd, bytes, 0, bytes.length, at)
    fs.closeSync(fd)
    this.change(Buffer.concat([this.bytes.subarray(0, at), bytes, this.bytes.subarray(at + bytes.length)]))
  }

  remove (): void {
    if (this.model.file) fs.rmSync(this.path)
    this.model.file = null
    this.story = null
  }

  /** The next page; if it is `lost`, the caller does not learn of it. */
  async post (call: Call, choice: AckChoice, lost = false): Promise<Answer> {
    const ack = this.choose(choice)
    const answer = await this.call('POST', call, ack?.text)
    const { expected, token } = this.model.post({ ...call, ack: ack?.says ?? null })
    this.check(answer, expected)
    if (token) {
      this.learn(answer.body.cursor, token, lost)
      this.tell(answer.body, call.flush)
    }
    return answer
  }

  async peek (call: Call): Promise<void> {
    this.check(await this.call('GET', call), this.model.peek(call))
  }

  async forget (path: boolean): Promise<void> {
    const answer = await askPatiently(`${this.services.urls[0]}/tail?run=${this.run}${path ? `&path=${this.name}` : ''}`, { method: 'DELETE' })
    assert.deepEqual(answer.body, { run: this.run, forgotten: this.model.cursor ? 1 : 0 })
    this.model.cursor = null
  }

  async restart (): Promise<void> {
    await this.services.restart()
    if (this.services.forgetful) this.model.cursor = null
  }

  async expire (): Promise<void> {
    await this.services.expire()
    this.model.cursor = null
  }

  /** Takes all there is; what came since byte 0 is then the text of the file. */
  async finish (): Promise<'told' | 'untold'> {
    if (!this.model.file) await this.create(Buffer.from('the end'))
    const call = { maxBytes: 32_768, flush: false, from: 'start' as const, replica: 0 }
    for (let page; page?.content !== '';) page = (await this.post(call, 'none')).body
    await this.post({ ...call, flush: true }, 'none')
    if (this.story === null) return 'untold'
    assert.equal(this.story.content, new TextDecoder(markOf(this.bytes).encoding).decode(this.bytes))
    return 'told'
  }

  private get path (): string {
    return `${this.folder}/${this.name}`
  }

  private change (bytes: Buffer): void {
    const { endByte = 0, flushed = false } = this.story ?? {}
    const isKept = this.bytes.subarray(0, endByte).equals(bytes.subarray(0, endByte))
    // What was flushed may have been the beginning of a character.
    if (!isKept || (flushed && bytes.length > endByte)) this.story = null
    this.model.file!.bytes = bytes
  }

  private choose (choice: AckChoice): { text: string, says: Acknowledged | 'zero' } | undefined {
    if (choice === 'none') return undefined
    if (choice === 'zero') return { text: '0', says: 'zero' }
    return typeof choice === 'object' ? this.tokens[choice.anyOf % (this.tokens.length || 1)] ?? this.last : this.last
  }

  private call (method: string, { maxBytes, flush, from, replica }: Call, ack?: string): Promise<Answer> {
    const { urls } = this.services
    const query = `run=${this.run}&path=${this.name}&maxBytes=${maxBytes}&flush=${flush}&from=${from}`
    return askPatiently(`${urls[replica % urls.length]}/tail?${query}${ack === undefined ? '' : `&ack=${ack}`}`, { method })
  }

  private check ({ status, body }: Answer, expected: Expected): void {
    const shown = Object.fromEntries(Object.keys(expected.body).map(name => [name, body[name]]))
    assert.deepEqual({ status, body: shown }, expected)
    if (status !== 200) return
    assert.deepEqual([body.path, body.run, body.file.size], [this.name, this.run, this.bytes.length])
  }

  private learn (text: string, { seq, place }: Acknowledged, lost: boolean): void {
    const got = { text, says: { seq, place } }
    const known = this.tokens.find(token => token.text === text)
    if (known) assert.deepEqual(got, known)
    else this.tokens.push(got)
    if (!lost) this.last = got
  }

  private tell (page: Answer['body'], flush: boolean): void {
    const { startByte, endByte, content, replayed } = page
    if (replayed) return
    if (startByte === 0) this.story = { endByte: 0, content: '', flushed: false }
    if (this.story?.endByte !== startByte) this.story = null
    if (this.story === null) return
    const flushed = content === '' ? this.story.flushed : flush && endByte === this.bytes.length
    this.story = { endByte, content: this.story.content + content, flushed }
  }
}
