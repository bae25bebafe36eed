import t from 'tap'
import { ask, makeFolder, startService } from '../helpers/service.js'

t.test('a page of lines, and the next', async t => {
  const { url } = await startService(t, { ARTIFACT_ROOT: makeFolder(t, { 'a.log': 'one\ntwo\nthree\n' }) })
  const first = await ask(`${url}/read?path=a.log&maxLines=2`)
  t.match(first, { status: 200, body: { path: 'a.log', unit: 'lines', content: 'one\ntwo', nextStartLine: 3, totalLines: null } })
  const second = await ask(`${url}/${first.body.next}`)
  t.match(second, { status: 200, body: { content: 'three', startByte: 8, endByte: 14, eof: true, totalLines: 3, next: null } })
})
