import fc from 'fast-check'
import t, { type Test } from 'tap'
import { MemoryCursorStore } from '../../src/cursors/memory-store.js'
import { openRoot } from '../../src/files/root.js'
import { startThread } from '../../src/lanes/thread.js'
import { ThreadWatcher } from '../../src/lanes/watcher.js'
import { connectRedis } from '../../src/redis-connection.js'
import { makePool } from '../helpers/pool.js'
import { TestRedis, redisMissing } from '../helpers/redis.js'
import { makeFolder, startService, type Service } from '../helpers/service.js'
import { TailWorld, type AckChoice, type Call, type Services } from '../helpers/tail-world.js'

type Step = (world: TailWorld) => Promise<unknown> | unknown

const PIECES = [
  'a', 'line\n', 'é', '€', '😀', '\u0000', '\uFEFF', '\uFFFD', 'x'.repeat(70), 'y'.repeat(300)
].map(text => Buffer.from(text))
const HEX = [
  'F0', 'F09F', 'F09F98', '9880', '80', 'E2', 'E282', 'AC', 'C0', 'C3', 'EDA080', 'F5', 'F48F', 'E080', 'FF', 'FE', 'EFBB', 'BF',
  'FFFE', 'FEFF', '4100', '0041', '3DD8', '00DE', 'D83D', 'DE00', 'D8', 'DC', '0A00', '000A', '00'
].map(hex => Buffer.from(hex, 'hex'))
const MARKS = ['', '', '', 'EFBBBF', 'FFFE', 'FEFF'].map(hex => Buffer.from(hex, 'hex'))

const piece = fc.oneof(fc.constantFrom(...PIECES), fc.constantFrom(...HEX), fc.uint8Array({ maxLength: 5 }))
const bytes = fc.array(piece, { maxLength: 8 }).map(pieces => Buffer.concat(pieces))
const start = fc.tuple(fc.constantFrom(...MARKS), bytes).map(parts => Buffer.concat(parts))
const call: fc.Arbitrary<Call> = fc.record({
  maxBytes: fc.constantFrom(1, 2, 3, 4, 5, 7, 16, 100, 32_768),
  flush: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  from: fc.constantFrom('start', 'start', 'start', 'end'),
  replica: fc.nat(1)
})
const ack: fc.Arbitrary<AckChoice> = fc.oneof(
  { weight: 4, arbitrary: fc.constant('last') },
  { weight: 4, arbitrary: fc.constant('none') },
  { weight: 1, arbitrary: fc.constant('zero') },
  { weight: 1, arbitrary: fc.nat(30).map(anyOf => ({ anyOf })) }
)

function named<T> (name: string, weight: number, from: fc.Arbitrary<T>, take: (world: TailWorld, from: T) => unknown) {
  const arbitrary = from.map(value => Object.assign(
    (world => take(world, value)) satisfies Step, { [fc.toStringMethod]: () => `${name} ${fc.stringify(value)}` }
  ))
  return { weight, arbitrary }
}

/** A place in the file, as a fraction of its size in thousandths. */
const place = fc.nat(1000)
const at = (world: TailWorld, thousandths: number): number => Math.floor(world.bytes.length * thousandths / 1000)

const step: fc.Arbitrary<Step> = fc.oneof(
  named('append', 14, bytes, (world, bytes) => world.append(bytes)),
  named('post', 20, fc.tuple(call, ack), (world, [call, ack]) => world.post(call, ack)),
  named('post, lost', 5, fc.tuple(call, ack), (world, [call, ack]) => world.post(call, ack, true)),
  named('peek', 6, call, (world, call) => world.peek(call)),
  named('rotate', 2, start, (world, bytes) => world.rotate(bytes)),
  named('truncate', 2, fc.oneof(fc.constant(0), place), (world, keep) => world.truncate(at(world, keep))),
  named('copytruncate and outgrow', 2, start, (world, bytes) => {
    const filler = Buffer.alloc(world.bytes.length, 'new\n')
    world.truncate(0)
    world.append(Buffer.concat([bytes, filler]))
  }),
  named('overwrite', 3, fc.tuple(place, bytes), (world, [from, bytes]) => world.overwrite(at(world, from), bytes)),
  named('remove', 1, fc.constant(null), world => world.remove()),
  named('create', 4, start, (world, bytes) => world.model.file ?? world.create(bytes)),
  named('forget', 1, fc.boolean(), (world, path) => world.forget(path)),
  named('expire', 1, fc.constant(null), world => world.expire()),
  named('restart', 1, fc.constant(null), world => world.restart())
)

let worlds = 0

async function checkModel (t: Test, services: Services, folder: string, numRuns: number): Promise<void> {
  const told = { told: 0, untold: 0 }
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60, size: 'max' }), async steps => {
    const world = new TailWorld(services, folder, `file-${++worlds}`)
    for (const take of steps) await take(world)
    told[await world.finish()]++
  }), { numRuns })
  t.ok(told.told > numRuns / 3, `${told.told} of ${numRuns} ended with a text that could be told as a whole`)
}

/** The lanes are kept over restarts: a lane knows nothing of cursors. */
function keptParts (t: Test, folder: string) {
  const root = openRoot(folder)
  const pool = makePool({ startThread: memory => startThread(root, memory), maxLanes: 4, warmLanes: 2 })
  const watcher = new ThreadWatcher(root, () => {})
  t.teardown(async () => {
    await pool.close()
    await watcher.close()
  })
  return { root, pool, watcher }
}

t.test('in memory, every answer is the model\'s', async t => {
  const folder = makeFolder(t)
  const parts = keptParts(t, folder)
  let nowMs = 0
  let service: Service
  const open = async (): Promise<void> => {
    const store = new MemoryCursorStore({ maxCursors: 1000, ttlMs: 1000, nowMs: () => nowMs })
    service = await startService(t, env(folder), { ...parts, store })
  }
  await open()
  await checkModel(t, {
    get urls () { return [service.url] },
    restart: async () => {
      await service.close()
      await open()
    },
    expire: async () => { nowMs += 1000 },
    forgetful: true
  }, folder, 60)
})

t.test('on two services with one Redis, every answer is the model\'s', { skip: redisMissing() }, async t => {
  const folder = makeFolder(t)
  const parts = keptParts(t, folder)
  const redis = await TestRedis.start()
  t.teardown(() => redis.close())
  const client = connectRedis(redis.url, { commandTimeoutMs: 60_000 })
  t.teardown(() => client.disconnect())
  const open = async (): Promise<Service> => connected(await startService(t, env(folder, redis.url), parts))
  const services = [await open(), await open()]
  let turn = 0
  await checkModel(t, {
    get urls () { return services.map(({ url }) => url) },
    restart: async () => {
      const place = ++turn % 2
      await services[place]!.close()
      services[place] = await open()
    },
    expire: async () => { await client.flushall() },
    forgetful: false
  }, folder, 40)
})

function env (folder: string, redisUrl = ''): Record<string, string> {
  return { ARTIFACT_ROOT: folder, REDIS_URL: redisUrl, READ_DEADLINE_MS: '100000' }
}

/** A service starts without its Redis; until it has a connection it answers 503. */
async function connected (service: Service): Promise<Service> {
  while ((await fetch(`${service.url}/readyz`)).status !== 200) await new Promise(resolve => setTimeout(resolve, 10))
  return service
}
