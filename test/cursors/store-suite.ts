import type { Test } from 'tap'
import type { Cursor, CursorKey } from '../../src/cursors/cursor.js'
import type { CursorStore } from '../../src/cursors/store.js'

/** A store of the given life time, in seconds, and a way to let time pass. */
export interface StoreUnderTest {
  store: CursorStore
  pass (seconds: number): Promise<void>
}

export function cursor (seq: number, id = 'an-id'): Cursor {
  const byte = seq * 1000
  return {
    id,
    seq,
    position: { byte: byte + 500, identity: '2049:7', digest: 'digest-after' },
    page: {
      startByte: byte,
      reset: null,
      previous: { byte, identity: '2049:7', digest: 'digest-before' }
    }
  }
}

let runs = 0

export function freshKey (path = 'logs/build.log'): CursorKey {
  return { owner: 'agent', run: `run-${++runs}`, path }
}

const SHAPES: Record<string, Cursor> = {
  'before any page': { ...cursor(0), page: null },
  'with a page': cursor(1),
  'with a reset': { ...cursor(2), page: { ...cursor(2).page!, reset: { reason: 'rewritten', fromByte: 2 ** 53 - 1 } } },
  'with a page in place of another': {
    ...cursor(4),
    page: {
      ...cursor(4).page!,
      reset: { reason: 'truncated', fromByte: 7 },
      insteadOf: { seq: 2, position: { byte: 5, identity: '2049:8', digest: 'digest-of-another' } }
    }
  },
  'far out': {
    id: 'x'.repeat(22),
    seq: 2 ** 53 - 1,
    position: { byte: 2 ** 53 - 1, identity: '18446744073709551615:18446744073709551615', digest: 'd' },
    page: {
      startByte: 2 ** 53 - 1 - 32_772,
      reset: { reason: 'replaced', fromByte: 0 },
      previous: { byte: 2 ** 53 - 1, identity: 'é漢🙂 "\\ \0', digest: '-_' }
    }
  },
  'with an empty page': { ...cursor(3), page: { ...cursor(3).page!, startByte: cursor(3).position.byte } }
}

type Open = (t: Test, ttlSeconds: number) => Promise<StoreUnderTest>

/** What holds of every store. */
export function testStore (t: Test, open: Open): void {
  testValues(t, open)
  testCompareAndSet(t, open)
  testForget(t, open)
  testKeys(t, open)
  testExpiry(t, open)
  t.test('answers a ping', async t => {
    const { store } = await open(t, 60)
    await t.resolves(store.ping())
  })
}

function testValues (t: Test, open: Open): void {
  t.test('gives back what was saved', async t => {
    const { store } = await open(t, 60)
    for (const [name, saved] of Object.entries(SHAPES)) {
      const key = freshKey()
      t.equal(await store.load(key), null, `${name}: none at first`)
      t.equal(await store.save(key, null, saved), true, name)
      t.strictSame(await store.load(key), saved, name)
    }
  })

  t.test('replaces every shape by every other', async t => {
    const { store } = await open(t, 60)
    const key = freshKey()
    let last: Cursor | null = null
    for (const from of Object.values(SHAPES)) {
      for (const to of Object.values(SHAPES)) {
        for (const next of [from, to]) {
          t.equal(await store.save(key, last, next), true)
          t.strictSame(await store.load(key), next)
          last = next
        }
      }
    }
  })

  t.test('keeps nothing of what the caller holds', async t => {
    const { store } = await open(t, 60)
    const key = freshKey()
    const mine = cursor(1)
    await store.save(key, null, mine)
    mine.position.byte = 7
    const loaded = await store.load(key)
    loaded!.seq = 9
    t.strictSame(await store.load(key), cursor(1))
  })
}

function testKeys (t: Test, open: Open): void {
  t.test('keeps owners, runs and paths apart', async t => {
    const { store } = await open(t, 60)
    const owners = ['', 'agent', 'Agent', 'a{b}', '}', '*', 'a b', 'é', '%7D', 'x'.repeat(200)]
    const names = ['a', 'A', 'a:b', 'a:', 'b', 'a.b', 'a_', '0'.repeat(128)]
    const paths = ['a', 'a/b', 'A', 'a ', ' a', 'a\\b', 'a*', 'a?', '[a]', '{a}', 'é', 'e\u0301', '漢\n', '..a', '\uFFFD', `${'d/'.repeat(60)}f`, 'p'.repeat(4096)]
    const keys = owners.flatMap(owner => names.flatMap(run => paths.map(path => ({ owner, run: `apart-${run}`, path }))))
    await Promise.all(keys.map((key, index) => store.save(key, null, cursor(index))))
    const loaded = await Promise.all(keys.map(key => store.load(key)))
    t.strictSame(loaded.map(cursor => cursor?.seq), keys.map((_, index) => index))
    t.equal(await store.forget({ owner: '*', run: 'apart-a' }), paths.length)
    const left = await Promise.all(keys.map(key => store.load(key)))
    t.equal(left.filter(cursor => cursor === null).length, paths.length)
  })
}

function testExpiry (t: Test, open: Open): void {
  t.test('lets a cursor expire, and renews its life with every call on it', async t => {
    const { store, pass } = await open(t, 200)
    const [idle, loaded, saved, refused] = [freshKey(), freshKey(), freshKey(), freshKey()]
    for (const key of [idle, loaded, saved, refused]) await store.save(key, null, cursor(1))
    for (let step = 0; step < 3; step++) {
      await pass(100)
      t.ok(await store.load(loaded), 'load renews')
      t.ok(await store.save(saved, cursor(1), cursor(1)), 'save renews')
      t.notOk(await store.save(refused, null, cursor(1)), 'a save that is refused renews')
    }
    t.equal(await store.load(idle), null)
    t.ok(await store.load(refused))
    t.equal(await store.forget(idle), 0)
    t.equal(await store.forget({ owner: loaded.owner, run: loaded.run }), 1)
    t.equal(await store.save(idle, cursor(1), cursor(2)), false, 'it is not what was expected')
    t.equal(await store.save(idle, null, cursor(2, 'another')), true)
  })
}

function testCompareAndSet (t: Test, open: Open): void {
  t.test('sets only what is still as expected', async t => {
    const { store } = await open(t, 60)
    const key = freshKey()
    t.equal(await store.save(key, cursor(1), cursor(2)), false, 'there is none')
    t.equal(await store.load(key), null)
    t.equal(await store.save(key, null, cursor(1)), true)
    t.equal(await store.save(key, null, cursor(2)), false, 'there is one')
    t.equal(await store.save(key, cursor(0), cursor(2)), false, 'another seq')
    t.equal(await store.save(key, cursor(1, 'other'), cursor(2)), false, 'another id')
    t.strictSame(await store.load(key), cursor(1))
    t.equal(await store.save(key, { ...cursor(1), page: null }, cursor(2)), true, 'id and seq are what counts')
    t.strictSame(await store.load(key), cursor(2))
    t.equal(await store.save(key, cursor(2), cursor(2)), true, 'by the same')
  })

  t.test('lets exactly one of many writers through', async t => {
    const { store } = await open(t, 60)
    for (const expected of [null, cursor(1)]) {
      const key = freshKey()
      if (expected) await store.save(key, null, expected)
      const writers = Array.from({ length: 50 }, (_, index) => cursor(2, `writer-${index}`))
      const won = await Promise.all(writers.map(next => store.save(key, expected, next)))
      t.equal(won.filter(Boolean).length, 1)
      t.strictSame(await store.load(key), writers[won.indexOf(true)])
    }
  })
}

function testForget (t: Test, open: Open): void {
  t.test('forgets a path, or all of a run', async t => {
    const { store } = await open(t, 60)
    const key = freshKey()
    const run = { owner: key.owner, run: key.run }
    const paths = ['a', 'b', 'c', 'd/e']
    t.equal(await store.forget(run), 0)
    t.equal(await store.forget(key), 0)
    for (const path of paths) await store.save({ ...run, path }, null, cursor(1))
    t.equal(await store.forget({ ...run, path: 'a' }), 1)
    t.equal(await store.forget({ ...run, path: 'a' }), 0)
    t.equal(await store.forget({ ...run, owner: 'another' }), 0)
    t.equal(await store.load({ ...run, path: 'a' }), null)
    t.ok(await store.load({ ...run, path: 'b' }))
    t.equal(await store.forget({ ...run, path: undefined }), 3)
    t.equal(await store.forget(run), 0)
    for (const path of paths) t.equal(await store.load({ ...run, path }), null)
    t.equal(await store.save({ ...run, path: 'a' }, cursor(1), cursor(2)), false, 'what was forgotten stays so')
  })
}
