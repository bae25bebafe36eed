import t from 'tap'
import { News } from '../../src/cursors/news.js'
import { CallerGone } from '../../src/lanes/interruption.js'
import type { Watcher } from '../../src/lanes/watcher.js'

const ADDRESS = { components: [], scopeDepth: 0 }
const LONG_MS = 1_000_000
const here = new AbortController().signal

/** A watcher that tells only what the test tells it. */
function silentWatcher () {
  const told = new Set<() => void>()
  const watcher: Watcher = {
    watch: (_address, onNews) => {
      told.add(onNews)
      return { stop: () => { told.delete(onNews) } }
    },
    close: async () => {},
    hangs: false
  }
  return { watcher, tell: () => { for (const onNews of told) onNews() }, watched: () => told.size }
}

t.test('news end a sleep, also those that came before it', async t => {
  const { watcher, tell, watched } = silentWatcher()
  const news = new News({ watcher, maxWaiting: 10 })
  const vigil = news.watch(ADDRESS, LONG_MS, here)
  t.equal(watched(), 1)
  tell()
  tell()
  t.ok(await vigil.sleep() < LONG_MS)
  const second = vigil.sleep()
  tell()
  t.ok(await second < LONG_MS)
  t.notOk(vigil.over)
  t.equal(news.waiting, 1)
  vigil.end()
  t.strictSame([news.waiting, watched()], [0, 0])
})

t.test('without news, the poll ends a sleep, and the time ends the wait', async t => {
  const { watcher } = silentWatcher()
  const news = new News({ watcher, maxWaiting: 10 })
  const patient = news.watch(ADDRESS, LONG_MS, here)
  await patient.sleep()
  await patient.sleep()
  t.notOk(patient.over)
  patient.end()
  const short = news.watch(ADDRESS, 150, here)
  let sleptMs = 0
  while (!short.over) sleptMs += await short.sleep()
  t.ok(sleptMs > 140)
  short.end()
})

t.test('a caller that leaves ends its sleep', async t => {
  const { watcher, tell } = silentWatcher()
  const news = new News({ watcher, maxWaiting: 10 })
  const gone = new AbortController()
  const vigil = news.watch(ADDRESS, LONG_MS, gone.signal)
  const sleep = vigil.sleep()
  gone.abort()
  await t.rejects(sleep, new CallerGone())
  tell()
  await t.rejects(vigil.sleep(), new CallerGone(), 'news or not')
  vigil.end()
})

t.test('draining ends all sleeps, and those to come', async t => {
  const { watcher } = silentWatcher()
  const news = new News({ watcher, maxWaiting: 10 })
  const vigils = [news.watch(ADDRESS, LONG_MS, here), news.watch(ADDRESS, LONG_MS, here)]
  const sleeps = vigils.map(vigil => vigil.sleep())
  news.drain()
  await Promise.all(sleeps)
  const late = news.watch(ADDRESS, LONG_MS, here)
  await late.sleep()
  t.strictSame([...vigils, late].map(({ over }) => over), [true, true, true])
  for (const vigil of [...vigils, late]) vigil.end()
  t.equal(news.waiting, 0)
})

t.test('only so many may wait', async t => {
  const { watcher } = silentWatcher()
  const news = new News({ watcher, maxWaiting: 1 })
  const vigil = news.watch(ADDRESS, LONG_MS, here)
  t.throws(() => news.watch(ADDRESS, LONG_MS, here), { code: 'OVERLOADED' })
  vigil.end()
  news.watch(ADDRESS, LONG_MS, here).end()
})

t.test('a watcher that fails costs the call, and leaves no waiter behind', async t => {
  const { watcher } = silentWatcher()
  const news = new News({ watcher: { ...watcher, watch: () => { throw new Error('no thread is left') } }, maxWaiting: 1 })
  t.throws(() => news.watch(ADDRESS, LONG_MS, here), { message: 'no thread is left' })
  t.equal(news.waiting, 0)
})
