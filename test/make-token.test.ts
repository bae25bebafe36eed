import t from 'tap'
import fs from 'node:fs'
import { makeToken } from '../src/make-token.js'
import { findToken, readTokensFile, scopeDepthOf } from '../src/tokens.js'
import { makeFolder } from './helpers/service.js'

t.test('the service takes the entry, and the token for it', async t => {
  const all = makeToken('all', [])
  const some = makeToken('some', ['reports', 'runs/latest'])
  const file = `${makeFolder(t)}/tokens.json`
  fs.writeFileSync(file, JSON.stringify([all.entry, some.entry]))
  const tokens = readTokensFile(file)
  t.equal(findToken(`Bearer ${all.token}`, tokens)?.name, 'all')
  const found = findToken(`Bearer ${some.token}`, tokens)
  t.equal(found?.name, 'some')
  t.equal(scopeDepthOf(['runs', 'latest', 'ci.log'], found), 2)
  t.throws(() => scopeDepthOf(['text'], found), { code: 'PERMISSION_DENIED' })
})

t.test('no token is like another, and none stands in its entry', async t => {
  const made = Array.from({ length: 50 }, () => makeToken('a', []))
  t.equal(new Set(made.map(({ token }) => token)).size, 50)
  for (const { token, entry } of made) {
    t.match(token, /^[\w-]{43}$/)
    t.notOk(JSON.stringify(entry).includes(token))
  }
})

t.test('what the service would refuse is refused here', async t => {
  t.throws(() => makeToken('two words', []), /`name` must be/)
  t.throws(() => makeToken('', []), /`name` must be/)
  t.throws(() => makeToken('a', ['/etc']), /relative to the root/)
  t.throws(() => makeToken('a', ['reports/../..']), /`\.\.`/)
})
