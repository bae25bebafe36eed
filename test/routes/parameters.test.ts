import t, { type Test } from 'tap'
import { ask, makeFolder, startService } from '../helpers/service.js'
import { requestRaw } from '../helpers/raw-http.js'
import { problemFaults } from './response-schemas.js'

const MAX = Number.MAX_SAFE_INTEGER
/** By parameter: the least and the most. */
type Integers = Record<string, [number, number]>
interface Case {
  name: string
  method?: string
  route: string
  /** A query that is all right. */
  base: string
  integers: Integers
  booleans?: string[]
  choices?: string[]
  tokens?: string[]
}

const tail = { route: '/tail', base: 'run=r&path=a.log', integers: { maxBytes: [1, 32_768], wait: [0, 25] } as Integers }
const CASES: Case[] = [
  { name: 'lines', route: '/read', base: 'path=a.log', integers: { startLine: [1, MAX], maxLines: [1, 500], maxLineBytes: [1, 1_048_576] }, choices: ['format'] },
  { name: 'lines from a token', route: '/read', base: 'path=a.log&startLine=2', integers: {}, tokens: ['at'] },
  { name: 'characters', route: '/read', base: 'path=a.log', integers: { offsetChars: [0, MAX], limitChars: [1, 32_768] }, choices: ['format'] },
  { name: 'characters from a token', route: '/read', base: 'path=a.log&offsetChars=2', integers: {}, tokens: ['at'] },
  { name: 'around a line', route: '/read', base: 'path=a.log&aroundLine=1', integers: { maxLevels: [0, MAX], maxLines: [1, 500] }, booleans: ['includeSiblings', 'includeHeader'], choices: ['format'] },
  { name: 'anchor', route: '/read', base: 'path=a.log', integers: { aroundLine: [1, 1] } },
  { name: 'bytes', route: '/bytes', base: 'path=a.log', integers: { offset: [0, MAX], limit: [1, 1_048_576] }, choices: ['encoding', 'format'] },
  { name: 'tail', method: 'POST', ...tail, booleans: ['flush'], choices: ['from', 'format'], tokens: ['ack'] },
  { name: 'peek', ...tail, booleans: ['flush'], choices: ['from', 'format'] }
]

const NO_INTEGERS = ['0x10', '1e2', '01', '+1', ' 7', '7 ', '-1', '-0', '1.0', '1.', '.5', '1_0', '1,0', 'NaN', 'Infinity', '１', '9007199254740992', '1e999', 'null', '[1]', '"1"', '1\n', '1\0']
const NO_BOOLEANS = ['TRUE', 'True', '1', '0', 'yes', ' true', 'true ', 'null']
const NO_CHOICES = ['JSON', 'xml', 'json ', 'constructor', '__proto__', 'Start', 'UTF-8', 'utf8', 'latin1']
const NO_TOKENS = ['a b', 'a/b', 'é', '*', 'x'.repeat(513), '1l.1.1', '1l.9007199254740993.0.aaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaa.aaaaaaaa', '00']

const { url } = await startService(t, { ARTIFACT_ROOT: makeFolder(t, { 'a.log': 'one\ntwo\nthree\n', 'a b+c.log': 'plus\n' }) })

async function refused (t: Test, { method = 'GET', route }: Case, query: string, parameter: string, code = 'INVALID_REQUEST') {
  const answer = await ask(`${url}${route}?${query}`, { method })
  t.match(answer, { status: 400, body: { code, parameter } }, `${method} ${route}?${query.slice(0, 80)}`)
  t.strictSame(problemFaults(answer.body, 400), [])
}

for (const c of CASES) {
  t.test(`values of ${c.name}`, async t => {
    const refuse = (name: string, values: string[]) => Promise.all(
      values.map(value => refused(t, c, `${c.base}&${name}=${encodeURIComponent(value)}`, name))
    )
    for (const [name, [least, most]] of Object.entries(c.integers)) {
      await refuse(name, [...NO_INTEGERS, ...least > 0 ? [String(least - 1)] : []])
      if (most > 1 && most < MAX) await refuse(name, [String(most + 1)])
      for (const value of [least, most]) {
        // A run of its own: there is something to return, so nothing waits.
        const base = c.base.replace('run=r', `run=${c.name}.${name}.${value}`)
        const { status } = await ask(`${url}${c.route}?${base}&${name}=${value}`, { method: c.method ?? 'GET' })
        t.equal(status, 200, `${name}=${value}`)
      }
    }
    for (const name of c.booleans ?? []) await refuse(name, NO_BOOLEANS)
    for (const name of c.choices ?? []) await refuse(name, NO_CHOICES)
    for (const name of c.tokens ?? []) await refuse(name, NO_TOKENS)
    const names = [...Object.keys(c.integers), ...c.booleans ?? [], ...c.choices ?? [], ...c.tokens ?? []]
    await refuse(names[0]!, [''])
    for (const name of names) {
      await refused(t, c, `${c.base}&${name}=`, name)
      await refused(t, c, `${c.base}&${name}`, name)
    }
  })
}

const ROUTES = [...CASES, { name: 'forget', method: 'DELETE', route: '/tail', base: 'run=r', integers: {} }]
const SERVICE = ['/', '/openapi.json', '/livez', '/readyz', '/metrics'].map(route => ({ name: route, route, base: '', integers: {} }))

t.test('a parameter that no route, or only another one, has', async t => {
  for (const c of [...ROUTES, ...SERVICE]) {
    for (const name of ['nonsense', 'Path', 'path[]', 'constructor', '__proto__', 'toString', 'cursor']) {
      await refused(t, c, `${c.base}&${encodeURIComponent(name)}=1`, name)
    }
  }
  await refused(t, CASES[6]!, 'path=a.log&startLine=1', 'startLine')
  await refused(t, CASES[0]!, 'path=a.log&offset=1', 'offset')
  await refused(t, { ...CASES[8]!, method: 'GET' }, `${tail.base}&ack=0`, 'ack')
  await refused(t, ROUTES.at(-1)!, 'run=r&maxBytes=1', 'maxBytes')
})

t.test('a parameter twice, even with the same value', async t => {
  for (const c of ROUTES) {
    const [name] = c.base.split('=')
    await refused(t, c, `${c.base}&${c.base.split('&')[0]}`, name!)
  }
  await refused(t, CASES[0]!, 'path=a.log&startLine=1&startLine=1', 'startLine')
  await refused(t, CASES[0]!, 'path=a.log&start%4Cine=1&startLine=1', 'startLine')
})

t.test('a parameter that is missing', async t => {
  for (const c of ROUTES) await refused(t, c, '', c.base.split('=')[0]!)
  for (const c of CASES.filter(({ route }) => route === '/tail')) await refused(t, c, 'run=r', 'path')
})

t.test('an empty path is an invalid one', async t => {
  for (const c of ROUTES) {
    const query = c.base.includes('path=') ? c.base.replace('path=a.log', 'path=') : `${c.base}&path=`
    await refused(t, c, query, 'path', 'INVALID_PATH')
  }
})

t.test('runs', async t => {
  for (const run of ['', '.a', '-a', '_a', ':a', 'a b', 'a/b', 'é', 'a'.repeat(129), 'a\0', 'a\n']) {
    for (const method of ['POST', 'GET', 'DELETE']) {
      await refused(t, { ...CASES[8]!, method }, `run=${encodeURIComponent(run)}&path=a.log`, 'run')
    }
  }
  for (const run of ['a', '0', 'A.b_c:d-e', 'a'.repeat(128)]) {
    t.equal((await ask(`${url}/tail?run=${run}&path=a.log`)).status, 200, run)
  }
})

t.test('escapes are well formed, and the query is UTF-8', async t => {
  const malformed = ['%', '%4', '%zz', '%u0041', '%C3', '%C3%28', '%FF', '%ED%A0%80', '%C0%80', '%F4%90%80%80', '%E2%82']
  for (const c of ROUTES) {
    for (const text of malformed) {
      const value = await ask(`${url}${c.route}?path=a${text}`, { method: c.method ?? 'GET' })
      t.match(value, { status: 400, body: { code: 'INVALID_REQUEST', parameter: 'path' } }, `${c.name}: value ${text}`)
      const name = await ask(`${url}${c.route}?path=a.log&x${text}=1`, { method: c.method ?? 'GET' })
      t.match(name, { status: 400, body: { code: 'INVALID_REQUEST' } }, `${c.name}: name ${text}`)
      t.notOk('parameter' in name.body, 'its name cannot be told')
    }
  }
})

t.test('raw bytes that are no UTF-8, or are no characters of a URL', async t => {
  const { port } = new URL(url)
  for (const target of ['/read?path=a\xFF.log', '/read?path=a\xC3\x28', '/read?path=a"<>.log']) {
    const answer = await requestRaw(Number(port), 'GET', target)
    t.ok([400, 404].includes(answer.status), `${JSON.stringify(target)}: ${answer.status}`)
    t.strictSame(problemFaults(answer.json, answer.status), [])
  }
})

t.test('decoded exactly once, plus as a space', async t => {
  const plain = await ask(`${url}/read?path=a+b%2Bc.log`)
  t.match(plain, { status: 200, body: { path: 'a b+c.log', content: 'plus' } })
  t.match(await ask(`${url}/read?%70ath=%61.log&maxLines=%31`), { status: 200, body: { path: 'a.log', content: 'one' } })
  t.match(await ask(`${url}/read?path=a%2Elog`), { status: 200 })
  t.match(await ask(`${url}/read?path=a%252Elog`), { status: 404 }, 'a second decoding would find it')
  t.match(await ask(`${url}/read?path=%252e%252e/a.log`), { status: 404 }, 'a name, not a parent')
  t.match(await ask(`${url}/read?path=a%26startLine=9`), { status: 404 }, 'an escaped & separates nothing')
})

t.test('empty pairs are ignored', async t => {
  for (const query of ['&path=a.log', 'path=a.log&', '&&path=a.log&&&startLine=1&&']) {
    t.match(await ask(`${url}/read?${query}`), { status: 200 }, query)
  }
  t.match(await ask(`${url}/livez?`), { status: 200 })
  t.match(await ask(`${url}/livez?&&`), { status: 200 })
  t.match(await ask(`${url}/livez?=`), { status: 400, body: { parameter: '' } }, 'a pair of an empty name is a parameter')
})

t.test('several faults: one is named', async t => {
  const { body } = await ask(`${url}/read?startLine=0&maxLines=0&nonsense=1`)
  t.ok(['startLine', 'maxLines', 'nonsense', 'path'].includes(body.parameter), body.parameter)
})
