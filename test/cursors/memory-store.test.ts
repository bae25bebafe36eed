import t from 'tap'
import { MemoryCursorStore } from '../../src/cursors/memory-store.js'
import { cursor, freshKey, testStore } from './store-suite.js'

class Clock {
  ms = 5

  nowMs = () => this.ms
}

t.test('the suite', async t => {
  testStore(t, async (_, ttlSeconds) => {
    const clock = new Clock()
    const store = new MemoryCursorStore({ maxCursors: 10_000, ttlMs: ttlSeconds * 1000, nowMs: clock.nowMs })
    return { store, pass: async seconds => { clock.ms += seconds * 1000 } }
  })
})

t.test('drops the least recently used', async t => {
  const store = new MemoryCursorStore({ maxCursors: 3, ttlMs: 1000, nowMs: () => 0 })
  const [a, b, c, d, e] = [freshKey(), freshKey(), freshKey(), freshKey(), freshKey()]
  for (const key of [a, b, c]) await store.save(key, null, cursor(1))
  await store.load(a)
  await store.save(b, null, cursor(2))
  await store.save(d, null, cursor(1))
  t.equal(await store.load(c), null)
  t.equal(store.size(), 3)
  await store.forget(b)
  await store.save(e, null, cursor(1))
  for (const key of [a, d, e]) t.ok(await store.load(key))
  t.equal(store.size(), 3)
})

t.test('keeps to its size whatever comes', async t => {
  const clock = new Clock()
  const store = new MemoryCursorStore({ maxCursors: 20, ttlMs: 30, nowMs: clock.nowMs })
  const model = new Map<string, number>()
  let random = 1
  const next = (below: number) => (random = (random * 48_271) % 0x7FFF_FFFF) % below
  for (let step = 0; step < 20_000; step++) {
    clock.ms += next(3)
    const key = { owner: '', run: `r${next(6)}`, path: `p${next(6)}` }
    const name = `${key.run}/${key.path}`
    for (const [old, at] of model) if (at + 30 <= clock.ms) model.delete(old)
    const kind = next(10)
    const had = model.delete(name)
    if (kind === 0) {
      if (await store.forget(key) !== Number(had)) t.fail('forget')
      continue
    }
    if (kind < 5) {
      if ((await store.load(key) !== null) !== had) t.fail('load')
      if (had) model.set(name, clock.ms)
      continue
    }
    if (await store.save(key, null, cursor(1)) === had) t.fail('save')
    if (model.size === 20) model.delete(model.keys().next().value!)
    model.set(name, clock.ms)
    if (store.size() !== model.size) t.fail('size')
  }
  t.equal(store.size(), model.size)
})

t.test('expires at the end of its idle time, not before', async t => {
  const clock = new Clock()
  const store = new MemoryCursorStore({ maxCursors: 3, ttlMs: 1000, nowMs: clock.nowMs })
  const [first, second] = [freshKey(), freshKey()]
  await store.save(first, null, cursor(1))
  clock.ms += 999
  await store.save(second, null, cursor(1))
  t.ok(await store.load(first))
  clock.ms += 999
  t.equal(store.size(), 2)
  clock.ms += 1
  t.equal(store.size(), 0, 'both were used at the same time')
  t.equal(await store.load(first), null)
})

t.test('is empty once closed', async t => {
  const store = new MemoryCursorStore({ maxCursors: 3, ttlMs: 1000, nowMs: () => 0 })
  const key = freshKey()
  await store.save(key, null, cursor(1))
  await store.close()
  t.equal(store.size(), 0)
  t.equal(await store.load(key), null)
})

t.test('holds 100,000 runs in little memory', async t => {
  const store = new MemoryCursorStore({ maxCursors: 100_000, ttlMs: 1000, nowMs: () => 0 })
  const before = process.memoryUsage().rss
  for (let index = 0; index < 100_000; index++) {
    // As it comes from a request: a piece of a long text.
    const url = `/tail?run=run-number-${index}&path=${'long/'.repeat(200)}&end`
    const key = { owner: 'agent', run: url.slice(10, -1010), path: url.slice(-1004, -4) }
    await store.save(key, null, cursor(index, `the-id-of-cursor-${index}`))
  }
  const mebibytes = (process.memoryUsage().rss - before) / 2 ** 20
  t.equal(store.size(), 100_000)
  t.ok(mebibytes < 200, `${Math.round(mebibytes)} MiB`)
})
