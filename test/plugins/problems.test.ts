import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { requestRaw, sendRaw, type RawAnswer } from '../helpers/raw-http.js'
import { eventually } from '../helpers/redis.js'
import { connectBare } from '../helpers/sockets.js'
import { makeFolder, startService } from '../helpers/service.js'
import { problemFaults } from '../routes/response-schemas.js'

const root = makeFolder(t, { 'a.log': 'one\n' })
const { port } = await startService(t, { ARTIFACT_ROOT: root })

/** What every problem has, whoever found it. */
function isProblem (t: Test, answer: RawAnswer | undefined, status: number, code: string, name: string): void {
  t.match(answer, {
    status,
    headers: {
      'content-type': /^application\/problem\+json/,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': /^[A-Za-z0-9._-]{1,128}$/
    },
    json: { code }
  }, name)
  t.strictSame(problemFaults(answer!.json, status), [], `${name}: schema`)
  t.equal(answer!.json.requestId, answer!.headers['x-request-id'], `${name}: requestId`)
  t.notOk(answer!.body.includes(root) || /\bat .*:\d+:\d+/.test(answer!.body), `${name}: no root, no stack`)
}

const MALFORMED: Record<string, string> = {
  'no HTTP': 'hello\r\n\r\n',
  TLS: '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n',
  'no such method': 'NONSENSE /read HTTP/1.1\r\nHost: a\r\n\r\n',
  'a method in lower case': 'get /livez HTTP/1.1\r\nHost: a\r\n\r\n',
  'no such version': 'GET /livez HTTP/7.3\r\nHost: a\r\n\r\n',
  'HTTP/2 by prior knowledge': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'a version that the parser lets through': 'GET /livez HTTP/2.0\r\nHost: a\r\n\r\n',
  'no version': 'GET /livez\r\nHost: a\r\n\r\n',
  'a space in the target': 'GET /read?path=a b HTTP/1.1\r\nHost: a\r\n\r\n',
  'a control character in the target': 'GET /read?path=a\x01b HTTP/1.1\r\nHost: a\r\n\r\n',
  'no slash at the start': 'GET read?path=a HTTP/1.1\r\nHost: a\r\n\r\n',
  'a header without a colon': 'GET /livez HTTP/1.1\r\nHost: a\r\nnonsense\r\n\r\n',
  'a space before the colon': 'GET /livez HTTP/1.1\r\nHost : a\r\n\r\n',
  'a folded header': 'GET /livez HTTP/1.1\r\n Host: a\r\n\r\n',
  'a control character in a header': 'GET /livez HTTP/1.1\r\nHost: a\r\nX-A: a\x00b\r\n\r\n',
  'a length that is no number': 'GET /livez HTTP/1.1\r\nHost: a\r\nContent-Length: two\r\n\r\n',
  'a negative length': 'GET /livez HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n',
  'two lengths': 'GET /livez HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
  'a length and chunks': 'POST /tail HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
  'no Host': 'GET /livez HTTP/1.1\r\n\r\n',
  'no Host on no route': 'GET /nonsense HTTP/1.1\r\nConnection: close\r\n\r\n'
}

for (const [name, request] of Object.entries(MALFORMED)) {
  t.test(`malformed: ${name}`, async t => {
    const answers = await sendRaw(port, Buffer.from(request, 'latin1'), { half: true })
    isProblem(t, answers[0], 400, 'MALFORMED_HTTP', name)
    t.equal(answers.length, 1)
  })
}

t.test('a head over 16 KiB', async t => {
  for (const [name, head] of Object.entries({
    'in a header': `GET /livez HTTP/1.1\r\nHost: a\r\nX-A: ${'a'.repeat(16_500)}\r\n\r\n`,
    'in many headers': `GET /livez HTTP/1.1\r\nHost: a\r\n${'X-A: 0123456789\r\n'.repeat(1500)}\r\n`,
    'in the target': `GET /read?path=${'a'.repeat(16_500)} HTTP/1.1\r\nHost: a\r\n\r\n`,
    'on no route': `GET /${'a'.repeat(16_500)} HTTP/1.1\r\nHost: a\r\n\r\n`
  })) isProblem(t, (await sendRaw(port, head)).at(-1), 431, 'MALFORMED_HTTP', name)
})

t.test('the longest path fits, each byte of it escaped', async t => {
  const component = '/' + 'é'.repeat(127)
  const path = component.repeat(16) + '/' + 'a'.repeat(15)
  t.equal(Buffer.byteLength(path), 4096)
  const escaped = [...Buffer.from(path)].map(byte => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
  const at = `at=${'a'.repeat(512)}`
  const relative = await requestRaw(port, 'GET', `/read?startLine=1&${at}&path=${escaped}`, [`Authorization: Bearer ${'a'.repeat(512)}`])
  // Syntax is judged first, and there is nothing wrong with it but that it is absolute and elsewhere.
  t.equal(relative.json.code, 'PATH_OUTSIDE_ROOT')
  const missing = await requestRaw(port, 'GET', `/read?path=${escaped.replace('%2F', '%2E%2F').slice(0, -3)}`)
  t.equal(missing.json.code, 'FILE_NOT_FOUND')
  const longer = await requestRaw(port, 'GET', `/read?path=${escaped}%61`)
  t.match(longer, { status: 400, json: { code: 'INVALID_PATH', parameter: 'path' } })
})

t.test('a head that is not complete is closed with 408', async t => {
  const { app, port } = await startService(t, { ARTIFACT_ROOT: root })
  app.fastify.server.headersTimeout = 100
  const [answer] = await sendRaw(port, 'GET /livez HTTP/1.1\r\nHost: a\r\n')
  isProblem(t, answer, 408, 'MALFORMED_HTTP', 'head')
})

t.test('HTTP/1.0 is understood, without a Host too', async t => {
  for (const head of ['GET /livez HTTP/1.0\r\n\r\n', 'GET /livez HTTP/1.0\r\nHost: a\r\n\r\n']) {
    t.match(await sendRaw(port, head), [{ status: 200, json: { status: 'alive' } }])
  }
})

t.test('a target in absolute form', async t => {
  t.match(await requestRaw(port, 'GET', 'http://example.org/read?path=a.log'), { status: 200, json: { content: 'one' } })
  t.match(await requestRaw(port, 'PUT', 'http://example.org/read?path=a.log'), { status: 405, headers: { allow: 'GET' } })
  t.match(await requestRaw(port, 'GET', 'http://example.org/nonsense'), { status: 404 })
})

t.test('an expectation is nothing to refuse', async t => {
  t.match(await requestRaw(port, 'GET', '/livez', ['Expect: nonsense']), { status: 200 })
  const answers = await sendRaw(port, 'GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: 100-continue\r\n\r\n')
  t.equal(answers.at(-1)!.status, 200)
})

t.test('pipelined requests are answered in their order', async t => {
  const targets = ['/read?path=a.log', '/nonsense', '/bytes?path=a.log&encoding=hex', '/read', '/livez']
  const requests = targets.map(target => `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`).join('')
  const answers = await sendRaw(port, `${requests}GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
  t.match(answers, [
    { status: 200, json: { unit: 'lines' } }, { status: 404 }, { status: 200, json: { unit: 'bytes', content: '6f6e650a' } },
    { status: 400, json: { code: 'INVALID_REQUEST' } }, { status: 200, json: { status: 'alive' } }, { status: 200, json: { name: 'artifact-pager' } }
  ])
})

t.test('X-Request-Id is kept if it is safe, else replaced', async t => {
  for (const id of ['a', 'A-b_c.9', 'x'.repeat(128)]) {
    const answer = await requestRaw(port, 'GET', '/nonsense', [`X-Request-Id: ${id}`])
    t.equal(answer.headers['x-request-id'], id)
    t.equal(answer.json.requestId, id)
  }
  for (const header of ['', 'a b', 'a"b', 'x'.repeat(129), 'é', 'a,b', 'a\r\nX-Request-Id: b']) {
    const answer = await requestRaw(port, 'GET', '/livez', [`X-Request-Id: ${header}`])
    t.match(answer.headers['x-request-id'], /^[0-9a-f-]{36}$/, JSON.stringify(header))
  }
  const [one, other] = [await requestRaw(port, 'GET', '/livez'), await requestRaw(port, 'GET', '/livez')]
  t.not(one.headers['x-request-id'], other.headers['x-request-id'])
})

const BARE: Record<string, string> = {
  'a CONNECT': 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n', 'no HTTP': 'hello\r\n\r\n'
}

for (const [name, request] of Object.entries(BARE)) {
  t.test(`answered on the bare socket: ${name}`, async t => {
    const { port, app } = await startService(t, { ARTIFACT_ROOT: root })
    await t.test('a peer that resets the connection ends nothing', async t => {
      for (let times = 0; times < 20; times++) {
        const { socket, closed } = await connectBare(t, port, request)
        await new Promise(resolve => setTimeout(resolve, times))
        socket.resetAndDestroy()
        await closed
      }
      t.equal((await requestRaw(port, 'GET', '/livez')).status, 200)
    })
    await t.test('a peer that stays is closed, whether it is silent or goes on', async t => {
      const silent = await connectBare(t, port, request)
      const chatty = await connectBare(t, port, request)
      const chatter = setInterval(() => { if (chatty.socket.writable) chatty.socket.write('more') }, 100)
      t.teardown(() => clearInterval(chatter))
      for (const { socket } of [silent, chatty]) socket.allowHalfOpen = true
      const { server } = app.fastify
      await eventually(async () => {
        if (await promisify(server.getConnections.bind(server))() > 0) throw new Error('connections are open')
      })
      t.pass()
    })
  })
}

t.test('the service goes on after all this', async t => {
  t.equal((await requestRaw(port, 'GET', '/read?path=a.log')).status, 200)
})
