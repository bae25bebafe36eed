import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { requestRaw } from '../helpers/raw-http.js'
import { makeFolder, startService } from '../helpers/service.js'

const root = makeFolder(t, { 'in/a.log': 'one\n', 'b.log': 'two\n' })
const tokensFile = path.join(makeFolder(t), 'tokens.json')
const sha256 = createHash('sha256').update('secret').digest('hex')
fs.writeFileSync(tokensFile, JSON.stringify([{ name: 'some', sha256, paths: ['in'] }]))
const { port } = await startService(t, { ARTIFACT_ROOT: root, TOKENS_FILE: tokensFile, RATE_LIMIT_MAX: '40' })
const token = 'Authorization: Bearer secret'
const BODY = ['Content-Length: 3']

/** Each request breaks the rule it is answered for and every later one. */
const REFUSALS: [string, string, string[], number, string][] = [
  ['PUT', '/nonsense?x=%zz', BODY, 404, 'ROUTE_NOT_FOUND'],
  ['PUT', '/read?x=%zz', BODY, 405, 'METHOD_NOT_ALLOWED'],
  ['HEAD', '/read?x=%zz', BODY, 405, ''],
  ['GET', '/read?x=%zz', BODY, 401, 'UNAUTHORIZED'],
  ['GET', '/read?path=b.log', [], 401, 'UNAUTHORIZED'],
  ['GET', '/read?path=b.log&startLine=0', [token, ...BODY], 400, 'INVALID_REQUEST'],
  ['GET', '/read?path=b.log&startLine=0', [token], 400, 'INVALID_REQUEST'],
  ['GET', '/read?path=/etc/passwd&startLine=1&limitChars=1', [token], 400, 'INVALID_REQUEST'],
  ['GET', '/read?path=/etc/passwd&maxLevels=1', [token], 400, 'INVALID_REQUEST'],
  ['GET', '/read?path=/etc/passwd&at=x', [token], 400, 'INVALID_REQUEST'],
  ['GET', '/read?path=b.log&startLine=1&at=x', [token], 400, 'INVALID_REQUEST'],
  ['GET', '/bytes?path=/etc/passwd&encoding=hex&format=text', [token], 400, 'INVALID_REQUEST'],
  ['POST', '/tail?run=r&path=b.log&ack=x', [token], 400, 'INVALID_REQUEST'],
  ['GET', '/read?path=../b.log', [token], 400, 'INVALID_PATH'],
  ['GET', '/read?path=/etc/../b.log', [token], 400, 'INVALID_PATH'],
  ['GET', '/read?path=/etc/passwd', [token], 403, 'PATH_OUTSIDE_ROOT'],
  ['GET', '/read?path=b.log', [token], 403, 'PERMISSION_DENIED'],
  ['GET', '/read?path=missing.log', [token], 403, 'PERMISSION_DENIED'],
  ['GET', '/read?path=in/missing.log', [token], 404, 'FILE_NOT_FOUND'],
  ['GET', '/read?path=in', [token], 422, 'NOT_A_FILE'],
  ['GET', '/read?path=in/a.log', [token], 200, '']
]

t.test('refusals in their order', async t => {
  for (const [method, target, headers, status, code] of REFUSALS) {
    const answer = await requestRaw(port, method, target, headers)
    t.equal(answer.status, status, `${method} ${target}`)
    t.equal(answer.json?.code ?? '', code, `${method} ${target}: code`)
  }
})

t.test('with the rate used up', async t => {
  const unknown = 'Authorization: Bearer nobody'
  while ((await requestRaw(port, 'GET', '/read?x=%zz', [unknown])).status !== 429);
  for (const [method, target, headers, status] of REFUSALS.filter(([,, headers]) => !headers.includes(token))) {
    const answer = await requestRaw(port, method, target, headers)
    t.equal(answer.status, [404, 405].includes(status) ? status : 429, `${method} ${target}`)
  }
})
