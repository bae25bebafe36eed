import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { makeToken } from '../../src/make-token.js'
import { FIXTURES } from '../helpers/project.js'
import { eventually } from '../helpers/redis.js'
import { makeFolder } from '../helpers/service.js'
import { connect } from './coordinator.js'
import { deploy } from './deployment.js'
import { Ledger } from './ledger.js'
import { requirePrograms } from './programs.js'

const REPORT = path.join(FIXTURES, 'reports/evaluation.json')
const RATE_LIMIT = 300
const LINE_PAGES = /^artifact_pager_request_duration_seconds_count\{route="\/read",unit="lines",status="200"\}/
const CALLERS = { coordinator: [], reader: [], burst: [], alpha: ['alpha'], beta: ['beta', 'common'] }

requirePrograms('promtool')
const report = fs.readFileSync(REPORT)
const root = makeFolder(t, {
  'reports/evaluation.json': report,
  'alpha/a.txt': 'a\n',
  'beta/b.txt': 'b\n',
  'common/s.txt': 's\n',
  'empty.log': '',
  'lines.txt': 'line\n'.repeat(1000)
})
const made = Object.entries(CALLERS).map(([name, folders]) => ({ name, ...makeToken(name, folders) }))
const tokensFile = path.join(makeFolder(t), 'tokens.json')
fs.writeFileSync(tokensFile, JSON.stringify(made.map(({ entry }) => entry)))
const tokens = Object.fromEntries(made.map(({ name, token }) => [name, token])) as Record<keyof typeof CALLERS, string>
const deployment = await deploy(t, root, { TOKENS_FILE: tokensFile, RATE_LIMIT_MAX: `${RATE_LIMIT}` })
const { url, replicas, replicaUrls } = deployment
const ledger = new Ledger()

/** Asks as a caller, at an address relative to the gateway's prefix or to the page before. */
async function get (caller: keyof typeof CALLERS, address: string | URL, init: RequestInit = {}): Promise<Response> {
  const headers = { Authorization: `Bearer ${tokens[caller]}`, ...init.headers as Record<string, string> }
  return await ledger.fetch(new URL(address, url), { ...init, headers })
}

async function scrape (replicaUrl: string): Promise<string> {
  return await (await fetch(`${replicaUrl}/metrics`)).text()
}

/** A sum of the samples of both replicas that match. */
async function total (sample: RegExp): Promise<number> {
  return sumOf((await Promise.all(replicaUrls.map(scrape))).join('\n'), sample)
}

function sumOf (text: string, sample: RegExp): number {
  return text.split('\n').filter(line => sample.test(line)).reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

t.test('the report, to its end by `next` alone: characters, and the bytes of its one line', async t => {
  const api = connect(url, ledger, tokens.coordinator)
  const first = await api.GET('/read', { params: { query: { path: 'reports/evaluation.json', limitChars: 32_768 } } })
  const chunks: string[] = []
  let page = first.data as { content: string, next: string | null }
  let address = first.response.url
  for (;;) {
    chunks.push(page.content)
    if (page.next === null) break
    t.notMatch(page.next, /^[a-z]+:|^\//, 'a relative reference')
    const response = await get('coordinator', new URL(page.next, address))
    page = await response.json() as typeof page
    address = response.url
  }
  t.equal(createHash('sha256').update(chunks.join('')).digest('hex'), createHash('sha256').update(report).digest('hex'))
  t.ok(chunks.length > report.length / 32_768, `${chunks.length} pages`)

  const refused = await api.GET('/read', { params: { query: { path: 'reports/evaluation.json' } } })
  t.match(refused.error, { code: 'READ_LIMIT_EXCEEDED', reason: 'line-too-long' }, 'it has one line, which is too long')
  const pieces: Buffer[] = []
  for (let next = refused.error?.next ?? null; next !== null;) {
    const response = await get('coordinator', next)
    const bytes = await response.json() as { content: string, next: string | null }
    pieces.push(Buffer.from(bytes.content))
    next = bytes.next
  }
  t.ok(Buffer.concat(pieces).equals(report), `${pieces.length} pages by bytes`)
})

t.test('the report as text, by `Link` alone, compressed', async t => {
  const chunks: Buffer[] = []
  let next: string | undefined = 'read?path=reports/evaluation.json&limitChars=32768&format=text'
  while (next !== undefined) {
    const response = await get('reader', next)
    chunks.push(Buffer.from(await response.arrayBuffer()))
    t.match(response.headers.get('content-encoding'), 'gzip')
    next = /^<([^>]*)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1]
  }
  t.ok(Buffer.concat(chunks).equals(report), `${chunks.length} pages`)
})

t.test('what passes the gateway, and what does not', async t => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const kept = await get('coordinator', 'read?path=lines.txt', { headers: { 'X-Request-Id': 'my.id-1', traceparent } })
  t.equal(kept.headers.get('x-request-id'), 'my.id-1')
  const made = await get('coordinator', 'read?path=missing.txt', { headers: { 'X-Request-Id': 'not an id' } })
  t.match(await made.json(), { code: 'FILE_NOT_FOUND', requestId: made.headers.get('x-request-id') })
  await eventually(async () => {
    const log = deployment.accessLog()
    if (!log.some(({ id, traceparent: parent, status }) => id === 'my.id-1' && parent === traceparent && status === 200)) {
      throw new Error('no line with the id')
    }
    if (!log.some(({ id }) => id === made.headers.get('x-request-id'))) throw new Error('no line with the new id')
  })
  t.match(await (await get('coordinator', 'metrics')).json(), { status: 404, code: 'ROUTE_NOT_FOUND' }, 'no metrics')
  t.match(await (await get('coordinator', '/elsewhere')).json(), { status: 404, code: 'ROUTE_NOT_FOUND' })
  const bare = await get('coordinator', url.slice(0, -1), { redirect: 'manual' })
  t.match([bare.status, bare.headers.get('location')], [308, 'artifacts/'], 'no absolute redirect')
  const large = await get('coordinator', 'read?path=lines.txt', { method: 'POST', body: 'x'.repeat(5000) })
  t.match([large.status, (await large.json() as { code: string }).code], [413, 'MALFORMED_HTTP'])
  const long = await get('coordinator', `read?path=${'%41'.repeat(4096)}`)
  t.equal((await long.json() as { code: string }).code, 'INVALID_PATH', 'the longest path reaches the service')
  for (const path of ['%', '%ff', 'a%2f..%2fb']) {
    const response = await get('coordinator', `read?path=${path}`)
    t.equal(response.status, 400, `${path} is judged by the service, as it was sent`)
    t.match((await response.json() as { code: string }).code, /^INVALID_/)
  }
})

t.test('tokens whose scopes have nothing in common', async t => {
  const status = async (caller: keyof typeof CALLERS, path: string) => (await get(caller, `read?path=${path}`)).status
  t.equal(await status('alpha', 'alpha/a.txt'), 200)
  t.equal(await status('alpha', 'beta/b.txt'), 403)
  t.equal(await status('alpha', 'beta/missing.txt'), 403)
  t.equal(await status('beta', 'beta/b.txt'), 200)
  t.equal(await status('beta', 'common/s.txt'), 200)
  t.equal(await status('beta', 'alpha/a.txt'), 403)
  t.equal((await ledger.fetch(`${url}read?path=alpha/a.txt`)).status, 401)
  const tail = async (caller: keyof typeof CALLERS, path: string, method = 'POST') =>
    await (await get(caller, `tail?run=r&path=${path}`, { method })).json()
  t.match(await tail('coordinator', 'alpha/a.txt'), { seq: 1, created: true, content: 'a\n' })
  t.match(await tail('alpha', 'alpha/a.txt'), { seq: 1, created: true, content: 'a\n' }, 'a cursor of its own')
  t.match(await tail('beta', 'alpha/a.txt'), { code: 'PERMISSION_DENIED' })
  t.match(await tail('alpha', 'alpha/a.txt', 'DELETE'), { forgotten: 1 })
  t.match(await tail('coordinator', 'alpha/a.txt'), { seq: 1, created: false, content: '' }, 'not another\'s to forget')
})

t.test('a replica dies during a call: repeated if it is safe, and else not', async t => {
  const call = async (method: string, query: string, wait: number) => {
    const answer = get('coordinator', `tail?run=dies&path=empty.log&wait=${wait}${query}`, { method })
    const index = await eventually(async () => {
      const texts = await Promise.all(replicaUrls.map(scrape))
      const index = texts.findIndex(text => /^artifact_pager_tail_waiters 1$/m.test(text))
      if (index < 0) throw new Error('no replica has the call')
      return index
    })
    await replicas[index]!.end('SIGKILL')
    const response = await answer
    await replicas[index]!.start()
    return { status: response.status, body: await response.json() }
  }
  t.match(await call('POST', '&ack=0', 3), { status: 200, body: { content: '', unit: 'tail' } }, 'POST with ack')
  t.match(await call('GET', '', 3), { status: 200, body: { content: '', unit: 'tail' } }, 'GET')
  const lost = await call('POST', '', 3)
  t.match(lost, { status: 502, body: { code: 'BAD_GATEWAY', status: 502 } }, 'POST without ack')
})

t.test('one budget over both replicas', async t => {
  const before = await Promise.all(replicaUrls.map(scrape))
  // A few at a time: late by 200 ms, a replica takes Redis for dead and counts by itself.
  const answers: Response[] = []
  const ask = async (): Promise<void> => {
    while (sent++ < RATE_LIMIT + 50) answers.push(await get('burst', 'read?path=lines.txt'))
  }
  let sent = 0
  await Promise.all(Array.from({ length: 8 }, ask))
  const statuses = answers.map(({ status }) => status)
  t.equal(statuses.filter(status => status === 200).length, RATE_LIMIT)
  t.equal(statuses.filter(status => status === 429).length, 50)
  const refused = answers.find(({ status }) => status === 429)!
  t.match(await refused.json(), { code: 'RATE_LIMITED' })
  t.ok(Number(refused.headers.get('retry-after')) > 0)
  const after = await Promise.all(replicaUrls.map(scrape))
  const shares = after.map((text, index) => sumOf(text, LINE_PAGES) - sumOf(before[index]!, LINE_PAGES))
  t.ok(shares.every(share => share > 0), `both replicas had a share: ${shares.join(' and ')}`)
  t.equal((await get('reader', 'read?path=lines.txt')).status, 200, 'another caller has its own')
})

t.test('what is measured moves with what is asked', async t => {
  const refusals = /^artifact_pager_problems_total\{code="FILE_NOT_FOUND"\}/
  const [requestsBefore, refusalsBefore] = [await total(LINE_PAGES), await total(refusals)]
  const paths = Array.from({ length: 40 }, (_, index) => index % 4 === 0 ? 'missing' : 'lines.txt')
  await Promise.all(paths.map(async path => await get('reader', `read?path=${path}`)))
  t.equal(await total(LINE_PAGES) - requestsBefore, 30)
  t.equal(await total(refusals) - refusalsBefore, 10)
  const text = await scrape(replicaUrls[0]!)
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })
  t.equal(`${stdout}${stderr}`, '', 'promtool finds no fault')
  t.equal(status, 0)
  t.notMatch(text, /lines\.txt|evaluation|coordinator|alpha/, 'no path and no caller is told')
})

t.test('in all', async t => {
  t.strictSame(ledger.violations, [], 'no response exceeded its bound')
  t.comment(`${ledger.responses} responses, ${JSON.stringify(ledger.statuses)}, largest content ${JSON.stringify(ledger.largestContent)}`)
})
