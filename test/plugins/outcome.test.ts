import { createHash } from 'node:crypto'
import fs from 'node:fs'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import t from 'tap'
import { buildApp } from '../../src/app.js'
import { readConfig } from '../../src/config.js'
import { requestRaw, sendRaw } from '../helpers/raw-http.js'
import { eventually } from '../helpers/redis.js'
import { makeFolder } from '../helpers/service.js'

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const root = makeFolder(t, { 'a.log': 'the-content of a file\nand-more\n' })
fs.writeFileSync(`${root}/sparse`, '')
fs.truncateSync(`${root}/sparse`, 2 ** 42)
const tokensFile = path.join(makeFolder(t), 'tokens.json')
const sha256 = createHash('sha256').update('the-token').digest('hex')
fs.writeFileSync(tokensFile, JSON.stringify([{ name: 'ci', sha256 }]))

const lines: Record<string, unknown>[] = []
const log = { write: (line: string) => { lines.push(JSON.parse(line)) } }
const config = readConfig({ ARTIFACT_ROOT: root, TOKENS_FILE: tokensFile, READ_DEADLINE_MS: '3000', LOG_LEVEL: 'trace' })
const { fastify } = await buildApp(config, {}, log)
await fastify.listen({ port: 0, host: '127.0.0.1' })
t.teardown(() => fastify.close())
const { port } = fastify.server.address() as AddressInfo

/** The lines that a request wrote. The response may be there before they are. */
async function linesOf (method: string, target: string, headers: string[] = []): Promise<Record<string, unknown>[]> {
  const id = `id-${lines.length}`
  await requestRaw(port, method, target, ['Authorization: Bearer the-token', `X-Request-Id: ${id}`, ...headers])
  const own = () => lines.filter(({ reqId }) => reqId === id)
  for (let tries = 0; own().length === 0 && tries < 2000; tries++) {
    await new Promise(resolve => setTimeout(resolve, 5))
  }
  return own()
}

t.test('one line a request, with what became of it', async t => {
  const cases: [string, string, object][] = [
    ['GET', '/read?path=./a.log', { route: '/read', status: 200, path: 'a.log', unit: 'lines', startByte: 0, endByte: 31 }],
    ['GET', '/bytes?path=a.log&limit=4', { route: '/bytes', status: 200, path: 'a.log', unit: 'bytes', startByte: 0, endByte: 4 }],
    ['GET', '/read?path=a.log&aroundLine=1', { route: '/read', status: 200, unit: 'block' }],
    ['POST', '/tail?run=the-run&path=a.log', { route: '/tail', status: 200, path: 'a.log', unit: 'tail' }],
    ['GET', '/read?path=missing.log', { route: '/read', status: 404, path: 'missing.log', code: 'FILE_NOT_FOUND' }],
    ['GET', '/read?path=a.log&x=1', { route: '/read', status: 400, code: 'INVALID_REQUEST' }],
    ['PUT', '/read', { status: 405, code: 'METHOD_NOT_ALLOWED' }],
    ['GET', '/nonsense', { route: null, status: 404, code: 'ROUTE_NOT_FOUND' }],
    ['GET', '/%zz', { route: null, status: 404, code: 'ROUTE_NOT_FOUND' }],
    ['GET', '/livez', { route: '/livez', status: 200 }]
  ]
  for (const [method, target, expected] of cases) {
    const own = await linesOf(method, target)
    t.equal(own.length, 1, `${method} ${target}: one line`)
    t.match(own[0], { msg: 'request', method, ...expected }, `${method} ${target}`)
  }
})

/** A metric of the service: the sum over the series whose labels hold `labels`. */
async function metricOf (name: string, labels: string): Promise<number> {
  const { body } = await requestRaw(port, 'GET', '/metrics')
  const series = body.split('\n').filter(line => line.startsWith(`artifact_pager_${name}{`) && line.includes(labels))
  return series.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

t.test('what is refused before it is a request of a route has its line and its count, too', async t => {
  const refused: [string, number, string][] = [
    ['GARBAGE\r\n\r\n', 400, 'MALFORMED_HTTP'],
    [`GET /livez HTTP/1.1\r\nHost: a\r\nX-A: ${'a'.repeat(16_500)}\r\n\r\n`, 431, 'MALFORMED_HTTP'],
    ['CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n', 404, 'ROUTE_NOT_FOUND'],
    ['GET /%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 404, 'ROUTE_NOT_FOUND']
  ]
  for (const [request, status, code] of refused) {
    const label = `code="${code}"`
    const before = await metricOf('problems_total', label)
    const [answer] = await sendRaw(port, request)
    t.match(answer, { status, json: { code } })
    const own = (): object[] => lines.filter(({ reqId }) => reqId === answer!.json.requestId)
    await eventually(async () => { if (own().length === 0) throw new Error('no line') })
    t.match(own(), [{ msg: 'request', level: 30, route: null, status, code }], request.slice(0, 20))
    t.equal(own().length, 1)
    t.equal(await metricOf('problems_total', label), before + 1)
  }
  const kept = await sendRaw(port, 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\nX-Request-Id: my-own\r\n\r\n')
  t.match(kept, [{ headers: { 'x-request-id': 'my-own' }, json: { requestId: 'my-own' } }])
})

t.test('a caller that leaves is one line, and nothing to worry about', async t => {
  const headers = { authorization: 'Bearer the-token', 'x-request-id': 'left' }
  const signal = AbortSignal.timeout(300)
  await t.rejects(fetch(`http://127.0.0.1:${port}/read?path=sparse&startLine=2`, { headers, signal }))
  const own = (): Record<string, unknown>[] => lines.filter(({ reqId }) => reqId === 'left')
  await eventually(async () => { if (own().length === 0) throw new Error('no line') })
  await new Promise(resolve => setTimeout(resolve, 100))
  t.match(own(), [{ level: 30, msg: 'caller gone', path: 'sparse' }])
  t.equal(own().length, 1)
})

t.test('what a scan has read counts, though it found nothing in time', async t => {
  const before = await metricOf('read_bytes_total', 'unit="lines"')
  const [line] = await linesOf('GET', '/read?path=sparse&startLine=2')
  t.match(line, { status: 422, code: 'READ_LIMIT_EXCEEDED', unit: 'lines' })
  const { bytesRead } = line as { bytesRead: number }
  t.ok(bytesRead > 65_536, `${bytesRead} bytes`)
  t.equal(await metricOf('read_bytes_total', 'unit="lines"'), before + bytesRead)
})

t.test('a trace context is passed on if it is one', async t => {
  t.match(await linesOf('GET', '/livez', [`traceparent: ${TRACEPARENT}`]), [{ traceparent: TRACEPARENT }])
  const [line] = await linesOf('GET', '/livez', ['traceparent: nonsense'])
  t.notOk('traceparent' in line!)
})

t.test('no content, no token, no root, no query', async t => {
  const { length } = lines
  await linesOf('GET', '/read?path=a.log&format=text')
  await linesOf('GET', `/read?path=${root}/a.log`)
  await linesOf('GET', '/read?path=/etc/the-secret')
  const text = JSON.stringify(lines)
  t.ok(lines.length >= length + 3)
  for (const secret of ['the-content', 'and-more', 'the-token', sha256.slice(0, 12), root, 'the-secret', 'the-run', 'Bearer', '1t.']) {
    t.notOk(text.includes(secret), secret)
  }
})
