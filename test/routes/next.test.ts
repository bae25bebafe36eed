import t from 'tap'
import { ask, makeFolder, startService } from '../helpers/service.js'
import { pageFaults } from './response-schemas.js'

const long = 'é😀x'.repeat(200_000)
const { url } = await startService(t, {
  ARTIFACT_ROOT: makeFolder(t, {
    'a b/ü&#?%.log': 'one\ntwo\nthree\nfour\n',
    'long.log': `first\n${long}\nlast\n`,
    'wide.log': Buffer.from(`\uFEFFshort\n${'wïde '.repeat(60)}\nend\n`, 'utf16le'),
    'block.py': 'def a():\n    b\n\n\ndef c():\n    d\n'
  })
})
const path = 'path=a%20b/%C3%BC%26%23%3F%25.log'

t.test('next repeats every parameter but the position', async t => {
  const cases: [string, string, Record<string, string>][] = [
    ['read', `${path}&startLine=2&maxLines=1&maxLineBytes=9&format=json`, { startLine: '3', maxLines: '1', maxLineBytes: '9', format: 'json' }],
    ['read', `${path}&maxLines=1&format=text`, { startLine: '2', maxLines: '1', format: 'text' }],
    ['read', `${path}&offsetChars=2&limitChars=3&format=json`, { offsetChars: '5', limitChars: '3', format: 'json' }],
    ['read', `${path}&limitChars=3`, { offsetChars: '3', limitChars: '3' }],
    ['bytes', `${path}&offset=1&limit=4&encoding=hex&format=json`, { offset: '5', limit: '4', encoding: 'hex', format: 'json' }],
    ['bytes', `${path}&limit=4`, { offset: '4', limit: '4' }],
    ['read', 'path=block.py&aroundLine=2&includeHeader=false&maxLines=2&format=json', { startLine: '3', maxLines: '2', format: 'json' }]
  ]
  for (const [route, query, expected] of cases) {
    const { headers } = await ask(`${url}/${route}?${query}`)
    const next = /^<([^>]*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1] ?? ''
    t.match(next, new RegExp(`^${route}\\?`), `${query}: relative`)
    const { at, path: repeated, ...parameters } = Object.fromEntries(new URLSearchParams(next.split('?')[1]))
    t.strictSame(parameters, expected, query)
    t.equal(repeated, query.startsWith(path) ? 'a b/ü&#?%.log' : 'block.py')
    t.equal(at !== undefined, route === 'read', `${query}: at`)
    t.equal((await ask(`${url}/${next}`)).status, 200, next)
  }
})

t.test('no next at the end', async t => {
  for (const target of ['read', 'read?startLine=9', 'read?limitChars=99', 'bytes', 'bytes?offset=99']) {
    const [route, query = ''] = target.split('?')
    const { body, headers } = await ask(`${url}/${route}?${path}&${query}`)
    t.match(body, { eof: true, next: null }, target)
    t.notOk(headers.has('link'))
  }
})

t.test('what next of a line that is too long reads is the line, and the rest of the file', async t => {
  for (const query of ['startLine=2', 'aroundLine=2', 'startLine=2&maxLines=1&format=json']) {
    const refusal = await ask(`${url}/read?path=long.log&${query}`)
    t.match(refusal, { status: 422, body: { code: 'READ_LIMIT_EXCEEDED', reason: 'line-too-long', line: 2, startByte: 6 } }, query)
    let content = ''
    for (let next: string | null = refusal.body.next; next !== null;) {
      const { body } = await ask(`${url}/${next}`)
      t.strictSame(pageFaults(body), [])
      content += body.content
      next = body.next
    }
    t.equal(content, `${long}\nlast\n`)
  }
  const asText = await ask(`${url}/read?path=long.log&startLine=2&format=text`)
  const text = await ask(`${url}/${asText.body.next}`)
  t.match(text.headers.get('content-type'), /^text\/plain/)
  t.ok(long.startsWith(text.text))
  t.match(await ask(`${url}/read?path=long.log`), { status: 200, body: { lineCount: 1, truncatedBy: 'bytes', nextStartLine: 2 } }, 'the lines before it are read')
})

t.test('what next of a clipped line reads is the omitted part', async t => {
  for (const [file, least] of [['long.log', 1], ['long.log', 1000], ['wide.log', 1], ['wide.log', 3], ['wide.log', 10]] as const) {
    const whole = file === 'long.log' ? ['first', long, 'last'] : ['short', 'wïde '.repeat(60), 'end']
    const { body } = await ask(`${url}/read?path=${file}&maxLineBytes=${least}`)
    t.strictSame(pageFaults(body), [])
    const lines: string[] = body.content.split('\n')
    for (const { line, next, omittedStart, omittedEnd, omittedBytes } of body.clippedLines) {
      t.equal(omittedEnd - omittedStart + 1, omittedBytes)
      let omitted = ''
      // The window may be smaller than what is omitted: then it goes on with the rest of the file.
      for (let link = next; link !== null && omitted.length < whole[line - 1]!.length;) {
        const page = (await ask(`${url}/${link}`)).body
        omitted += page.content
        link = page.endByte > omittedEnd ? null : page.next
      }
      t.equal((lines[line - 1]! + omitted).slice(0, whole[line - 1]!.length), whole[line - 1], `${file} ${least}: line ${line}`)
    }
    t.ok(body.clippedLines.length > 0)
  }
})

t.test('in text, a clipped line says what it lacks', async t => {
  const { text } = await ask(`${url}/read?path=a%20b/%C3%BC%26%23%3F%25.log&startLine=3&maxLineBytes=2&format=text`)
  t.equal(text, 'th[+3 bytes omitted: 10-12]\nfo[+2 bytes omitted: 16-17]\n')
})
