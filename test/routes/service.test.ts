import path from 'node:path'
import t from 'tap'
import { Service, Status } from '../../schemas/service.js'
import { version } from '../../src/version.js'
import { ask, makeFolder, startService } from '../helpers/service.js'
import { closed, faultsOf } from './response-schemas.js'

const ROOT = makeFolder(t, { 'a.log': 'one\n' })

t.test('what it is, and its limits as numbers', async t => {
  const { url } = await startService(t, { ARTIFACT_ROOT: ROOT, READ_DEADLINE_MS: '1234', RATE_LIMIT_MAX: '56' })
  const { status, body } = await ask(`${url}/`)
  t.equal(status, 200)
  t.strictSame(faultsOf(closed(Service), body), [])
  t.strictSame(body, {
    name: 'artifact-pager',
    version,
    routes: body.routes,
    limits: {
      maxPathBytes: 4096,
      defaultLines: 200,
      maxLines: 500,
      maxLinePageBytes: 1_048_576,
      maxChars: 32_768,
      maxCharPageBytes: 32_768,
      defaultByteWindow: 40_960,
      maxByteWindow: 1_048_576,
      maxTailBytes: 32_768,
      maxWaitSeconds: 25,
      deadlineMs: 1234,
      requestsPerMinute: 56
    }
  })
  t.strictSame([...body.routes].sort(), [
    'DELETE /tail', 'GET /', 'GET /bytes', 'GET /livez', 'GET /metrics', 'GET /openapi.json', 'GET /read', 'GET /readyz', 'GET /tail', 'POST /tail'
  ])
  for (const route of body.routes as string[]) {
    const [method, target] = route.split(' ')
    t.not((await ask(url + target, { method: method! })).status, 404, route)
  }
})

t.test('probes', async t => {
  const { url, app } = await startService(t, { ARTIFACT_ROOT: ROOT })
  for (const probe of ['livez', 'readyz']) {
    const { status, body } = await ask(`${url}/${probe}`)
    t.equal(status, 200)
    t.strictSame(faultsOf(closed(Status), body), [])
  }
  app.drain()
  const ready = await ask(`${url}/readyz`)
  t.match(ready, { status: 503, body: { code: 'NOT_READY' } })
  t.match(ready.headers.get('retry-after'), /^[1-9]\d*$/)
  t.equal((await ask(`${url}/livez`)).status, 200, 'the process is alive all the same')
  t.equal((await ask(`${url}/read?path=a.log`)).status, 200, 'and serves what still comes')
})

t.test('not ready when the root\'s name leads elsewhere, and no path of it is told', async t => {
  const { default: fs } = await import('node:fs')
  const parent = makeFolder(t, { 'root/a.log': 'one\n' })
  const root = path.join(parent, 'root')
  const { url } = await startService(t, { ARTIFACT_ROOT: root })
  fs.renameSync(root, path.join(parent, 'moved'))
  const gone = await ask(`${url}/readyz`)
  t.match(gone, { status: 503, body: { code: 'NOT_READY' } })
  t.notOk(gone.text.includes(parent))
  fs.mkdirSync(root)
  t.equal((await ask(`${url}/readyz`)).status, 503)
  t.match(await ask(`${url}/read?path=a.log`), { status: 200, body: { content: 'one' } }, 'the held root goes on')
})

t.test('metrics tell of routes and codes, and hold no path, run or token', async t => {
  const { url } = await startService(t, { ARTIFACT_ROOT: ROOT })
  await ask(`${url}/read?path=a.log`)
  await ask(`${url}/read?path=secret-path.log`)
  await ask(`${url}/tail?run=secret-run&path=a.log`, { method: 'POST', headers: { authorization: 'Bearer secret-token' } })
  await ask(`${url}/secret-route`)
  const { status, headers, text } = await ask(`${url}/metrics`)
  t.equal(status, 200)
  t.match(headers.get('content-type'), /^text\/plain; ?version=0\.0\.4/)
  t.match(text, /artifact_pager_request_duration_seconds_count\{route="\/read",unit="lines",status="200"\} 1/)
  t.match(text, /artifact_pager_problems_total\{code="FILE_NOT_FOUND"\} 1/)
  t.match(text, /artifact_pager_problems_total\{code="ROUTE_NOT_FOUND"\} 1/)
  t.notMatch(text, /secret|a\.log/)
})
