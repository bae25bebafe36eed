import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { makeFolder } from '../helpers/service.js'
import { Tailer, connect } from './coordinator.js'
import { deploy, type Deployment } from './deployment.js'
import { Ledger } from './ledger.js'

const CHAOS_MS = 40_000
const ROUNDS_AT_LEAST = 3
const TAILERS = [
  { run: 'run-1', path: 'logs/a.log' },
  { run: 'run-2', path: 'logs/a.log' },
  { run: 'run-1', path: 'logs/b.log' },
  { run: 'run-3', path: 'logs/b.log' }
]

/** A reproducible source of numbers from 0 to 1 (mulberry32). */
function randomFrom (seed: number): () => number {
  return () => {
    seed = (seed + 0x6D2B79F5) | 0
    let mixed = Math.imul(seed ^ (seed >>> 15), seed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Appends to a file, in writes that cut characters anywhere, until it is told to end. */
async function produce (file: string, random: () => number, isOver: () => boolean): Promise<number> {
  const line = (number: number): string => `${number} ${'añ€😀 "\\\t'.repeat(1 + Math.floor(random() * 200))}\n`
  let rest = Buffer.alloc(0)
  for (let number = 1; !isOver() || rest.length > 0; number++) {
    if (!isOver()) rest = Buffer.concat([rest, Buffer.from(line(number))])
    const cut = isOver() ? rest.length : Math.floor(random() * rest.length)
    fs.appendFileSync(file, rest.subarray(0, cut))
    rest = rest.subarray(cut)
    await sleep(random() * 20)
  }
  return fs.statSync(file).size
}

/** Kills replicas, one at a time, and Redis with all it holds; returns how those ended that were told to. */
async function wreck ({ replicas, redis }: Deployment, isOver: () => boolean, counts: Record<string, number>) {
  const exits = new Set<unknown>()
  for (let round = 0; !isOver() || round < ROUNDS_AT_LEAST; round++) {
    for (const [index, replica] of replicas.entries()) {
      const signal = (round + index) % 2 === 0 ? 'SIGKILL' : 'SIGTERM'
      const exit = await replica.end(signal)
      counts[signal]!++
      if (signal === 'SIGTERM') exits.add(exit)
      await sleep(200)
      await replica.start()
    }
    counts.redis!++
    await redis.end('SIGKILL')
    await sleep(300)
    await redis.start()
    await sleep(500)
  }
  return [...exits]
}

t.test('every byte of growing files comes once, while replicas, Redis and answers are lost', { timeout: 110_000 }, async t => {
  const root = makeFolder(t, { 'logs/a.log': '', 'logs/b.log': '' })
  const deployment = await deploy(t, root, { RATE_LIMIT_MAX: '0' })
  const ledger = new Ledger()
  const seed = Date.now() % 1_000_000
  t.comment(`seed ${seed}`)
  const endsAt = performance.now() + CHAOS_MS
  const isTime = (): boolean => performance.now() > endsAt
  let isWrecked = false
  const sizes: Record<string, number> = {}
  const producers = ['logs/a.log', 'logs/b.log'].map(async (name, index) => {
    sizes[name] = await produce(path.join(root, name), randomFrom(seed + index), () => isTime() && isWrecked)
  })
  const counts = { SIGKILL: 0, SIGTERM: 0, redis: 0 }
  const wreckage = wreck(deployment, isTime, counts).finally(() => { isWrecked = true })
  const tailers = TAILERS.map(({ run, path }, index) => new Tailer({
    api: connect(deployment.url, ledger),
    run,
    path,
    random: randomFrom(seed + 10 + index),
    finalSize: () => sizes[path],
    epoch: () => counts.redis
  }))
  const [exits] = await Promise.all([wreckage, ...producers, ...tailers.map(tailer => tailer.follow())])

  const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
  tailers.forEach((tailer, index) => {
    const { run, path: name } = TAILERS[index]!
    t.strictSame(tailer.faults, [], `${run} ${name}: each page goes on where the one before it ended`)
    const got = Buffer.concat(tailer.chunks)
    const file = fs.readFileSync(path.join(root, name))
    t.equal(got.length, file.length, `${run} ${name}: as many bytes as the file has`)
    t.equal(sha256(got), sha256(file), `${run} ${name}: the same bytes`)
    t.comment(`${run} ${name}: ${got.length} bytes, ${JSON.stringify(tailer.counts)}`)
  })
  const total = (name: keyof Tailer['counts']): number => tailers.reduce((sum, { counts }) => sum + counts[name], 0)
  for (const name of ['lost', 'aborted', 'replayed', 'restored'] as const) t.ok(total(name) > 0, `some calls were ${name}`)
  t.ok(total('restored') > TAILERS.length, 'cursors came back from `ack` after Redis had lost them')
  t.strictSame(ledger.violations, [], 'no response exceeded its bound')
  t.strictSame(exits, [0], 'a replica that was told to go went with 0')
  t.comment(`killed: ${JSON.stringify(counts)}; responses: ${ledger.responses}, ${JSON.stringify(ledger.statuses)}, ${ledger.bodyBytes} bytes`)
})
