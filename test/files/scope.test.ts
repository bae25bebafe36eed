import fs from 'node:fs'
import t from 'tap'
import { usePinned } from '../../src/files/open-file.js'
import { parseRequestPath } from '../../src/files/request-path.js'
import { makeTree } from '../helpers/tree.js'
import type { TreeCase } from '../helpers/tree-table.js'
import { holdRoot, readWhole } from './reads.js'

const OUTSIDE = { code: 'PATH_OUTSIDE_ROOT' } as const
const MISSING = { code: 'FILE_NOT_FOUND' } as const

/** In all of these, the scope is the first two components. */
const SCOPES: [name: string, tree: string[], path: string, expected: TreeCase['expected']][] = [
  ['a file', ['a/b/f'], 'a/b/f', 'a/b/f'],
  ['deep', ['a/b/c/d/f'], 'a/b/c/d/f', 'a/b/c/d/f'],
  ['a link that stays', ['a/b/f', 'a/b/c/l => ../f'], 'a/b/c/l', 'a/b/f'],
  ['a link that leaves the scope', ['a/f', 'a/b/l => ../f'], 'a/b/l', OUTSIDE],
  ['a link that leaves the scope, to nothing', ['a/b/l => ../f'], 'a/b/l', OUTSIDE],
  ['a link that leaves the scope and comes back', ['a/b/f', 'a/b/l => ../b/f'], 'a/b/l', OUTSIDE],
  ['a link to another scope', ['a/c/f', 'a/b/d => ../c'], 'a/b/d/f', OUTSIDE],
  ['a link that leaves the root', ['a/b/l => ../../../outside/secret'], 'a/b/l', OUTSIDE],
  ['an absolute link that stays', ['a/b/f', 'a/b/l => <root>/a/b/f'], 'a/b/l', 'a/b/f'],
  ['an absolute link that stays, canonical', ['a/b/f', 'a/b/l => <real>/a/b/f'], 'a/b/l', 'a/b/f'],
  ['an absolute link to the root', ['f', 'a/b/l => <root>/f'], 'a/b/l', OUTSIDE],
  ['an absolute link that leaves the scope', ['a/f', 'a/b/l => <real>/a/f'], 'a/b/l', OUTSIDE],
  ['an absolute link to a name that starts as the scope\'s', ['a/b2/f', 'a/b/l => <root>/a/b2/f'], 'a/b/l', OUTSIDE],
  ['a link to the scope itself', ['a/b/l => .'], 'a/b/l', { code: 'NOT_A_FILE' }],
  ['the scope itself', ['a/b/'], 'a/b', { code: 'NOT_A_FILE' }],
  ['a missing scope', ['a/'], 'a/b/f', MISSING],
  ['a missing folder before it', [], 'a/b/f', MISSING],
  ['a file for a scope', ['a/b'], 'a/b/f', MISSING],
  ['a file that is the scope', ['a/b'], 'a/b', MISSING],
  ['missing in the scope', ['a/b/'], 'a/b/f', MISSING],
  ['a scope that is a link', ['c/d/f', 'a/b => ../c/d'], 'a/b/f', 'c/d/f'],
  ['a scope that is a link to outside', ['a/b => <outside>'], 'a/b/secret', OUTSIDE],
  ['a scope that is a link, which does not widen it', ['c/f', 'c/d/l => ../f', 'a/b => ../c/d'], 'a/b/l', OUTSIDE],
  ['an absolute link in it, by its name', ['c/d/f', 'c/d/l => <root>/a/b/f', 'a/b => ../c/d'], 'a/b/l', 'c/d/f'],
  ['an absolute link in it, by its canonical name', ['c/d/f', 'c/d/l => <root>/c/d/f', 'a/b => ../c/d'], 'a/b/l', 'c/d/f'],
  ['a scope that is a link to the root', ['f', 'a/l => <root>/f', 'a/b => ..'], 'a/b/a/l', 'f']
]

t.test('a scope is a confined root of its own', async t => {
  const tree = await makeTree(t)
  const root = holdRoot(t, tree.root)
  const open = tree.descriptors()
  for (const [name, entries, path, expected] of SCOPES) {
    await tree.replace(entries)
    t.same(readWhole(root, path, {}, 2), typeof expected === 'string' ? { content: expected } : expected, name)
    t.same(tree.descriptors(), open, 'what was opened is closed')
  }
})

t.test('what is pinned: the file, and the folder with its name', async t => {
  const tree = await makeTree(t)
  const root = holdRoot(t, tree.root)
  const open = tree.descriptors()
  const pinned = (path: string, scopeDepth = 0) =>
    usePinned(root, { components: parseRequestPath(path, root.names), scopeDepth }, ({ path, name }) =>
      ({ at: fs.readlinkSync(path, 'latin1').replace(tree.real, ''), name }))

  const cases: [name: string, tree: string[], path: string, scopeDepth: number, at: [string, string | null][]][] = [
    ['a file', ['a/f'], 'a/f', 0, [['/a/f', null], ['/a', 'f']]],
    ['a file in the root', ['f'], 'f', 0, [['/f', null], ['', 'f']]],
    ['a link', ['a/f', 'l => a/f'], 'l', 0, [['/a/f', null], ['', 'l']]],
    ['a link in mid-path', ['a/f', 'd => a'], 'd/f', 0, [['/a/f', null], ['/a', 'f']]],
    ['a missing file', ['a/'], 'a/f', 0, [['/a', 'f']]],
    ['a missing folder', [], 'a/f', 0, []],
    ['no file', ['a/p|'], 'a/p', 0, [['/a', 'p']]],
    ['a link that leaves', ['a/l => ../../outside/secret'], 'a/l', 0, [['/a', 'l']]],
    ['a folder that is a link to outside', ['d => ../outside'], 'd/secret', 0, []],
    ['a name of more bytes than characters', ['\u00E9'], '\u00E9', 0, [['/\u00C3\u00A9', null], ['', '\u00C3\u00A9']]],
    ['in a scope', ['a/b/f'], 'a/b/f', 2, [['/a/b/f', null], ['/a/b', 'f']]],
    ['a link that leaves the scope', ['a/f', 'a/b/l => ../f'], 'a/b/l', 2, [['/a/b', 'l']]],
    ['a missing scope', [], 'a/b/f', 2, []]
  ]
  for (const [name, entries, path, scopeDepth, expected] of cases) {
    await tree.replace(entries)
    t.same(pinned(path, scopeDepth), expected.map(([at, name]) => ({ at, name })), name)
    t.same(tree.descriptors(), open)
  }

  await tree.replace(['f'])
  const address = { components: ['f'], scopeDepth: 0 }
  t.same(usePinned(root, address, ({ name }) => name), ['f'], 'nulls are left out')
  t.throws(() => usePinned(root, address, () => { throw new Error('a defect') }), { message: 'a defect' })
  t.same(tree.descriptors(), open)
})
