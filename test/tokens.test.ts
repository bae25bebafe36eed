import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { findToken, readTokensFile, scopeDepthOf } from '../src/tokens.js'
import { makeFolder } from './helpers/service.js'

const file = path.join(makeFolder(t), 'tokens.json')
const hash = (token: string): string => createHash('sha256').update(token).digest('hex')
const sha256 = hash('secret')

function read (content: unknown) {
  fs.writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return readTokensFile(file)
}

t.test('faults of the file', async t => {
  t.throws(() => readTokensFile(`${file}.missing`), { message: /missing.*ENOENT/ })
  for (const content of ['', '{', 'null', '{}', '"x"', '[]']) t.throws(() => read(content), { message: /tokens\.json/ }, content)
})

t.test('faults of an entry name it, and tell no hash', async t => {
  const good = { name: 'good', sha256 }
  const faults: [unknown, RegExp][] = [
    [null, /^entry 1: /], ['x', /^entry 1: /], [[], /^entry 1: /], [{}, /^entry 1: .*name/],
    [{ name: '', sha256 }, /^entry 1: .*name/], [{ name: 'a b', sha256 }, /^entry 1: .*name/], [{ name: 'x'.repeat(65), sha256 }, /^entry 1: .*name/],
    [{ name: 1, sha256 }, /^entry 1: .*name/],
    [{ name: 'ci' }, /^entry 1 \(`ci`\): .*sha256/], [{ name: 'ci', sha256: 'xyz' }, /ci.*sha256/], [{ name: 'ci', sha256: `${sha256}0` }, /ci.*sha256/],
    [{ name: 'ci', sha256, token: 'secret' }, /ci.*token/], [{ name: 'ci', sha256, path: 'a' }, /ci.*path/],
    [{ name: 'ci', sha256, paths: [] }, /ci.*paths/], [{ name: 'ci', sha256, paths: 'a' }, /ci.*paths/], [{ name: 'ci', sha256, paths: null }, /ci.*paths/],
    [{ name: 'ci', sha256, paths: ['a', 1] }, /ci.*paths/], [{ name: 'ci', sha256, paths: [''] }, /ci.*paths/],
    [{ name: 'ci', sha256, paths: ['/a'] }, /ci.*paths/], [{ name: 'ci', sha256, paths: ['a/../b'] }, /ci.*\.\./], [{ name: 'ci', sha256, paths: ['a\0'] }, /ci.*paths/],
    [good, /^entry 1 \(`good`\): .*twice/], [{ name: 'ci', sha256 }, /^entry 1 \(`ci`\): .*another entry/],
    [{ name: 'ci', sha256: sha256.toUpperCase() }, /^entry 1 \(`ci`\): .*another entry/]
  ]
  for (const [entry, message] of faults) {
    t.throws(() => read([good, entry]), { message }, JSON.stringify(entry))
    try { read([good, entry]) } catch (error) { t.notMatch((error as Error).message, new RegExp(sha256.slice(0, 16))) }
  }
})

t.test('all faults are told at once', async t => {
  t.throws(() => read([null, { name: 'good', sha256 }, { name: 'ci', sha256: 'xyz' }, { name: 'good', sha256: hash('other') }]), {
    message: /^entry 0: it must be an object\. entry 2 \(`ci`\): [^.]*hex digits\. entry 3 \(`good`\): [^.]*twice\.$/
  })
})

t.test('whose token a request bears', async t => {
  const tokens = read([{ name: 'one', sha256 }, { name: 'two', sha256: hash('other-token_~+/==').toUpperCase() }])
  const found = (authorization?: string) => findToken(authorization, tokens)?.name ?? null
  t.equal(found('Bearer secret'), 'one')
  t.equal(found('bearer secret'), 'one', 'the scheme has no case')
  t.equal(found('Bearer   secret '), 'one')
  t.equal(found('Bearer other-token_~+/=='), 'two')
  for (const none of [undefined, '', 'Bearer', 'Bearer ', 'secret', 'Basic secret', 'Bearer Secret', 'Bearer secre', 'Bearer secrets', 'Bearer secret x', `Bearer ${sha256}`, 'Bearer secret, Bearer secret']) {
    t.equal(found(none), null, String(none))
  }
})

t.test('scopes hold whole components', async t => {
  const [scoped, all, wide] = read([
    { name: 'scoped', sha256, paths: ['runs/./a/', 'reports'] }, { name: 'all', sha256: hash('b') },
    { name: 'wide', sha256: hash('c'), paths: ['runs/a', 'runs'] }
  ])
  const depth = (path: string, token = scoped!) => scopeDepthOf(path.split('/'), token)
  t.equal(depth('runs/a/x.log'), 2)
  t.equal(depth('reports/x'), 1)
  t.equal(depth('anything', all!), 0)
  t.equal(scopeDepthOf(['anything'], null), 0)
  t.equal(depth('runs/a/x.log', wide!), 1, 'the widest')
  for (const outside of ['runs/ab/x.log', 'runs/x', 'runs', 'report', 'reports2/x']) {
    t.throws(() => depth(outside), { code: 'PERMISSION_DENIED' }, outside)
  }
})
