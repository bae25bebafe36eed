import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { requestRaw } from '../helpers/raw-http.js'
import { ask, makeFolder, startService } from '../helpers/service.js'
import { problemFaults } from '../routes/response-schemas.js'

const hash = (token: string): string => createHash('sha256').update(token).digest('hex')
const root = makeFolder(t, { 'in/a.log': 'one\n', 'in/deep/b.log': 'two\n', 'out/c.log': 'secret\n', 'in/f': '' })
fs.symlinkSync('../out/c.log', path.join(root, 'in/leaves.log'))
fs.symlinkSync('../out/missing.log', path.join(root, 'in/leaves-to-nothing.log'))
fs.symlinkSync('deep/b.log', path.join(root, 'in/stays.log'))
const tokensFile = path.join(makeFolder(t), 'tokens.json')
fs.writeFileSync(tokensFile, JSON.stringify([
  { name: 'all', sha256: hash('all-token') }, { name: 'some', sha256: hash('some-token'), paths: ['in'] },
  { name: 'other', sha256: hash('other-token') }
]))
const bearing = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
const withTokens = { ARTIFACT_ROOT: root, TOKENS_FILE: tokensFile }
const { url, app } = await startService(t, withTokens)

t.test('without a valid token', async t => {
  const requests = [
    ['GET', '/read?path=in/a.log'], ['GET', '/bytes?path=in/a.log'], ['GET', '/tail?run=r&path=in/a.log'],
    ['POST', '/tail?run=r&path=in/a.log'], ['DELETE', '/tail?run=r'], ['GET', '/read?path=missing'], ['GET', '/read']
  ] as const
  for (const [method, target] of requests) {
    for (const authorization of [undefined, 'Bearer nobody', 'Basic all-token', 'all-token', `Bearer ${hash('all-token')}`]) {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
      const answer = await ask(url + target, { method, headers })
      t.match(answer, { status: 401, body: { code: 'UNAUTHORIZED' } }, `${method} ${target} ${authorization}`)
      t.equal(answer.headers.get('www-authenticate'), 'Bearer')
      t.strictSame(problemFaults(answer.body, 401), [])
    }
    t.not((await ask(url + target, { method, ...bearing('all-token') })).status, 401)
  }
  for (const target of ['/', '/openapi.json', '/livez', '/readyz', '/metrics']) {
    t.equal((await ask(url + target)).status, 200, `${target} is open`)
  }
  t.equal((await ask(`${url}/read?path=in/a.log&token=all-token`)).status, 401, 'a token in the query is none')
})

t.test('a scope is a root of its own', async t => {
  const read = (target: string) => ask(`${url}/${target}`, bearing('some-token'))
  for (const file of ['in/a.log', 'in/deep/b.log', 'in/stays.log', './in//a.log', `${root}/in/a.log`]) {
    t.equal((await read(`read?path=${file}`)).status, 200, file)
  }
  for (const route of ['read?', 'bytes?', 'tail?run=r&']) {
    for (const file of ['out/c.log', 'out/missing.log', 'missing', 'out', 'input', `${root}/out/c.log`]) {
      t.match(await read(`${route}path=${file}`), { status: 403, body: { code: 'PERMISSION_DENIED' } }, `${route} ${file}`)
    }
    for (const file of ['in/leaves.log', 'in/leaves-to-nothing.log']) {
      t.match(await read(`${route}path=${file}`), { status: 403, body: { code: 'PATH_OUTSIDE_ROOT' } }, `${route} ${file}`)
    }
    t.match(await read(`${route}path=in/missing.log`), { status: 404 })
  }
  const outside = await ask(`${url}/tail?run=r&path=out/c.log`, { method: 'DELETE', ...bearing('some-token') })
  t.match(outside, { status: 403, body: { code: 'PERMISSION_DENIED' } })
  t.match(await ask(`${url}/read?path=in/leaves.log`, bearing('all-token')), { status: 200, body: { content: 'secret' } })
})

t.test('a caller sees and forgets its own cursors alone', async t => {
  const call = (method: string, token: string, query = '&path=in/a.log') => ask(`${url}/tail?run=r${query}`, { method, ...bearing(token) })
  for (const token of ['all-token', 'other-token']) {
    t.match(await call('POST', token), { status: 200, body: { created: true, content: 'one\n' } }, token)
  }
  t.match(await call('DELETE', 'other-token', ''), { status: 200, body: { run: 'r', forgotten: 1 } })
  t.match(await call('DELETE', 'other-token', ''), { status: 200, body: { forgotten: 0 } })
  t.match(await call('POST', 'all-token'), { status: 200, body: { created: false, content: '' } })
  t.match(await call('DELETE', 'all-token'), { status: 200, body: { forgotten: 1 } })
})

t.test('tokens that are reread are in force at once', async t => {
  const { tokens } = app.book
  t.teardown(() => { app.book.tokens = tokens })
  app.book.tokens = tokens!.filter(({ name }) => name === 'other')
  t.equal((await ask(`${url}/read?path=in/a.log`, bearing('all-token'))).status, 401)
  t.equal((await ask(`${url}/read?path=in/a.log`, bearing('other-token'))).status, 200)
})

t.test('the rate of a caller', async t => {
  const { url } = await startService(t, { ARTIFACT_ROOT: root, RATE_LIMIT_MAX: '5' })
  const targets = ['/read', '/bytes?path=..', '/tail?run=r&path=', '/nonsense', '/read?x=1']
  for (const [index, target] of targets.entries()) {
    const { headers, status } = await ask(url + target)
    t.not(status, 429, target)
    t.equal(headers.get('ratelimit-limit'), '5', target)
    t.equal(headers.get('ratelimit-remaining'), String(4 - index), target)
    const seconds = Number(headers.get('ratelimit-reset'))
    t.ok(seconds > 0 && seconds <= 60, `${target}: reset in ${seconds}`)
  }
  const refused = await ask(`${url}/read?path=in/a.log`)
  t.match(refused, { status: 429, body: { code: 'RATE_LIMITED' } })
  t.strictSame(problemFaults(refused.body, 429), [])
  t.equal(refused.headers.get('ratelimit-remaining'), '0')
  t.match(refused.headers.get('retry-after'), /^[1-9]\d?$/)
  t.equal((await ask(`${url}/nonsense`)).status, 404, 'what is unknown is told so')
  t.equal((await ask(`${url}/read`, { method: 'PUT' })).status, 405)
  for (const target of ['/', '/openapi.json', '/livez', '/readyz', '/metrics']) {
    const { status, headers } = await ask(url + target)
    t.equal(status, 200, `${target} is not limited`)
    t.notOk(headers.has('ratelimit-limit'))
  }
})

t.test('without a limit there are no headers of one', async t => {
  const { url } = await startService(t, { ARTIFACT_ROOT: root, RATE_LIMIT_MAX: '0' })
  for (const target of ['/read?path=in/a.log', '/nonsense', '/read']) {
    t.notOk([...(await ask(url + target)).headers.keys()].some(name => name.startsWith('ratelimit')), target)
  }
})

// The rate is counted before parameters are judged: no lane need start for these.
t.test('a caller is a token, wherever it is, else an address', async t => {
  const { port } = await startService(t, { ...withTokens, RATE_LIMIT_MAX: '2', TRUST_PROXY: '1' })
  const read = async (token: string, address: string) => {
    const headers = [`Authorization: Bearer ${token}`, `X-Forwarded-For: ${address}`]
    return (await requestRaw(port, 'GET', '/read', headers)).status
  }
  t.strictSame([await read('all-token', '192.0.2.1'), await read('all-token', '192.0.2.2'), await read('all-token', '192.0.2.3')], [400, 400, 429])
  t.equal(await read('other-token', '192.0.2.1'), 400, 'another token')
  t.strictSame([await read('nobody', '192.0.2.9'), await read('none', '192.0.2.9'), await read('nobody', '192.0.2.9')], [401, 401, 429])
  t.equal(await read('nobody', '192.0.2.8'), 401, 'another address')
})

t.test('a count that takes long takes of the time that a read has', async t => {
  class Slow {
    incr (_key: string, done: (error: null, count: { current: number, ttl: number }) => void): void {
      setTimeout(() => done(null, { current: 1, ttl: 60_000 }), 700)
    }

    child (): Slow { return this }
  }
  const settings = { ARTIFACT_ROOT: root, RATE_LIMIT_MAX: '5', READ_DEADLINE_MS: '500' }
  const { url } = await startService(t, settings, { rateLimitStore: Slow as never })
  t.match(await ask(`${url}/read?path=in/a.log`), { status: 503, body: { code: 'OVERLOADED' } })
})

t.test('an address that a caller claims counts only behind a proxy', async t => {
  const { port } = await startService(t, { ARTIFACT_ROOT: root, RATE_LIMIT_MAX: '1' })
  const read = async (address: string) => (await requestRaw(port, 'GET', '/read', [`X-Forwarded-For: ${address}`])).status
  t.strictSame([await read('192.0.2.1'), await read('192.0.2.2')], [400, 429])
  const behind = await startService(t, { ARTIFACT_ROOT: root, RATE_LIMIT_MAX: '1', TRUST_PROXY: '127.0.0.0/8' })
  const readBehind = async (...addresses: string[]) => (await requestRaw(behind.port, 'GET', '/read', addresses.map(address => `X-Forwarded-For: ${address}`))).status
  t.strictSame([await readBehind('192.0.2.1'), await readBehind('192.0.2.2'), await readBehind('192.0.2.9', '192.0.2.1')], [400, 400, 429])
})
