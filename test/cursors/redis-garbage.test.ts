import type { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import type { Cursor } from '../../src/cursors/cursor.js'
import { RedisCursorStore } from '../../src/cursors/redis-store.js'
import { fromFields, toFields } from '../../src/cursors/redis-value.js'
import { connectRedis } from '../../src/redis-connection.js'
import { eventually, redisMissing, TestRedis } from '../helpers/redis.js'
import { rejectsUnavailable } from './unavailable.js'
import { cursor, freshKey } from './store-suite.js'

const skip = redisMissing()

const FULL: Cursor = { ...cursor(1), page: { ...cursor(1).page!, reset: { reason: 'truncated', fromByte: 1 } } }
const NUMBERS = ['seq', 'byte', 'page.startByte', 'previous.byte', 'reset.fromByte']
const TEXTS = ['id', 'identity', 'digest', 'previous.identity', 'previous.digest']
const BAD_NUMBERS = ['', '-1', '01', '1.5', '1e3', '0x1', ' 1', '1 ', '+1', 'NaN', 'Infinity', `${2 ** 53}`, '9'.repeat(300), '١']

/** Changes to a stored hash; undefined removes the field. */
const RUBBISH: Record<string, string | undefined>[] = [
  ...[...NUMBERS, ...TEXTS, 'reset.reason'].map(name => ({ [name]: undefined })),
  ...NUMBERS.flatMap(name => BAD_NUMBERS.map(value => ({ [name]: value }))),
  ...TEXTS.flatMap(name => ['', 'x'.repeat(257), 'x'.repeat(1_000_000)].map(value => ({ [name]: value }))),
  ...['', 'Replaced', 'other'].map(value => ({ 'reset.reason': value })),
  { 'page.startByte': '2000', byte: '1999' },
  { 'page.startByte': '2000', byte: `${2000 + 32_773}` },
  { foo: 'bar' },
  { foo: '' },
  Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`field-${index}`, 'x']))
]

t.test('reads what it wrote, in any order, and no rubbish', async t => {
  const pairs = Object.entries(toObject(toFields(FULL)))
  t.strictSame(fromFields(pairs.reverse().flat()), FULL)
  for (const change of RUBBISH) {
    const fields = Object.entries({ ...toObject(toFields(FULL)), ...change }).filter(([, value]) => value !== undefined)
    t.throws(() => fromFields(fields.flat() as string[]), JSON.stringify(change).slice(0, 100))
  }
  t.throws(() => fromFields(['foo', 'bar']))
  t.throws(() => fromFields(toFields({ ...FULL, page: null }).slice(2)))
})

function toObject (fields: string[]): Record<string, string> {
  const pairs = fields.flatMap((name, index) => index % 2 === 0 ? [[name, fields[index + 1]!] as const] : [])
  return Object.fromEntries(pairs)
}

const OTHER_TYPES: Record<string, (client: Redis, key: string) => Promise<unknown>> = {
  'a string': (client, key) => client.set(key, 'rubbish'),
  'an empty string': (client, key) => client.set(key, ''),
  'a list': (client, key) => client.rpush(key, 'rubbish'),
  'a set': (client, key) => client.sadd(key, 'rubbish'),
  'a stream': (client, key) => client.xadd(key, '*', 'rubbish', 'rubbish')
}

async function setUp (t: Test) {
  const redis = await TestRedis.start()
  t.teardown(() => redis.close())
  const client = connectRedis(redis.url, { commandTimeoutMs: 5000 })
  const store = new RedisCursorStore({ client, ttlSeconds: 60 })
  t.teardown(() => store.close())
  await eventually(() => store.ping())
  /** A run with three cursors, and the names of the first one's key and of the index. */
  const makeRun = async () => {
    const { owner, run } = freshKey()
    const [key, other, third] = ['a', 'b', 'c'].map(path => ({ owner, run, path }))
    await store.save(key!, null, FULL)
    const index = `artifact-pager:tail:{${owner}:${run}}:paths`
    const [name, ...more] = (await client.keys(`*{${owner}:${run}}:*`)).filter(name => name !== index)
    t.equal(await client.exists(name!, index), 2)
    t.equal(more.length, 0)
    for (const key of [other, third]) await store.save(key!, null, FULL)
    return { key: key!, other: other!, run: { owner, run }, name: name!, index }
  }
  return { redis, client, store, makeRun }
}

t.test('never acts as if a cursor of another type were absent, and forgets it', { skip }, async t => {
  const { redis, client, store, makeRun } = await setUp(t)
  const types = { ...OTHER_TYPES, 'a sorted set': (client: Redis, key: string) => client.zadd(key, 1, 'rubbish') }
  for (const [type, put] of Object.entries(types)) {
    for (const path of [true, false]) {
      const { key, other, run, name } = await makeRun()
      await client.del(name)
      await put(client, name)
      const dump = await client.dumpBuffer(name)
      await rejectsUnavailable(t, store.load(key), redis)
      await rejectsUnavailable(t, store.save(key, null, cursor(1)), redis)
      await rejectsUnavailable(t, store.save(key, FULL, cursor(2)), redis)
      t.strictSame(await client.dumpBuffer(name), dump, `${type} is untouched`)
      t.strictSame(await store.load(other), FULL, 'others are not concerned')
      t.equal(await store.forget(path ? key : run), path ? 1 : 3, `${type} is forgotten`)
      t.equal(await store.load(key), null)
      t.ok(await store.save(key, null, cursor(1)))
    }
  }
})

t.test('never acts as if a hash that cannot be read were absent, and forgets it', { skip }, async t => {
  const { redis, client, store, makeRun } = await setUp(t)
  for (const [index, change] of RUBBISH.entries()) {
    const { key, run, name } = await makeRun()
    for (const [field, value] of Object.entries(change)) {
      await (value === undefined ? client.hdel(name, field) : client.hset(name, field, value))
    }
    const stored = await client.hgetall(name)
    await rejectsUnavailable(t, store.load(key), redis)
    await rejectsUnavailable(t, store.save(key, null, cursor(1)), redis)
    await rejectsUnavailable(t, store.save(key, FULL, cursor(2)), redis)
    t.strictSame(await client.hgetall(name), stored, 'untouched')
    t.equal(await store.forget(index % 2 ? key : run), index % 2 ? 1 : 3)
    t.equal(await store.load(key), null)
    t.ok(await store.save(key, null, cursor(1)))
  }
})

t.test('heals an index that cannot be read', { skip }, async t => {
  const { redis, client, store, makeRun } = await setUp(t)
  const types = { ...OTHER_TYPES, 'a hash': (client: Redis, key: string) => client.hset(key, 'rubbish', 'x') }
  // So that a scan takes more than one step, and has others' keys to leave alone.
  await client.mset(Array.from({ length: 5000 }, (_, index) => [`other-${index}`, 'x']).flat())
  for (const [type, put] of Object.entries(types)) {
    for (const path of [true, false]) {
      const { key, other, run, index } = await makeRun()
      const neighbour = { ...run, run: `${run.run}0`, path: 'a' }
      await store.save(neighbour, null, FULL)
      await client.del(index)
      await put(client, index)
      await rejectsUnavailable(t, store.load(key), redis)
      await rejectsUnavailable(t, store.load({ ...key, path: 'none yet' }), redis)
      await rejectsUnavailable(t, store.save(key, FULL, cursor(2)), redis)
      await rejectsUnavailable(t, store.save({ ...key, path: 'none yet' }, null, cursor(2)), redis)
      t.equal(await store.forget(path ? key : run), path ? 1 : 3, `${type}`)
      t.equal(await store.load(key), null)
      t.strictSame(await store.load(other), path ? FULL : null)
      t.strictSame(await store.load(neighbour), FULL)
      t.ok(await store.save(key, null, cursor(1)))
      t.equal(await store.forget(run), path ? 3 : 1, 'all are indexed')
      t.equal(await client.exists(index), 0)
      await store.forget(neighbour)
    }
  }
  t.equal(await client.dbsize(), 5000)
})

t.test('scans for a run by its name, not by a pattern', { skip }, async t => {
  const { client, store } = await setUp(t)
  for (const owner of ['*', 'a']) await store.save({ owner, run: 'r', path: 'p' }, null, FULL)
  await client.set('artifact-pager:tail:{*:r}:paths', 'rubbish')
  t.equal(await store.forget({ owner: '*', run: 'r' }), 1)
  t.ok(await store.load({ owner: 'a', run: 'r', path: 'p' }))
})

t.test('forgets rubbish that was there before the run', { skip }, async t => {
  const { redis, client, store, makeRun } = await setUp(t)
  const { key, run, name, index } = await makeRun()
  await store.forget(run)
  await client.set(name, 'rubbish')
  await rejectsUnavailable(t, store.load(key), redis)
  await rejectsUnavailable(t, store.save(key, null, FULL), redis)
  t.equal(await store.forget(run), 1)
  for (const member of ['rubbish', '', 'paths', '../*']) await client.zadd(index, '+inf', member)
  t.ok(await store.save(key, null, FULL))
  t.equal(await store.forget(run), 1)
  t.equal(await client.dbsize(), 0)
})
