import { setTimeout as sleep } from 'node:timers/promises'
import createClient, { type Client } from 'openapi-fetch'
import type { Ledger } from './ledger.js'
import type { components, paths } from './openapi.js'

export type Api = Client<paths>
export type TailPage = components['schemas']['TailPage']
type Problem = components['schemas']['Problem']

const RETRY_MS = 100
/** Longer than anything that the tests do to the service; then a call that gets no answer is a failure. */
const GIVE_UP_MS = 30_000

/** The typed client. `url` is the gateway's prefix, with its slash. */
export function connect (url: string, ledger: Ledger, token?: string): Api {
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` }
  return createClient<paths>({ baseUrl: url, headers, fetch: request => ledger.fetch(request) })
}

export interface TailerOptions {
  api: Api
  run: string
  path: string
  /** A number from 0 to 1, for what is left to chance. */
  random: () => number
  /** The size of the file once its producer is done. */
  finalSize: () => number | undefined
  /** Changes whenever cursors are lost. */
  epoch: () => number
}

/** What a coordinator keeps of a tail: the text it has, and the cursor of the last page it has. */
export class Tailer {
  readonly chunks: Buffer[] = []
  readonly counts = {
    pages: 0, repeats: 0, replayed: 0, restored: 0, aborted: 0, lost: 0, broken: 0, refused: 0, conflicts: 0
  }

  readonly faults: string[] = []
  position = 0
  readonly #options: TailerOptions
  #ack = '0'
  /** Of a page that came and was thrown away: what must come again. */
  #lost: { page: TailPage, epoch: number } | null = null
  #progressAt = performance.now()

  constructor (options: TailerOptions) {
    this.#options = options
  }

  /** Follows the file until it has its final size, whatever happens to the answers. */
  async follow (): Promise<void> {
    while (this.position !== this.#options.finalSize()) {
      if (performance.now() - this.#progressAt > GIVE_UP_MS) throw new Error(`no progress at byte ${this.position}`)
      // As it is sent: an answer under way while Redis is killed was handed out before.
      const epoch = this.#options.epoch()
      const page = await this.#ask()
      if (page === null) {
        this.counts.repeats++
        await sleep(RETRY_MS)
      } else if (page.byteCount > 0 && this.#lost === null && this.#options.random() < 0.1) {
        this.counts.lost++
        this.#lost = { page, epoch }
      } else {
        this.#accept(page)
      }
    }
  }

  /** One call; null if its answer is no page. */
  async #ask (): Promise<TailPage | null> {
    const { api, run, path, random } = this.#options
    const patience = new AbortController()
    // Some calls are given up at a moment that may lie before, during or after the answer.
    const timer = random() < 0.15 ? setTimeout(() => patience.abort(), random() * 25) : undefined
    const maxBytes = 1 + Math.floor(random() * 32_768)
    const query = { run, path, ack: this.#ack, maxBytes, wait: random() < 0.5 ? 1 : 0 }
    try {
      const { data, error, response } = await api.POST('/tail', { params: { query }, signal: patience.signal })
      if (data !== undefined) return data as TailPage
      return await this.#refused(response, error)
    } catch {
      if (patience.signal.aborted) this.counts.aborted++
      else this.counts.broken++
      return null
    } finally {
      clearTimeout(timer)
    }
  }

  async #refused ({ status, headers }: Response, problem: Problem | undefined): Promise<null> {
    const { api, run, path } = this.#options
    this.counts.refused++
    if (status === 409) {
      // A call that was given up may reach the service after Redis has lost the cursor, and begin it anew elsewhere.
      this.counts.conflicts++
      await api.DELETE('/tail', { params: { query: { run, path } } }).catch(() => undefined)
    } else if (status === 429 || status === 502 || status === 503) {
      await sleep(Number(headers.get('retry-after') ?? 0) * 200)
    } else {
      throw new Error(`${status} ${problem?.code}: ${problem?.detail}`)
    }
    return null
  }

  #accept (page: TailPage): void {
    const lost = this.#lost
    this.#lost = null
    if (lost !== null && lost.epoch === this.#options.epoch()) this.#compare(page, lost.page)
    if (page.startByte !== this.position) this.faults.push(`a page from ${page.startByte} at ${this.position}`)
    const content = Buffer.from(page.content)
    if (content.length !== page.byteCount || page.replacements !== 0) {
      this.faults.push(`content is not the bytes ${page.startByte}-${page.endByte}`)
    }
    if (page.reset !== null) this.faults.push(`a reset (${page.reset.reason}) at ${page.startByte}`)
    this.counts.pages++
    if (page.replayed) this.counts.replayed++
    if (page.created) this.counts.restored++
    if (page.endByte > this.position) this.#progressAt = performance.now()
    this.chunks.push(content)
    this.position = page.endByte
    this.#ack = page.cursor ?? this.#ack
  }

  /** What was handed out comes again as it was. */
  #compare (page: TailPage, lost: TailPage): void {
    const isSame = page.startByte === lost.startByte && page.endByte === lost.endByte && page.content === lost.content
    if (isSame && page.replayed) return
    const { startByte, endByte, replayed, created, seq } = page
    const told = JSON.stringify({ startByte, endByte, replayed, created, seq })
    this.faults.push(`${told} after ${lost.startByte}-${lost.endByte}, seq ${lost.seq}, was lost`)
  }
}
