import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { RedisCursorStore } from '../../src/cursors/redis-store.js'
import { connectRedis } from '../../src/redis-connection.js'
import { eventually, redisMissing, TestRedis } from '../helpers/redis.js'
import { rejectsUnavailable } from './unavailable.js'
import { cursor, freshKey, testStore } from './store-suite.js'

const skip = redisMissing()

async function openStore (t: Test, redis: TestRedis, ttlSeconds = 60, commandTimeoutMs = 5000) {
  const client = connectRedis(redis.url, { commandTimeoutMs })
  const store = new RedisCursorStore({ client, ttlSeconds })
  t.teardown(() => store.close())
  await eventually(() => store.ping())
  return { store, client }
}

async function openRedis (t: Test): Promise<TestRedis> {
  const redis = await TestRedis.start()
  t.teardown(() => redis.close())
  return redis
}

t.test('the suite', { skip }, async t => {
  const redis = await openRedis(t)
  testStore(t, async (t, ttlSeconds) => {
    const { store, client } = await openStore(t, redis, ttlSeconds)
    // Lets time pass by taking it from every life time that is left, so that no test waits.
    const pass = async (seconds: number) => {
      for (const key of await client.keys('*')) {
        const leftMs = await client.pttl(key)
        if (leftMs >= 0) await client.pexpire(key, leftMs - seconds * 1000)
      }
    }
    return { store, pass }
  })
})

t.test('keeps a run on one node, names within bounds, and everything with an expiry', { skip }, async t => {
  const redis = await openRedis(t)
  const { store, client } = await openStore(t, redis, 100)
  const run = { owner: '}a{*', run: 'run' }
  for (const path of ['p', 'q'.repeat(4096)]) await store.save({ ...run, path }, null, cursor(1))
  const keys = await client.keys('*')
  t.equal(keys.length, 3)
  for (const key of keys) {
    t.match(key, /^artifact-pager:tail:\{%7Da%7B\*:run\}:[\w-]+$/)
    const ttl = await client.ttl(key)
    t.ok(key.endsWith(':paths') ? ttl > 100 && ttl <= 160 : ttl > 0 && ttl <= 100, `${ttl} s`)
  }
  t.equal(await store.forget(run), 2)
  t.equal(await client.dbsize(), 0, 'nothing is left')
  await store.save({ ...run, path: 'p' }, null, cursor(1))
  await store.forget({ ...run, path: 'p' })
  t.equal(await client.dbsize(), 0, 'nothing is left')
})

t.test('a run that goes on forgets the names of what has expired', { skip }, async t => {
  const redis = await openRedis(t)
  const { store, client } = await openStore(t, redis, 60)
  const run = freshKey()
  const index = `artifact-pager:tail:{${run.owner}:${run.run}}:paths`
  for (let path = 0; path < 100; path++) await store.save({ ...run, path: `${path}` }, null, cursor(1))
  t.equal(await client.zcard(index), 100)
  // Half an hour passes, in which one of them is used.
  const [seconds] = await client.time()
  for (const [name, score] of await scored(client, index)) {
    t.ok(Number(score) > seconds && Number(score) <= seconds + 60)
    await client.zincrby(index, -1800, name!)
  }
  t.ok(await store.save({ ...run, path: '7' }, cursor(1), cursor(2)))
  t.equal(await client.zcard(index), 1)
  t.equal(await store.forget({ owner: run.owner, run: run.run }), 1)
})

/** The members of a sorted set, each with its score. */
async function scored (client: Redis, key: string): Promise<string[][]> {
  const flat = await client.zrange(key, 0, -1, 'WITHSCORES')
  return flat.flatMap((member, at) => at % 2 === 0 ? [[member, flat[at + 1]!]] : [])
}

t.test('takes the longest life time that can be configured', { skip }, async t => {
  const redis = await openRedis(t)
  const { store } = await openStore(t, redis, Number.MAX_SAFE_INTEGER)
  const key = freshKey()
  t.ok(await store.save(key, null, cursor(1)))
  t.strictSame(await store.load(key), cursor(1))
})

t.test('indexes again what an index has lost', { skip }, async t => {
  const redis = await openRedis(t)
  const { store, client } = await openStore(t, redis)
  for (const touch of ['load', 'save'] as const) {
    const key = freshKey()
    await store.save(key, null, cursor(1))
    const [index] = await client.keys(`*{${key.owner}:${key.run}}:paths`)
    await client.del(index!)
    if (touch === 'load') await store.load(key)
    else await store.save(key, cursor(1), cursor(2))
    t.equal(await store.forget({ owner: key.owner, run: key.run }), 1, touch)
  }
})

t.test('goes on when the script cache is flushed', { skip }, async t => {
  const redis = await openRedis(t)
  const { store, client } = await openStore(t, redis)
  const key = freshKey()
  const actions: (() => Promise<unknown>)[] = [
    () => store.save(key, null, cursor(1)),
    () => store.load(key),
    () => store.forget(key),
    () => store.forget({ owner: key.owner, run: key.run })
  ]
  for (const action of actions) {
    await client.script('FLUSH')
    await t.resolves(Promise.all([action(), store.load(freshKey()), store.load(freshKey())]))
  }
})

t.test('rejects while its server is stopped, in time, and works again by itself', { skip }, async t => {
  const redis = await openRedis(t)
  const { store } = await openStore(t, redis, 60, 1000)
  const keys = [freshKey(), freshKey(), freshKey()]
  for (const [index, key] of keys.entries()) await store.save(key, null, cursor(index))
  for (let round = 0; round < 2; round++) {
    redis.stop()
    const startMs = performance.now()
    await Promise.all([
      rejectsUnavailable(t, store.load(keys[0]!), redis),
      rejectsUnavailable(t, store.save(freshKey(), null, cursor(1)), redis),
      rejectsUnavailable(t, store.forget(keys[1]!), redis),
      rejectsUnavailable(t, store.ping(), redis)
    ])
    const rejectedMs = performance.now() - startMs
    t.ok(rejectedMs > 900 && rejectedMs < 5000, `after ${Math.round(rejectedMs)} ms`)
    await rejectsUnavailable(t, store.load(keys[0]!), redis)
    const againMs = performance.now() - startMs - rejectedMs
    t.ok(againMs < 700, `the connection was given up: ${Math.round(againMs)} ms`)
    redis.cont()
    await eventually(() => store.ping())
    // Answers go to the questions they belong to.
    const loaded = await Promise.all([0, 2, 0, 2].map(index => store.load(keys[index]!)))
    t.strictSame(loaded.map(cursor => cursor?.seq), [0, 2, 0, 2])
    await store.save(keys[1]!, null, cursor(1))
  }
})

t.test('rejects at once while its server is gone, and works again by itself', { skip }, async t => {
  const redis = await openRedis(t)
  const { store } = await openStore(t, redis)
  const key = freshKey()
  await store.save(key, null, cursor(1))
  redis.stop()
  const pending = rejectsUnavailable(t, store.load(key), redis)
  await redis.kill()
  await pending
  const startMs = performance.now()
  for (let attempt = 0; attempt < 20; attempt++) {
    await rejectsUnavailable(t, store.load(key), redis)
    await rejectsUnavailable(t, store.save(key, cursor(1), cursor(2)), redis)
    await rejectsUnavailable(t, store.forget(key), redis)
    await sleep(10)
  }
  t.ok(performance.now() - startMs < 3000)
  await redis.start()
  t.equal(await eventually(() => store.load(key)), null, 'the server held it in memory')
  t.ok(await store.save(key, null, cursor(2)))
})

t.test('rejects when Redis refuses', { skip }, async t => {
  const redis = await openRedis(t)
  const { store, client } = await openStore(t, redis)
  const key = freshKey()
  await store.save(key, null, cursor(1))
  await client.config('SET', 'maxmemory', '1')
  await rejectsUnavailable(t, store.save(freshKey(), null, cursor(1)), redis)
  await client.config('SET', 'maxmemory', '0')
  t.strictSame(await store.load(key), cursor(1))
})

t.test('rejects once closed', { skip }, async t => {
  const redis = await openRedis(t)
  const { store } = await openStore(t, redis)
  await store.close()
  await rejectsUnavailable(t, store.ping(), redis)
  await rejectsUnavailable(t, store.load(freshKey()), redis)
})
