import t from 'tap'
import { ask, makeFolder, startService } from '../helpers/service.js'

const { url } = await startService(t, { ARTIFACT_ROOT: makeFolder(t, { 'a.py': 'def a():\n    b\n\nc\n' }) })

const LINES = { startLine: '1', maxLineBytes: '9' }
const CHARS = { offsetChars: '0', limitChars: '9' }
const BLOCK = { aroundLine: '1', maxLevels: '1', includeSiblings: 'true', includeHeader: 'false' }
/** Two groups of parameters of which none goes with one of the other. */
const STRANGERS: [Record<string, string>, Record<string, string>][] = [
  [LINES, CHARS], [LINES, BLOCK], [CHARS, BLOCK], [{ maxLines: '1' }, CHARS], [{ at: 'x' }, BLOCK]
]

t.test('each pair of parameters of two units is refused by the name of one of them', async t => {
  for (const [some, others] of STRANGERS) {
    for (const [one, value] of Object.entries(some)) {
      for (const [other, otherValue] of Object.entries(others)) {
        for (const query of [`${one}=${value}&${other}=${otherValue}`, `${other}=${otherValue}&${one}=${value}`]) {
          const { status, body } = await ask(`${url}/read?path=a.py&${query}`)
          t.match({ status, body }, { status: 400, body: { code: 'INVALID_REQUEST' } }, query)
          t.ok([one, other].includes(body.parameter), `${query}: ${body.parameter}`)
        }
      }
    }
  }
})

t.test('what goes together', async t => {
  for (const query of [
    'startLine=1&maxLines=1&maxLineBytes=9&format=json', 'offsetChars=1&limitChars=1&format=json',
    'aroundLine=1&maxLevels=1&includeSiblings=true&includeHeader=false&maxLines=2&format=json'
  ]) t.equal((await ask(`${url}/read?path=a.py&${query}`)).status, 200, query)
})

t.test('each parameter chooses its unit', async t => {
  for (const name of ['startLine', 'maxLines', 'maxLineBytes', 'aroundLine']) {
    t.equal((await ask(`${url}/read?path=a.py&${name}=1`)).body.unit, 'lines', name)
  }
  for (const name of ['offsetChars', 'limitChars']) {
    t.equal((await ask(`${url}/read?path=a.py&${name}=1`)).body.unit, 'chars', name)
  }
})

t.test('parameters that lack their companion', async t => {
  for (const query of ['maxLevels=1', 'includeSiblings=true', 'includeHeader=true', 'includeHeader=true&maxLines=1']) {
    const answer = await ask(`${url}/read?path=a.py&${query}`)
    t.match(answer, { status: 400, body: { code: 'INVALID_REQUEST', parameter: 'aroundLine' } }, query)
  }
  for (const query of ['at=x', 'at=x&maxLines=1', 'at=x&limitChars=1']) {
    const answer = await ask(`${url}/read?path=a.py&${query}`)
    t.match(answer, { status: 400, body: { code: 'INVALID_REQUEST', parameter: 'at' } }, query)
  }
})

t.test('a token is of its path, its unit, and not after the start', async t => {
  const lines = (await ask(`${url}/read?path=a.py&maxLines=2`)).body.next as string
  const chars = (await ask(`${url}/read?path=a.py&limitChars=2`)).body.next as string
  const [lineAt, charAt] = [lines, chars].map(next => new URLSearchParams(next.split('?')[1]).get('at'))
  t.equal((await ask(`${url}/read?path=./a.py&startLine=4&at=${lineAt}`)).body.content, 'c', 'a later start')
  for (const query of [
    `path=a.py&startLine=2&at=${lineAt}`, `path=b.py&startLine=3&at=${lineAt}`, `path=a.py&startLine=3&at=${charAt}`,
    `path=a.py&offsetChars=3&at=${lineAt}`, `path=a.py&offsetChars=1&at=${charAt}`
  ]) t.match(await ask(`${url}/read?${query}`), { status: 400, body: { parameter: 'at' } }, query)
})
