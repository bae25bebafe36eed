import { createHash } from 'node:crypto'
import fs from 'node:fs'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import t from 'tap'
import { buildApp } from '../../src/app.js'
import { readConfig } from '../../src/config.js'
import { requestRaw } from '../helpers/raw-http.js'
import { makeFolder } from '../helpers/service.js'

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const root = makeFolder(t, { 'a.log': 'the-content of a file\nand-more\n' })
const tokensFile = path.join(makeFolder(t), 'tokens.json')
const sha256 = createHash('sha256').update('the-token').digest('hex')
fs.writeFileSync(tokensFile, JSON.stringify([{ name: 'ci', sha256 }]))

const lines: Record<string, unknown>[] = []
const log = { write: (line: string) => { lines.push(JSON.parse(line)) } }
const config = readConfig({ ARTIFACT_ROOT: root, TOKENS_FILE: tokensFile, READ_DEADLINE_MS: '60000', LOG_LEVEL: 'trace' })
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
