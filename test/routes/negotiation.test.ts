import t, { type Test } from 'tap'
import { ask, makeFolder, startService, type Answer } from '../helpers/service.js'
import { requestRaw } from '../helpers/raw-http.js'

const ROOT = makeFolder(t, { 'a.log': 'one\ntwo\r\nthree\xff\n', 'no-end.log': 'one\ntwo', 'b.log': 'x' })
const { url, port } = await startService(t, { ARTIFACT_ROOT: ROOT })

const ACCEPTS: [string, 'json' | 'text'][] = [
  ['', 'json'],
  ['*/*', 'json'],
  ['application/json', 'json'],
  ['application/*', 'json'],
  ['text/plain', 'text'],
  ['text/*', 'text'],
  ['TEXT/PLAIN', 'text'],
  ['text/plain; charset=utf-8', 'text'],
  ['text/plain, application/json', 'text'],
  ['application/json, text/plain', 'json'],
  ['text/plain, */*', 'text'],
  ['*/*, text/plain', 'json'],
  ['text/plain;q=0.5, */*;q=0.8', 'json'],
  ['text/plain;q=0.5, */*;q=0.1', 'text'],
  ['application/json;q=0.5, text/plain;q=0.6', 'text'],
  ['application/json;q=0.5 , text/plain ; q=0.4', 'json'],
  ['text/plain;q=0', 'json'],
  ['text/plain;q=0, text/*', 'json'],
  ['text/*;q=0.9, text/plain;q=0.1, application/json;q=0.5', 'json'],
  ['text/html', 'json'],
  ['text/html, text/plain;q=0.1', 'text'],
  ['text/plain;q=1.000', 'text'],
  ['text/plain;q=2', 'json'],
  ['text/plain;q=x', 'json'],
  ['application/problem+json', 'json'],
  ['nonsense', 'json'],
  [',,', 'json'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'json']
]
const TARGETS = ['/read?path=a.log', '/read?path=a.log&limitChars=3', '/read?path=a.log&aroundLine=1', '/bytes?path=a.log', '/tail?run=r&path=a.log']
const TYPES = { json: 'application/json; charset=utf-8', text: 'text/plain; charset=utf-8' }

t.test('Accept', async t => {
  for (const target of TARGETS) {
    for (const [accept, format] of ACCEPTS) {
      const answer = await requestRaw(port, 'GET', target, [`Accept: ${accept}`])
      t.match(answer, { status: 200, headers: { 'content-type': TYPES[format] } }, `${target} ${accept}`)
    }
    t.equal((await requestRaw(port, 'GET', target)).headers['content-type'], TYPES.json, 'none')
    t.equal((await requestRaw(port, 'GET', target, ['Accept: text/plain;q=0.1', 'Accept: application/json;q=0'])).headers['content-type'], TYPES.text, 'two headers')
  }
})

t.test('format goes before Accept', async t => {
  for (const target of TARGETS) {
    t.equal((await requestRaw(port, 'GET', `${target}&format=json`, ['Accept: text/plain'])).headers['content-type'], TYPES.json)
    t.equal((await requestRaw(port, 'GET', `${target}&format=text`, ['Accept: application/json'])).headers['content-type'], TYPES.text)
  }
})

t.test('bytes that are no text', async t => {
  for (const encoding of ['base64', 'hex']) {
    const answer = await ask(`${url}/bytes?path=a.log&encoding=${encoding}`, { headers: { accept: 'text/plain' } })
    t.match(answer, { status: 200, body: { encoding, replacements: 0 } })
    t.equal(answer.headers.get('content-type'), TYPES.json)
    t.match(await ask(`${url}/bytes?path=a.log&encoding=${encoding}&format=text`), { status: 400, body: { code: 'INVALID_REQUEST', parameter: 'format' } })
    t.match(await ask(`${url}/bytes?path=a.log&encoding=${encoding}&format=json`), { status: 200 })
  }
})

t.test('problems are JSON, whatever is accepted', async t => {
  const answer = await ask(`${url}/read?path=missing.log&format=text`, { headers: { accept: 'text/plain' } })
  t.match(answer, { status: 404, body: { code: 'FILE_NOT_FOUND' } })
  t.match(answer.headers.get('content-type'), /^application\/problem\+json/)
})

/** The metadata of a page in JSON, as the headers of the same page in text tell it. */
function headersOf ({ body }: Answer): Record<string, string> {
  return {
    'artifact-unit': body.unit,
    'artifact-start-byte': String(body.startByte),
    'artifact-end-byte': String(body.endByte),
    'artifact-size': String(body.file.size),
    'artifact-eof': String(body.eof),
    'artifact-replacements': String(body.replacements),
    ...body.unit === 'tail'
      ? {
          'artifact-seq': String(body.seq),
          ...body.cursor === null ? {} : { 'artifact-cursor': body.cursor },
          'artifact-created': String(body.created),
          'artifact-replayed': String(body.replayed),
          'artifact-more': String(body.more),
          'artifact-pending-bytes': String(body.pendingBytes),
          'artifact-held-bytes': String(body.heldBytes),
          ...body.reset === null ? {} : { 'artifact-reset': `${body.reset.reason}; from=${body.reset.fromByte}` }
        }
      : {}
  }
}

function sameMetadata (t: Test, json: Answer, text: Answer, name: string): void {
  const artifact = Object.fromEntries([...text.headers].filter(([header]) => header.startsWith('artifact-')))
  t.strictSame(artifact, headersOf(json), `${name}: headers`)
  t.notOk([...json.headers.keys()].some(header => header.startsWith('artifact-')), `${name}: JSON has them in the body`)
}

t.test('text has in headers what JSON has in members', async t => {
  for (const target of [
    ...TARGETS, '/read?path=a.log&maxLines=1', '/read?path=a.log&startLine=9', '/read?path=no-end.log&startLine=2',
    '/bytes?path=a.log&offset=2&limit=3', '/bytes?path=a.log&offset=99'
  ]) {
    const [json, text] = [await ask(`${url}${target}&format=json`), await ask(`${url}${target}&format=text`)]
    sameMetadata(t, json, text, target)
    const { content, unit, endsWithNewline } = json.body
    t.equal(text.text, content + (unit === 'lines' && endsWithNewline ? '\n' : ''), `${target}: body`)
    const links = [json, text].map(({ headers }) => headers.get('link'))
    const expected = typeof json.body.next === 'string' ? `<${json.body.next}>; rel="next"` : null
    t.equal(links[0], expected, `${target}: Link`)
    t.equal(links[1], expected?.replace('format=json', 'format=text') ?? null, `${target}: Link in text`)
  }
})

t.test('a reset, in both forms', async t => {
  const { default: fs } = await import('node:fs')
  for (const run of ['json', 'text']) await ask(`${url}/tail?run=${run}&path=b.log`, { method: 'POST' })
  fs.writeFileSync(`${ROOT}/b.log`, 'y')
  const [json, text] = [
    await ask(`${url}/tail?run=json&path=b.log`, { method: 'POST' }),
    await ask(`${url}/tail?run=text&path=b.log&format=text`, { method: 'POST' })
  ]
  t.equal(text.headers.get('artifact-reset'), 'rewritten; from=1')
  t.strictSame(json.body.reset, { reason: 'rewritten', fromByte: 1 })
  t.equal(text.text, 'y')
})

t.test('headers of every response', async t => {
  for (const target of [...TARGETS, '/', '/openapi.json', '/livez', '/readyz', '/metrics', '/nonsense', '/read', '/read?path=missing']) {
    const { headers, body, text } = await ask(url + target)
    t.equal(headers.get('cache-control'), 'no-store', target)
    t.equal(headers.get('x-content-type-options'), 'nosniff', target)
    t.match(headers.get('x-request-id'), /^[\w.-]{1,128}$/, target)
    if (headers.get('content-type')?.includes('problem')) t.equal(body.requestId, headers.get('x-request-id'), target)
    t.notOk(text.includes(ROOT), `${target}: the root's path is nobody's business`)
  }
})
