import t from 'tap'
import { MemoryCursorStore } from '../../src/cursors/memory-store.js'
import type { News } from '../../src/cursors/news.js'
import type { CursorStore } from '../../src/cursors/store.js'
import { Tailer, type TailCall } from '../../src/cursors/tailer.js'
import { Problem } from '../../src/errors.js'
import { Deadline } from '../../src/lanes/deadline.js'
import type { Job } from '../../src/lanes/messages.js'
import type { ReadResult } from '../../src/lanes/task.js'
import type { TailQuery } from '../../src/pages/tail.js'

const HOUR_MS = 3_600_000

/** A file of ASCII in memory, and what came of its pages. */
class FakeFile {
  text: string | null = ''
  reads = 0
  released = 0

  read = async ({ page }: Job): Promise<ReadResult> => {
    this.reads++
    if (this.text === null) throw new Problem('FILE_NOT_FOUND', 'missing')
    const { from, maxBytes, replayFrom } = page.query as TailQuery
    const next = from === 'start' ? 0 : from === 'end' ? this.text.length : from.byte
    const startByte = replayFrom ?? next
    const endByte = replayFrom === undefined ? Math.min(this.text.length, next + maxBytes) : next
    const at = (byte: number) => ({ byte, identity: 'i'.repeat(16), digest: 'd'.repeat(16) })
    return {
      page: {
        startByte,
        endByte,
        contentBytes: endByte - startByte,
        reset: null,
        replayed: replayFrom !== undefined,
        position: at(endByte),
        began: at(startByte)
      },
      release: () => { this.released++ }
    } as unknown as ReadResult
  }
}

function call (file: FakeFile, more: Partial<TailCall> = {}): TailCall {
  return {
    key: { owner: '', run: 'run', path: 'a' },
    address: { components: [], scopeDepth: 0 },
    format: 'json',
    maxBytes: 100,
    flush: false,
    from: 'start',
    waitMs: 0,
    ack: null,
    peek: false,
    deadline: new Deadline(HOUR_MS),
    gone: new AbortController().signal,
    read: file.read,
    ...more
  }
}

function memoryStore (): CursorStore {
  return new MemoryCursorStore({ maxCursors: 10, ttlMs: HOUR_MS, nowMs: () => 0 })
}

/** A store of which some calls are others. */
function alteredStore (store: CursorStore, others: Partial<CursorStore>): CursorStore {
  return {
    load: key => store.load(key),
    save: (key, expected, next) => store.save(key, expected, next),
    forget: key => store.forget(key),
    ping: () => store.ping(),
    size: () => store.size(),
    close: () => store.close(),
    ...others
  }
}

/** News that come at once, each after an hour as it seems, and do something to the file. */
function hourlyNews (...happenings: (() => void)[]): News {
  const vigil = {
    get over () { return happenings.length === 0 },
    sleep: async () => {
      happenings.shift()?.()
      return HOUR_MS
    },
    end: () => {}
  }
  return { watch: () => vigil } as unknown as News
}

const noNews = hourlyNews()

t.test('what was waited is added to the deadline', async t => {
  const file = new FakeFile()
  const tailer = new Tailer(memoryStore(), hourlyNews(() => {}, () => {}, () => { file.text = 'new' }))
  const waiting = call(file, { waitMs: 1 })
  t.match(await tailer.next(waiting), { seq: 1, created: true, read: { page: { startByte: 0, endByte: 3 } } })
  t.ok(waiting.deadline.remainingMs > 3 * HOUR_MS)
  t.equal(file.released, 3, 'the pages that were not handed out are given back')
})

t.test('from the end, a wait begins where the call first looked', async t => {
  const file = new FakeFile()
  for (const peek of [true, false]) {
    file.text = 'old'
    const tailer = new Tailer(memoryStore(), hourlyNews(() => {}, () => { file.text = 'old, new' }))
    const page = { startByte: 3, endByte: 8 }
    t.match(await tailer.next(call(file, { waitMs: 1, from: 'end', peek })), { seq: 1, created: true, read: { page } })
  }
  file.text = null
  const tailer = new Tailer(memoryStore(), hourlyNews(() => {}, () => { file.text = 'made' }))
  t.match(await tailer.next(call(file, { waitMs: 1, from: 'end' })), { seq: 1, read: { page: { startByte: 0, endByte: 4 } } })
})

t.test('a file that stays missing is 404 when the wait is over', async t => {
  const file = new FakeFile()
  file.text = null
  const tailer = new Tailer(memoryStore(), hourlyNews(() => {}))
  await t.rejects(tailer.next(call(file, { waitMs: 1 })), { code: 'FILE_NOT_FOUND' })
  t.equal(file.reads, 2)
})

t.test('where another replica was first, the page after its page is taken', async t => {
  const file = new FakeFile()
  file.text = 'one page and another'
  const store = memoryStore()
  const other = new Tailer(store, noNews)
  let meddled = false
  const meddling = alteredStore(store, {
    save: async (...change) => {
      if (!meddled) {
        meddled = true
        await other.next(call(file, { maxBytes: 8 }))
      }
      return await store.save(...change)
    }
  })
  const answer = await new Tailer(meddling, noNews).next(call(file))
  t.match(answer, { seq: 2, created: false, read: { page: { startByte: 8, endByte: 20 } } })
  t.equal(file.released, 1, 'the page that came too late is given back')
})

t.test('a store that does not answer is given up at the deadline', async t => {
  const file = new FakeFile()
  file.text = 'text'
  const never = (): Promise<never> => new Promise(() => {})
  const unavailable = { code: 'CURSOR_STORE_UNAVAILABLE', status: 503 }
  for (const silent of ['load', 'save', 'forget'] as const) {
    const tailer = new Tailer(alteredStore(memoryStore(), { [silent]: never }), noNews)
    if (silent === 'forget') await t.rejects(tailer.forget({ owner: '', run: 'run' }, new Deadline(5)), unavailable)
    else await t.rejects(tailer.next(call(file, { deadline: new Deadline(50) })), unavailable)
  }
  t.equal(file.released, 1)
})

t.test('runs and paths whose names join to the same do not share turns', async t => {
  const file = new FakeFile()
  file.text = 'text'
  const tailer = new Tailer(memoryStore(), noNews)
  let open!: () => void
  const opened = new Promise<void>(resolve => { open = resolve })
  const held = tailer.next(call(file, {
    key: { owner: '', run: 'a', path: 'b:c' },
    read: async job => {
      await opened
      return await file.read(job)
    }
  }))
  t.match(await tailer.next(call(file, { key: { owner: '', run: 'a:b', path: 'c' } })), { seq: 1 })
  open()
  await held
})
