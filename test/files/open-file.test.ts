import fs from 'node:fs'
import t from 'tap'
import { OpenFile, openFile } from '../../src/files/open-file.js'
import { toComponents } from '../../src/files/request-path.js'
import { problemOf } from '../helpers/reading.js'
import { makeTree } from '../helpers/tree.js'
import { runTreeTable } from '../helpers/tree-table.js'
import { holdRoot, readWhole } from './reads.js'

t.test('the table', async t => {
  const tree = await makeTree(t)
  const root = holdRoot(t, tree.root)
  await runTreeTable(t, tree, path => readWhole(root, path))
})

t.test('what is outside is told of in the same words, whether it exists or not', async t => {
  const tree = await makeTree(t, [
    'file => ../outside/secret', 'none => ../outside/none', 'absolute => <outside>/secret', 'deep => <outside>/no/such',
    'folder => ../outside', 'nowhere => ../none'
  ])
  const root = holdRoot(t, tree.root)
  const told = ['file', 'none', 'absolute', 'deep', 'folder', 'folder/secret', 'folder/none', 'nowhere/none']
    .map(path => problemOf(() => openFile(root, { components: toComponents(path), scopeDepth: 0 })))
  for (const problem of told) t.same(problem, told[0])
})

t.test('a file whose mode forbids to read it', async t => {
  const tree = await makeTree(t, ['f', 'a/f', 'l => f'])
  fs.chmodSync(`${tree.real}/f`, 0o200)
  fs.chmodSync(`${tree.real}/a`, 0o600)
  t.teardown(() => fs.chmodSync(`${tree.real}/a`, 0o700))
  const root = holdRoot(t, tree.root)
  const before = tree.descriptors()
  // Modes bind everyone but root, whom they do not keep from anything.
  const isRoot = process.getuid?.() === 0
  for (const path of ['f', 'l', 'a/f', 'a/none']) {
    const { code } = readWhole(root, path) as { code?: string }
    t.equal(code, isRoot ? (path === 'a/none' ? 'FILE_NOT_FOUND' : undefined) : 'PERMISSION_DENIED', path)
  }
  t.same(tree.descriptors(), before)
})

t.test('an open file', async t => {
  const tree = await makeTree(t, ['f = 0123456789', 'g = 0123456789'])
  const root = holdRoot(t, tree.root)
  const open = (name: string): OpenFile => openFile(root, { components: [name], scopeDepth: 0 })

  t.test('tells its size, time and identity', async t => {
    fs.utimesSync(`${tree.real}/f`, 0, 1_700_000_000.125)
    const [file, again, other] = [open('f'), open('f'), open('g')]
    t.equal(file.extent, 10)
    t.equal(file.modifiedAt, '2023-11-14T22:13:20.125Z')
    t.match(file.identity, /^[\w-]{16}$/)
    t.equal(again.identity, file.identity)
    t.not(other.identity, file.identity)
    for (const one of [file, again, other]) one.close()
  })

  t.test('tells a time that RFC 3339 cannot say as the nearest that it can', async t => {
    const fd = fs.openSync(`${tree.real}/f`, 'r')
    t.teardown(() => fs.closeSync(fd))
    const stat = fs.fstatSync(fd, { bigint: true })
    const told = (mtimeMs: bigint): string => new OpenFile(fd, Object.assign(stat, { mtimeMs })).modifiedAt
    t.equal(told(10n ** 18n), '9999-12-31T23:59:59.999Z')
    t.equal(told(253_402_300_800_000n), '9999-12-31T23:59:59.999Z', 'the year 10000')
    t.equal(told(253_402_300_799_998n), '9999-12-31T23:59:59.998Z')
    t.equal(told(-1n), '1969-12-31T23:59:59.999Z')
    t.equal(told(-(10n ** 18n)), '0000-01-01T00:00:00.000Z')
  })

  t.test('reads what lies in the extent, to where it is told to', async t => {
    const file = open('f')
    const read = (at: number, length: number, position: number): string => {
      const target = Buffer.alloc(16, '.')
      t.equal(file.read(target, at, length, position), target.toString().replaceAll('.', '').length)
      return target.toString()
    }
    t.equal(read(0, 10, 0), '0123456789......')
    t.equal(read(3, 4, 5), '...5678.........')
    t.equal(read(0, 16, 8), '89..............')
    t.equal(read(0, 16, 10), '................')
    t.equal(read(0, 16, 99), '................')
    t.equal(read(0, 0, 0), '................')
    t.equal(file.extent, 10)
    t.equal(file.bytesRead, 16)
    file.close()
  })

  t.test('repeats short reads', async t => {
    const { readSync } = fs
    t.capture(fs, 'readSync', ((fd: number, target: Uint8Array, at: number, length: number, position: number) =>
      readSync(fd, target, at, Math.min(length, 3), position)) as never)
    const file = open('f')
    const target = Buffer.alloc(9)
    t.equal(file.read(target, 0, 9, 1), 9)
    t.equal(target.toString(), '123456789')
    t.equal(file.extent, 10)
    file.close()
  })

  t.test('tells when the storage fails', async t => {
    t.capture(fs, 'readSync', () => { throw Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'read' }) })
    const file = open('f')
    t.match(problemOf(() => file.read(Buffer.alloc(9), 0, 9, 0)), { code: 'STORAGE_UNAVAILABLE' })
    file.close()
  })
})
