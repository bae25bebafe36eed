import t from 'tap'
import { EXAMPLES } from '../../schemas/examples/index.js'
import { FIXTURES } from '../helpers/project.js'
import { ask, startService } from '../helpers/service.js'

/** What differs from one copy of the fixtures, or one request, to the next. */
function normalised (body: unknown): unknown {
  const text = JSON.stringify(body)
    .replace(/"modifiedAt":"[^"]+"/g, '"modifiedAt":"…"')
    .replace(/"generation":"[^"]+"/g, '"generation":"…"')
    .replace(/"requestId":"[^"]+"/g, '"requestId":"…"')
    // A slow machine starts its lanes slowly.
    .replace(/"deadlineMs":\d+/g, '"deadlineMs":0')
    // In a token: the identity of the file.
    .replace(/(1[lmct]\.\d+\.\d+\.)[\w-]{16}/g, '$1…')
  return JSON.parse(text)
}

t.test('every example in the description is what the service answers', async t => {
  const { url: base } = await startService(t, { ARTIFACT_ROOT: FIXTURES, RATE_LIMIT_MAX: '' })
  for (const { name, operationId, method, url, status, type, body } of EXAMPLES) {
    const answer = await ask(base + url, { method })
    t.equal(answer.status, status, `${operationId} ${name}: status`)
    t.equal(answer.headers.get('content-type')?.split(';')[0], type, `${operationId} ${name}: type`)
    t.strictSame(normalised(answer.body ?? answer.text), normalised(body), `${operationId} ${name}: body`)
  }
})

t.test('each operation has examples, but those that answer with themselves or with measurements', async t => {
  const { url } = await startService(t, { ARTIFACT_ROOT: import.meta.dirname })
  const { body } = await ask(`${url}/openapi.json`)
  const operations = Object.values<Record<string, { operationId: string }>>(body.paths)
    .flatMap(item => Object.values(item))
  const without = operations.map(({ operationId }) => operationId)
    .filter(operationId => !EXAMPLES.some(example => example.operationId === operationId))
  t.strictSame(without.sort(), ['metrics', 'openapi'])
})
