import fs from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { openRoot, rootIsInPlace } from '../../src/files/root.js'
import { isName, toComponents } from '../../src/files/request-path.js'
import { makeFolder } from '../helpers/service.js'
import { makeTree } from '../helpers/tree.js'
import { holdRoot, readWhole } from './reads.js'

const componentsOf = (name: string): string[] => toComponents(name).filter(isName)

t.test('the names of a root: as configured, and as it canonically is', async t => {
  const tree = await makeTree(t, ['a/f'])
  t.same(holdRoot(t, tree.root).names, [tree.root, tree.real].map(componentsOf))
  t.same(holdRoot(t, `${tree.root}//./`).names, [tree.root, tree.real].map(componentsOf))
  const relative = path.relative(process.cwd(), tree.root)
  t.same(holdRoot(t, relative).names, [tree.root, tree.real].map(componentsOf), 'relative to the working directory')
  t.same(holdRoot(t, '/').names, [[], []])
  t.same(readWhole(holdRoot(t, '/'), `${tree.real}/a/f`), { content: 'a/f' })
})

t.test('`..` behind a link: what it lexically says is no name of the root', async t => {
  const folder = makeFolder(t, { 'x/data/f': 'right', 'data/f': 'wrong', 'x/y/f': '' })
  fs.symlinkSync('x/y', `${folder}/link`)
  const root = holdRoot(t, `${folder}/link/../data`)
  t.same(root.names, [componentsOf(`${folder}/x/data`)])
  t.same(readWhole(root, 'f'), { content: 'right' })
  t.same(readWhole(root, `${folder}/data/f`), { code: 'PATH_OUTSIDE_ROOT' })
})

t.test('a canonical name that is not UTF-8', async t => {
  const folder = makeFolder(t)
  const real = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xE9])])
  fs.mkdirSync(real)
  fs.symlinkSync(real, `${folder}/root`)
  fs.writeFileSync(`${folder}/root/f`, 'f')
  fs.symlinkSync(Buffer.concat([real, Buffer.from('/f')]), `${folder}/root/l`)
  t.same(readWhole(holdRoot(t, `${folder}/root`), 'l'), { content: 'f' })
})

t.test('no root: nothing is held', async t => {
  const folder = makeFolder(t, { f: '' })
  const open = fs.readdirSync('/proc/self/fd').length
  t.throws(() => openRoot(`${folder}/none`), { code: 'ENOENT' })
  t.throws(() => openRoot(`${folder}/f`), { code: 'ENOTDIR' })
  t.equal(fs.readdirSync('/proc/self/fd').length, open)
})

t.test('whether the name still leads to the folder', async t => {
  const tree = await makeTree(t)
  const root = holdRoot(t, tree.root)
  t.equal(await rootIsInPlace(root, tree.root), true)
  fs.renameSync(tree.real, `${tree.real}-moved`)
  await t.rejects(rootIsInPlace(root, tree.root), { code: 'ENOENT' })
  fs.mkdirSync(tree.real)
  t.equal(await rootIsInPlace(root, tree.root), false)
  fs.rmdirSync(tree.real)
  fs.renameSync(`${tree.real}-moved`, tree.real)
  t.equal(await rootIsInPlace(root, tree.root), true)
})
