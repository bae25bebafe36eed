import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import t, { type Test } from 'tap'
import { makeTree } from '../helpers/tree.js'
import { holdRoot, readWhole } from './reads.js'

/** Mounts, undone after the test; false if this process may not. */
function mount (t: Test, place: string, ...args: string[]): boolean {
  if (spawnSync('mount', [...args, place]).status !== 0) return false
  t.teardown(() => spawnSync('umount', ['--lazy', place]))
  return true
}

t.test('a mount beneath the root belongs to the root', async t => {
  const tree = await makeTree(t, ['m/', 'f', 'up => m/l'])
  const root = holdRoot(t, tree.root)
  if (!mount(t, `${tree.real}/m`, '-t', 'tmpfs', 'tmpfs')) {
    t.pass('mounting is not allowed here', { skip: 'mounting is not allowed here' })
    return
  }
  fs.writeFileSync(`${tree.real}/m/f`, 'mounted')
  fs.symlinkSync('../f', `${tree.real}/m/l`)
  fs.symlinkSync('../../outside/secret', `${tree.real}/m/out`)
  t.same(readWhole(root, 'm/f'), { content: 'mounted' })
  t.same(readWhole(root, 'm/l'), { content: 'f' })
  t.same(readWhole(root, 'up'), { content: 'f' })
  t.same(readWhole(root, 'm/out'), { code: 'PATH_OUTSIDE_ROOT' })
  t.same(readWhole(root, 'm'), { code: 'NOT_A_FILE' })
})
