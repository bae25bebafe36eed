import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { connectRedis } from '../../src/redis-connection.js'
import { parseRedisUrl, plainError } from '../../src/redis.js'
import { eventually, redisMissing, TestRedis } from '../helpers/redis.js'

const skip = redisMissing()

t.test('reads a URL', async t => {
  t.strictSame(parseRedisUrl('redis://redis'), { host: 'redis', port: 6379, db: 0 })
  t.strictSame(parseRedisUrl('redis://:p%40%3Ass@10.0.0.1:7000/3'), { host: '10.0.0.1', port: 7000, password: 'p@:ss', db: 3 })
  t.strictSame(parseRedisUrl('rediss://u:p@[::1]/'),
    { host: '::1', port: 6379, username: 'u', password: 'p', db: 0, tls: {} })
})

t.test('refuses other URLs, and does not repeat them', async t => {
  const urls = ['', 'secret', 'http://secret', 'redis://', 'redis:///secret', 'redis://secret/x', 'redis://secret/1/2', 'redis://secret:70000',
    'redis://secret?commandTimeout=x', 'redis://secret/0#x', 'redis://secret%ff:x@y', 'redis://x:secret%@y']
  for (const url of urls) {
    try {
      connectRedis(url).disconnect()
      t.fail(url)
    } catch (error) {
      t.notMatch(JSON.stringify([error, (error as Error).message]), /secret/, url)
    }
  }
})

t.test('does without a server at first, and tells a fault once', { skip }, async t => {
  const redis = await TestRedis.start()
  t.teardown(() => redis.close())
  await redis.kill()
  const faults: string[] = []
  const client = connectRedis(redis.url, { onError: error => faults.push(error.message) })
  t.teardown(() => client.disconnect())
  await t.rejects(client.ping())
  await eventually(async () => { if (faults.length === 0) throw new Error('no fault yet') })
  await sleep(300)
  const startMs = performance.now()
  await t.rejects(client.ping())
  t.ok(performance.now() - startMs < 700, 'a command is rejected at once')
  t.equal(faults.length, 1)
  t.match(faults[0], /ECONNREFUSED/)
  await redis.start()
  t.equal(await eventually(() => client.ping()), 'PONG')
  await redis.kill()
  await eventually(async () => { if (faults.length < 2) throw new Error('no fault yet') })
})

t.test('connects to a server that hung at first', { skip }, async t => {
  const redis = await TestRedis.start()
  t.teardown(() => redis.close())
  redis.stop()
  const client = connectRedis(redis.url, { commandTimeoutMs: 100 })
  t.teardown(() => client.disconnect())
  for (let attempt = 0; attempt < 20; attempt++) {
    await t.rejects(client.ping())
    await sleep(20)
  }
  redis.cont()
  t.equal(await eventually(() => client.ping()), 'PONG')
})

t.test('never sends a command twice', { skip }, async t => {
  const redis = await TestRedis.start()
  t.teardown(() => redis.close())
  const client = connectRedis(redis.url, { commandTimeoutMs: 200 })
  t.teardown(() => client.disconnect())
  await eventually(() => client.ping())
  for (let count = 1; count <= 3; count++) {
    redis.stop()
    await t.rejects(client.incr('counter'), { message: 'Command timed out' })
    redis.cont()
    // The server answers on a connection that is gone.
    await eventually(async () => { if (await client.get('counter') !== `${count}`) throw new Error('not carried out yet') })
  }
  await sleep(200)
  t.equal(await client.get('counter'), '3')
})

t.test('does not tell a password', { skip }, async t => {
  const redis = await TestRedis.start()
  t.teardown(() => redis.close())
  const admin = connectRedis(redis.url)
  t.teardown(() => admin.disconnect())
  await eventually(() => admin.config('SET', 'requirepass', 'right'))
  const faults: Error[] = []
  const client = connectRedis(redis.url.replace('//', '//:secret@'), { onError: error => faults.push(error) })
  t.teardown(() => client.disconnect())
  await eventually(async () => { if (faults.length === 0) throw new Error('no fault yet') })
  t.match(faults[0]!.message, /WRONGPASS/)
  t.notMatch(JSON.stringify(faults.map(error => [error, error.message, error.stack])), /secret/)
  t.strictSame(Object.keys(faults[0]!), [])
  await t.rejects(client.ping())
  await admin.config('SET', 'requirepass', 'secret')
  t.equal(await eventually(() => client.ping()), 'PONG')
})

t.test('an error without a message has its code', async t => {
  t.equal(plainError(Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })).message, 'ECONNREFUSED')
  t.equal(plainError(new Error('')).message, 'unknown error')
})
