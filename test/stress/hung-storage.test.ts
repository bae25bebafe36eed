import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { fuseMissing, mountSlowFile } from '../helpers/fuse.js'
import { descriptorsOf, spawnService } from '../helpers/process.js'
import { eventually } from '../helpers/redis.js'
import { ask, makeFolder, type Answer } from '../helpers/service.js'

const DEADLINE_MS = 1500
/** Each read hangs for this long at least, far over the deadline. */
const DELAY_SECONDS = 3

interface Timed extends Answer { ms: number }

async function timed (url: string): Promise<Timed> {
  const startMs = performance.now()
  const answer = await ask(url)
  return { ...answer, ms: performance.now() - startMs }
}

/** Far apart from each other, so that the kernel has none of them at hand. */
function hungUrl (url: string, index: number): string {
  return `${url}/bytes?path=mnt/slow.log&offset=${index * 16_777_216}&limit=100`
}

t.test('storage that hangs', { skip: fuseMissing() }, async t => {
  const folder = makeFolder(t, { 'a.log': 'one\n'.repeat(1000) })
  const mount = path.join(folder, 'mnt')
  fs.mkdirSync(mount)
  await mountSlowFile(t, mount, DELAY_SECONDS)
  const service = await spawnService(t, {
    ARTIFACT_ROOT: folder, READ_DEADLINE_MS: String(DEADLINE_MS), MAX_CONCURRENT_READS: '16'
  })
  const { url, pid } = service
  const idle = async (): Promise<void> => {
    await eventually(async () => {
      if (await laneCount(url, 'stuck') + await laneCount(url, 'busy') > 0) throw new Error('reads still hang')
    }, 60_000)
  }

  await t.test('a read is answered at its deadline, and its descriptor goes when it comes back', async t => {
    t.equal((await ask(`${url}/read?path=a.log`)).status, 200)
    const descriptors = descriptorsOf(pid)
    const answer = await timed(hungUrl(url, 1))
    t.match(answer, { status: 504, body: { code: 'READ_DEADLINE_EXCEEDED' } })
    t.ok(answer.ms >= DEADLINE_MS && answer.ms < 2 * DEADLINE_MS, `after ${Math.round(answer.ms)} ms`)
    t.comment(`answered after ${Math.round(answer.ms)} ms of ${DEADLINE_MS}`)
    t.equal(await laneCount(url, 'stuck'), 1)
    t.equal((await ask(`${url}/readyz`)).status, 200)
    await idle()
    t.ok(descriptorsOf(pid) <= descriptors + DESCRIPTORS_OF_A_LANE, `${descriptorsOf(pid)} descriptors`)
    t.equal((await filesOf(pid, 'slow.log')), 0)
  })

  await t.test('a caller that leaves a hung read costs its lane alone', async t => {
    const gone = AbortSignal.timeout(200)
    await t.rejects(fetch(hungUrl(url, 2), { signal: gone }))
    const answer = await timed(`${url}/read?path=a.log`)
    t.equal(answer.status, 200)
    t.ok(answer.ms < 1000, `${answer.ms} ms`)
    await idle()
  })

  await t.test('when all permits hang: refused at once, not ready, alive; and it heals by itself', async t => {
    const hung = Array.from({ length: 20 }, (_, index) => timed(hungUrl(url, 10 + index)))
    await sleep(100)
    const ordinary = await Promise.all(Array.from({ length: 10 }, () => timed(`${url}/read?path=a.log`)))
    for (const answer of ordinary) {
      t.ok(answer.status === 200 || answer.body.code === 'OVERLOADED', `${answer.status}`)
      t.ok(answer.ms < 3000, `${Math.round(answer.ms)} ms`)
      t.comment(`ordinary read: ${answer.status} after ${Math.round(answer.ms)} ms`)
    }
    for (const answer of await Promise.all(hung)) {
      t.ok(answer.body.code === 'READ_DEADLINE_EXCEEDED' || answer.body.code === 'OVERLOADED')
      t.ok(answer.ms < 2 * DEADLINE_MS, `${answer.ms} ms`)
    }
    await eventually(async () => {
      // Permits are given out as threads start, which takes time where the machine is busy.
      await Promise.all(Array.from({ length: 16 }, (_, index) => ask(hungUrl(url, 30 + index))))
      if (await laneCount(url, 'stuck') < 16) throw new Error('not all hang')
    }, 60_000)
    const refused = await timed(`${url}/read?path=a.log`)
    t.match(refused, { status: 503, body: { code: 'OVERLOADED' } })
    t.match(refused.headers.get('retry-after'), /^[1-3]$/)
    t.ok(refused.ms < 500, `${refused.ms} ms`)
    t.match(await ask(`${url}/readyz`), { status: 503, body: { code: 'NOT_READY' } })
    t.equal((await ask(`${url}/livez`)).status, 200)
    await idle()
    t.equal((await ask(`${url}/readyz`)).status, 200)
    t.equal((await ask(`${url}/read?path=a.log`)).status, 200)
    t.equal((await filesOf(pid, 'slow.log')), 0)
  })

  await t.test('a tail of it is answered too, and its run is free for the next call', async t => {
    const answer = await timed(`${url}/read?path=a.log`)
    t.equal(answer.status, 200)
    const post = async (): Promise<Answer> => ask(`${url}/tail?run=r&path=mnt/slow.log`, { method: 'POST' })
    const [first, second] = await Promise.all([post(), post()])
    for (const answer of [first!, second!]) t.ok([503, 504].includes(answer.status), `${answer.status}`)
  })
})

/** What a further lane's loop and channel take. */
const DESCRIPTORS_OF_A_LANE = 12

/** How many descriptors of a process are of a file of this name. */
async function filesOf (pid: number, name: string): Promise<number> {
  const links = fs.readdirSync(`/proc/${pid}/fd`).map(fd => {
    try {
      return fs.readlinkSync(`/proc/${pid}/fd/${fd}`)
    } catch {
      return ''
    }
  })
  return links.filter(link => path.basename(link) === name).length
}

async function laneCount (url: string, state: string): Promise<number> {
  const { text } = await ask(`${url}/metrics`)
  return Number(new RegExp(`^artifact_pager_lanes\\{state="${state}"\\} (\\d+)$`, 'm').exec(text)?.[1])
}
