import http from 'node:http'
import t from 'tap'
import { requestRaw, sendRaw } from '../helpers/raw-http.js'
import { makeFolder, startService } from '../helpers/service.js'
import { problemFaults } from './response-schemas.js'

const { port } = await startService(t, { ARTIFACT_ROOT: makeFolder(t, { 'a.log': 'one\n' }) })
const ALLOWED: Record<string, string[]> = {
  '/': ['GET'],
  '/openapi.json': ['GET'],
  '/livez': ['GET'],
  '/readyz': ['GET'],
  '/metrics': ['GET'],
  '/read': ['GET'],
  '/bytes': ['GET'],
  '/tail': ['DELETE', 'GET', 'POST']
}
const METHODS = http.METHODS.filter(method => method !== 'CONNECT')

for (const [route, allowed] of Object.entries(ALLOWED)) {
  t.test(`${route} takes ${allowed.join(', ')} alone`, async t => {
    for (const method of METHODS.filter(method => !allowed.includes(method))) {
      const answer = await requestRaw(port, method, `${route}?path=a.log&nonsense=%zz`)
      t.equal(answer.status, 405, method)
      t.strictSame(answer.headers.allow?.split(', ').sort(), allowed, `${method}: Allow`)
      t.match(answer.headers, { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
      if (method === 'HEAD') {
        t.equal(answer.body, '', 'HEAD has no body')
      } else {
        t.equal(answer.json.code, 'METHOD_NOT_ALLOWED')
        t.strictSame(problemFaults(answer.json, 405), [])
      }
    }
  })
}

t.test('no other route, whatever the method', async t => {
  for (const route of ['/nonsense', '/read/', '/Read', '//read', '/read/a.log', '/read.json', '/tail/x', '/%72ead/', '/../read', '/read%2F', '/read%00', '/read;x=1', '/documentation/json', '/favicon.ico', '*']) {
    for (const method of ['GET', 'POST', 'HEAD', 'OPTIONS', 'PROPFIND']) {
      const answer = await requestRaw(port, method, `${route}?path=a.log`)
      t.equal(answer.status, 404, `${method} ${route}`)
      t.notOk('allow' in answer.headers)
      if (method === 'HEAD') continue
      t.equal(answer.json.code, 'ROUTE_NOT_FOUND')
      t.strictSame(problemFaults(answer.json, 404), [])
    }
  }
})

t.test('a path of a URL that cannot be decoded is no route', async t => {
  for (const route of ['/%', '/read%', '/%zz', '/read%FF', '/%C3%28']) {
    const answer = await requestRaw(port, 'GET', route)
    t.match(answer, { status: 404, headers: { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }, json: { code: 'ROUTE_NOT_FOUND' } }, route)
    t.strictSame(problemFaults(answer.json, 404), [])
  }
})

t.test('an escaped spelling of a route is that route', async t => {
  t.equal((await requestRaw(port, 'GET', '/re%61d?path=a.log')).status, 200)
  t.match(await requestRaw(port, 'PUT', '/re%61d?path=a.log'), { status: 405, headers: { allow: 'GET' } })
})

t.test('a method is refused before a body, a type or a parameter is looked at', async t => {
  for (const type of ['application/json', 'text/plain', 'nonsense', 'multipart/form-data']) {
    for (const [method, target, status] of [['POST', '/read', 405], ['PUT', '/bytes', 405], ['POST', '/nonsense', 404]] as const) {
      const head = `${method} ${target} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nContent-Length: 9\r\n\r\n`
      const [answer] = await sendRaw(port, `${head}{ broken `)
      t.match(answer, { status, headers: { connection: 'close' } }, `${method} ${target} ${type}`)
    }
  }
  const [large] = await sendRaw(port, `POST /read HTTP/1.1\r\nHost: a\r\nContent-Length: ${2 ** 31}\r\n\r\n`)
  t.equal(large!.status, 405, 'however large')
})

t.test('a tunnel is no route', async t => {
  const [answer] = await sendRaw(port, 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n')
  t.match(answer, { status: 404, headers: { 'cache-control': 'no-store' }, json: { code: 'ROUTE_NOT_FOUND' } })
})

t.test('a request for another protocol is served by this one', async t => {
  const answer = await requestRaw(port, 'GET', '/livez', ['Upgrade: websocket'])
  t.equal(answer.status, 200)
})
