import fs from 'node:fs'
import { spawnSync } from 'node:child_process'
import http from 'node:http'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { fuseMissing, mountSlowFile } from '../helpers/fuse.js'
import { spawnService, type Ended, type ServiceProcess } from '../helpers/process.js'
import { ask, makeFolder } from '../helpers/service.js'
import { connectBare, headOf } from '../helpers/sockets.js'

t.jobs = 4

const GONE_WITHIN_MS = 15_000

async function stop ({ child, ended }: ServiceProcess): Promise<Ended & { ms: number }> {
  const startMs = performance.now()
  child.kill('SIGTERM')
  return { ...await ended, ms: performance.now() - startMs }
}

t.test('idle, with connections that are kept alive', { buffered: true }, async t => {
  const service = await spawnService(t, { ARTIFACT_ROOT: makeFolder(t, { 'a.log': 'one\n' }) })
  const agent = new http.Agent({ keepAlive: true })
  t.teardown(() => agent.destroy())
  await new Promise<void>((resolve, reject) => {
    http.get(`${service.url}/read?path=a.log`, { agent }, response => response.resume().on('end', resolve)).on('error', reject)
  })
  const { code, ms } = await stop(service)
  t.equal(code, 0)
  t.ok(ms < 5000, `${Math.round(ms)} ms`)
})

t.test('a long poll is answered at once', { buffered: true }, async t => {
  const service = await spawnService(t, { ARTIFACT_ROOT: makeFolder(t, { 'a.log': '' }) })
  const poll = ask(`${service.url}/tail?run=r&path=a.log&wait=25`, { method: 'POST' })
  await waiting(service, 1)
  const startMs = performance.now()
  const stopped = stop(service)
  t.match(await poll, { status: 200, body: { content: '', seq: 0 } })
  t.ok(performance.now() - startMs < 3000, `answered after ${Math.round(performance.now() - startMs)} ms`)
  const { code, ms } = await stopped
  t.equal(code, 0)
  t.ok(ms < 8000, `gone after ${Math.round(ms)} ms`)
})

t.test('a slow download comes whole, signalled twice; readyz tells meanwhile', { buffered: true }, async t => {
  const line = `${'x'.repeat(1023)}\n`
  const service = await spawnService(t, { ARTIFACT_ROOT: makeFolder(t, { 'a.log': line.repeat(4096) }) })
  const { socket, received, closed } = await connectBare(t, service.port)
  // Pages enough that the kernel's buffers do not hold them all.
  const pages = 12
  socket.pause()
  socket.write(headOf('/bytes?path=a.log&limit=1048576&format=text').repeat(pages))
  await sleep(500)
  const stopped = stop(service)
  await sleep(300)
  service.child.kill('SIGTERM')
  t.match(await ask(`${service.url}/readyz`), { status: 503, body: { code: 'NOT_READY' } })
  t.equal((await ask(`${service.url}/livez`)).status, 200)
  t.equal((await ask(`${service.url}/read?path=a.log&maxLines=1`)).status, 200, 'who still comes is served')
  // It no longer listens by now.
  await sleep(4000)
  socket.resume()
  await closed
  const answers = received().split('HTTP/1.1 200 OK').slice(1)
  t.ok(answers.length >= 1, `${answers.length} answers`)
  for (const answer of answers) t.equal(answer.length - answer.indexOf('\r\n\r\n') - 4, 1_048_576)
  const { code, ms } = await stopped
  t.equal(code, 0)
  t.ok(ms < GONE_WITHIN_MS, `gone after ${Math.round(ms)} ms`)
})

t.test('a client that never reads its answer holds nothing up for long', { buffered: true }, async t => {
  const line = `${'x'.repeat(1023)}\n`
  const service = await spawnService(t, { ARTIFACT_ROOT: makeFolder(t, { 'a.log': line.repeat(4096) }) })
  const { socket } = await connectBare(t, service.port)
  socket.pause()
  socket.write(headOf('/bytes?path=a.log&limit=1048576&format=text').repeat(12))
  await sleep(500)
  const { code, ms } = await stop(service)
  t.equal(code, 0)
  t.ok(ms < GONE_WITHIN_MS, `gone after ${Math.round(ms)} ms`)
})

t.test('reads that hang', { skip: fuseMissing(), buffered: true }, async t => {
  t.jobs = 4
  const hung = 'bytes?path=mnt/slow.log&limit=100'
  // One for each test: where a read hangs, even an open waits for it in the kernel, and nothing ends who does.
  const hangingFolder = async (t: Test): Promise<string> => {
    const folder = makeFolder(t)
    const mount = path.join(folder, 'mnt')
    fs.mkdirSync(mount)
    await mountSlowFile(t, mount, 600)
    return folder
  }

  t.test('past their deadline', { buffered: true }, async t => {
    const service = await spawnService(t, { ARTIFACT_ROOT: await hangingFolder(t), READ_DEADLINE_MS: '500' })
    t.equal((await ask(`${service.url}/${hung}`)).status, 504)
    const { ms } = await stop(service)
    t.ok(ms < GONE_WITHIN_MS, `gone after ${Math.round(ms)} ms`)
  })

  t.test('and were left by their caller, long before it', { buffered: true }, async t => {
    const service = await spawnService(t, { ARTIFACT_ROOT: await hangingFolder(t), READ_DEADLINE_MS: '600000' })
    await t.rejects(fetch(`${service.url}/${hung}`, { signal: AbortSignal.timeout(500) }))
    const { ms } = await stop(service)
    t.ok(ms < GONE_WITHIN_MS, `gone after ${Math.round(ms)} ms`)
  })

  t.test('with their caller still there, twice signalled', { buffered: true }, async t => {
    const service = await spawnService(t, { ARTIFACT_ROOT: await hangingFolder(t), READ_DEADLINE_MS: '600000' })
    const read = fetch(`${service.url}/${hung}`).catch(() => 'closed')
    await sleep(500)
    const stopped = stop(service)
    await sleep(200)
    service.child.kill('SIGTERM')
    t.equal(await read, 'closed')
    const { ms } = await stopped
    t.ok(ms < GONE_WITHIN_MS, `gone after ${Math.round(ms)} ms`)
  })

  t.test('in the first process of a container, which its own SIGKILL does not end', {
    buffered: true,
    skip: spawnSync('unshare', ['--pid', '--fork', 'true']).status !== 0 && 'no PID namespace can be made'
  }, async t => {
    const wrapper = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child']
    const env = { ARTIFACT_ROOT: await hangingFolder(t), READ_DEADLINE_MS: '500' }
    const service = await spawnService(t, env, '', wrapper)
    t.equal((await ask(`${service.url}/${hung}`)).status, 504)
    const [inner] = fs.readFileSync(`/proc/${service.pid}/task/${service.pid}/children`, 'latin1').split(' ')
    const startMs = performance.now()
    process.kill(Number(inner), 'SIGTERM')
    await service.ended
    const ms = performance.now() - startMs
    t.ok(ms < GONE_WITHIN_MS, `gone after ${Math.round(ms)} ms`)
  })
})

async function waiting ({ url }: ServiceProcess, count: number): Promise<void> {
  for (;;) {
    const { text } = await ask(`${url}/metrics`)
    if (text.includes(`\nartifact_pager_tail_waiters ${count}\n`)) return
    await sleep(20)
  }
}
