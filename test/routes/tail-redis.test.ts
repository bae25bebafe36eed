import fs from 'node:fs'
import t, { type Test } from 'tap'
import { TestRedis, eventually, redisMissing } from '../helpers/redis.js'
import { ask, makeFolder, startService, type Service } from '../helpers/service.js'
import { TailClient, askPatiently, holds } from '../helpers/tail-client.js'

const TEXT = Array.from({ length: 400 }, (_, index) => `line ${index} é€😀\n`).join('')
const UNAVAILABLE = { status: 503, body: { code: 'CURSOR_STORE_UNAVAILABLE' } }

/** Two replicas on one Redis, and a file. */
async function setUp (t: Test) {
  const folder = makeFolder(t, { 'a.log': TEXT })
  const redis = await TestRedis.start()
  t.teardown(() => redis.close())
  const start = async (more: Record<string, string> = {}): Promise<Service> => {
    const service = await startService(t, { ARTIFACT_ROOT: folder, REDIS_URL: redis.url, READ_DEADLINE_MS: '60000', ...more })
    await ready(service)
    return service
  }
  return { folder, redis, start }
}

async function ready ({ url }: Service): Promise<void> {
  await eventually(async () => { if ((await fetch(`${url}/readyz`)).status !== 200) throw new Error('not ready') }, 60_000)
}

t.test('with Redis', { skip: redisMissing() }, async t => {
  t.test('replicas in turn give pages that join to the file, over restarts', async t => {
    const { start } = await setUp(t)
    const services = [await start(), await start()]
    let content = ''
    let ack = '0'
    for (let turn = 0, more = true; more; turn++) {
      if (turn === 5) {
        await services[1]!.close()
        services[1] = await start()
      }
      const [one, other] = turn % 2 ? services : [...services].reverse()
      const { body } = await new TailClient(one!, 'run', 'a.log').post({ maxBytes: 1000, ack })
      holds(t, body, { seq: turn + 1, startByte: Buffer.byteLength(content), created: turn === 0, replayed: false })
      const again = (await new TailClient(other!, 'run', 'a.log').post({ ack })).body
      holds(t, again, { content: body.content, endByte: body.endByte, replayed: true, cursor: body.cursor }, 'repeated by the other')
      content += body.content
      ack = body.cursor
      more = body.more
    }
    t.equal(content, TEXT)
  })

  t.test('a Redis that hangs costs the cursors alone, and they go on after it', async t => {
    const { redis, start } = await setUp(t)
    const service = await start()
    const hasty = await start({ READ_DEADLINE_MS: '300' })
    const client = new TailClient(service, 'run', 'a.log')
    const first = (await client.post({ maxBytes: 100 })).body
    redis.stop()
    const startMs = performance.now()
    holds(t, await client.post(), UNAVAILABLE)
    t.ok(performance.now() - startMs < 30_000, 'long before the deadline')
    holds(t, await client.peek(), UNAVAILABLE)
    holds(t, await client.post({ wait: 25 }), UNAVAILABLE)
    // Of another run: it may still be done once Redis goes on.
    holds(t, await new TailClient(service, 'other', 'a.log').forget(), UNAVAILABLE)
    const { 'retry-after': retryAfter } = Object.fromEntries((await client.post({ ack: first.cursor })).headers)
    t.match(retryAfter, /^[1-9]$/)
    holds(t, await new TailClient(hasty, 'run', 'a.log').post(), UNAVAILABLE, 'also where the deadline comes first')
    holds(t, await new TailClient(hasty, 'other', 'a.log').forget(), UNAVAILABLE)
    holds(t, await askPatiently(`${service.url}/read?path=a.log&maxLines=1`), { status: 200, body: { endLine: 1 } })
    holds(t, await ask(`${service.url}/readyz`), { status: 503, body: { code: 'NOT_READY' } })
    holds(t, await ask(`${service.url}/livez`), { status: 200 })
    redis.cont()
    await ready(service)
    holds(t, (await client.post({ ack: first.cursor })).body, { seq: 2, startByte: first.endByte, created: false })
  })

  t.test('a Redis that comes back empty loses nothing of who acknowledges', async t => {
    const { redis, start, folder } = await setUp(t)
    const service = await start()
    const client = new TailClient(service, 'run', 'a.log')
    const first = (await client.post({ ack: 0, maxBytes: 100 })).body
    await redis.kill()
    holds(t, await client.post({ ack: first.cursor }), UNAVAILABLE)
    await redis.start()
    await ready(service)
    const second = (await client.post({ ack: first.cursor })).body
    holds(t, second, { seq: 2, startByte: first.endByte, created: true, replayed: false })
    t.equal(first.content + second.content, TEXT)
    fs.appendFileSync(`${folder}/a.log`, 'more')
    holds(t, (await client.post({ ack: first.cursor })).body, { content: second.content, replayed: true })
    holds(t, (await client.post({ ack: second.cursor })).body, { content: 'more', seq: 3, created: false })
  })

  t.test('the service starts without its Redis', async t => {
    const { redis, folder } = await setUp(t)
    await redis.kill()
    const service = await startService(t, { ARTIFACT_ROOT: folder, REDIS_URL: redis.url })
    const client = new TailClient(service, 'run', 'a.log')
    holds(t, await client.post(), UNAVAILABLE)
    holds(t, await ask(`${service.url}/readyz`), { status: 503 })
    await redis.start()
    await ready(service)
    holds(t, (await client.post()).body, { content: TEXT, seq: 1, created: true })
  })
})
