import t from 'tap'
import { sendRaw } from '../helpers/raw-http.js'
import { makeFolder, startService } from '../helpers/service.js'
import { problemFaults } from './response-schemas.js'

const { port } = await startService(t, { ARTIFACT_ROOT: makeFolder(t, { 'a.log': 'one\n' }) })
const REQUESTS = [
  'GET /read?path=a.log', 'GET /bytes?path=a.log', 'GET /tail?run=r&path=a.log', 'POST /tail?run=r&path=a.log',
  'DELETE /tail?run=r', 'GET /', 'GET /openapi.json', 'GET /livez', 'GET /readyz', 'GET /metrics'
]
/** With a header for its length, and what is sent of it. */
const BODIES: Record<string, [string, string]> = {
  'of a given length': ['Content-Length: 2', '{}'],
  'in chunks': ['Transfer-Encoding: chunked', '2\r\n{}\r\n0\r\n\r\n'],
  'in no chunks': ['Transfer-Encoding: chunked', '0\r\n\r\n'],
  'of JSON': ['Content-Type: application/json\r\nContent-Length: 2', '{}'],
  'that does not come': ['Content-Length: 1000000', ''],
  'that is announced': ['Expect: 100-continue\r\nContent-Length: 5', '']
}

for (const [name, [header, body]] of Object.entries(BODIES)) {
  t.test(`a body ${name} is refused, and the connection with it`, async t => {
    for (const request of REQUESTS) {
      const answers = await sendRaw(port, `${request} HTTP/1.1\r\nHost: a\r\n${header}\r\n\r\n${body}`)
      const answer = answers.find(({ status }) => status >= 200)!
      t.match(answer, { status: 400, headers: { connection: 'close' }, json: { code: 'INVALID_REQUEST' } }, request)
      t.strictSame(problemFaults(answer.json, 400), [])
    }
  })
}

t.test('what follows a body that is refused is not taken for a request', async t => {
  const smuggled = 'GET /livez HTTP/1.1\r\nHost: a\r\n\r\n'
  const request = `GET /read?path=a.log HTTP/1.1\r\nHost: a\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`
  t.strictSame((await sendRaw(port, request)).map(({ status }) => status), [400])
})

t.test('a length of 0 is no body', async t => {
  for (const request of REQUESTS) {
    const head = `${request} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 0\r\n`
    for (const type of ['', 'Content-Type: application/json\r\n', 'Content-Type: nonsense\r\n']) {
      const [answer] = await sendRaw(port, `${head}${type}\r\n`)
      t.equal(answer!.status, 200, `${request} ${type}`)
    }
  }
})
