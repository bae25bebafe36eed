import fs from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import { OPEN_READ } from '../../src/files/system.js'
import { SECRET, makeTree, type Tree } from '../helpers/tree.js'
import type { Outcome } from '../helpers/tree-table.js'
import { holdRoot, readWhole } from './reads.js'
import { watchSystemCalls } from './system-calls.js'

/** Moves a name away and puts a link in its place. */
function swapForLink (tree: Tree, name: string, target: string): void {
  fs.renameSync(`${tree.real}/${name}`, `${tree.real}/moved`)
  fs.symlinkSync(tree.expand(target), `${tree.real}/${name}`)
}

t.test('a folder is swapped for a link to outside between two steps', async t => {
  const path = ['a', 'b', 'c', 'secret']
  for (const target of ['<outside>', 'relative']) {
    for (const [depth] of path.slice(0, -1).entries()) {
      for (const [step] of path.entries()) {
        const tree = await makeTree(t, ['a/b/c/secret = ours', '../outside/b/c/secret = the secret', '../outside/c/secret = the secret'])
        const root = holdRoot(t, tree.root)
        let steps = 0
        const walk = (): void => {
          const up = '../'.repeat(depth + 1)
          if (steps++ === step) swapForLink(tree, path.slice(0, depth + 1).join('/'), target === 'relative' ? `${up}outside` : target)
        }
        // Once the walk is in the folder, its name does not matter.
        const expected = step > depth ? { content: 'ours' } : { code: 'PATH_OUTSIDE_ROOT' }
        t.same(readWhole(root, path.join('/'), { walk }), expected, `${path[depth]} before step ${step}, ${target}`)
      }
    }
  }
})

interface Swap {
  name: string
  entries: string[]
  path: string
  swap: (tree: Tree) => void
  /** What may be answered, depending on when the swap is seen; each of them is at some call. */
  answers: Outcome[]
}

function replace (tree: Tree, name: string, by: string): void {
  fs.renameSync(`${tree.real}/${by}`, `${tree.real}/${name}`)
}

const OUTSIDE = { code: 'PATH_OUTSIDE_ROOT' } as const

const SWAPS: Swap[] = [
  {
    name: 'the first folder for a link to outside',
    entries: ['a/b/secret = ours', '../outside/b/secret = the secret'],
    path: 'a/b/secret',
    swap: tree => swapForLink(tree, 'a', '<outside>'),
    answers: [{ content: 'ours' }, OUTSIDE]
  },
  {
    name: 'the second folder for a link to outside',
    entries: ['a/b/secret = ours'],
    path: 'a/b/secret',
    swap: tree => swapForLink(tree, 'a/b', '../../outside'),
    answers: [{ content: 'ours' }, OUTSIDE]
  },
  {
    name: 'a link to a folder for one to outside',
    entries: ['a/secret = ours', 'd => a', 'new => ../outside'],
    path: 'd/secret',
    swap: tree => replace(tree, 'd', 'new'),
    answers: [{ content: 'ours' }, OUTSIDE]
  },
  {
    name: 'a link to a folder for another folder',
    entries: ['a/f = old', 'd => a', 'new/f = new'],
    path: 'd/f',
    swap: tree => {
      fs.unlinkSync(`${tree.real}/d`)
      replace(tree, 'd', 'new')
    },
    answers: [{ content: 'old' }, { content: 'new' }]
  },
  {
    name: 'the file for a link to outside',
    entries: ['secret = ours'],
    path: 'secret',
    swap: tree => swapForLink(tree, 'secret', '<outside>/secret'),
    answers: [{ content: 'ours' }, OUTSIDE]
  },
  {
    name: 'a link to a file for one to outside',
    entries: ['f = ours', 'l => f', 'new => <outside>/secret'],
    path: 'l',
    swap: tree => replace(tree, 'l', 'new'),
    answers: [{ content: 'ours' }, OUTSIDE]
  },
  {
    name: 'the file for another',
    entries: ['f = old', 'new'],
    path: 'f',
    swap: tree => replace(tree, 'f', 'new'),
    answers: [{ content: 'old' }, { content: 'new' }]
  },
  {
    name: 'a link to a file for a file',
    entries: ['old', 'l => old', 'new'],
    path: 'l',
    swap: tree => replace(tree, 'l', 'new'),
    answers: [{ content: 'old' }, { content: 'new' }]
  },
  {
    name: 'the file for a link to another',
    entries: ['f = old', 'new', 'l => new'],
    path: 'f',
    swap: tree => replace(tree, 'f', 'l'),
    answers: [{ content: 'old' }, { content: 'new' }]
  },
  {
    name: 'the file for a FIFO',
    entries: ['f = old', 'p|'],
    path: 'f',
    swap: tree => replace(tree, 'f', 'p'),
    answers: [{ content: 'old' }, { code: 'NOT_A_FILE' }]
  },
  {
    name: 'the folder for a file',
    entries: ['a/f = old', 'g'],
    path: 'a/f',
    swap: tree => {
      fs.renameSync(`${tree.real}/a`, `${tree.real}/moved`)
      replace(tree, 'a', 'g')
    },
    answers: [{ content: 'old' }, { code: 'FILE_NOT_FOUND' }]
  }
]

t.test('the tree changes before any one system call', async t => {
  for (const { name, entries, path, swap, answers } of SWAPS) {
    await t.test(name, async t => {
      const tree = await makeTree(t)
      const root = holdRoot(t, tree.root)
      const open = tree.descriptors()
      const seen: Outcome[] = []
      for (let at = 0, swapped = true; swapped; at++) {
        await tree.replace(entries)
        swapped = false
        const outcome = watchSystemCalls(({ index }) => {
          if (index !== at) return
          swapped = true
          swap(tree)
        }, () => readWhole(root, path))
        t.not('content' in outcome && outcome.content, SECRET)
        t.ok(answers.some(answer => isDeepStrictEqual(answer, outcome)), `before call ${at}: ${JSON.stringify(outcome)}`)
        t.same(tree.descriptors(), open)
        seen.push(outcome)
      }
      for (const answer of answers) t.ok(seen.some(outcome => isDeepStrictEqual(answer, outcome)), 'is at some call')
    })
  }
})

t.test('a link and a folder are exchanged for each other between any two system calls', async t => {
  for (const first of [0, 1, 2, 3, 4, 5]) {
    for (const every of [1, 2, 3]) {
      const tree = await makeTree(t, ['a/f = linked', 'd => a', 'spare/f = folder'])
      const root = holdRoot(t, tree.root)
      let calls = 0
      const outcome = watchSystemCalls(({ name, args }) => {
        const isOfName = String(args[0]).endsWith('/d')
        if (!isOfName || name === 'closeSync' || calls++ < first || (calls - first) % every !== 0 || calls > 30) return
        fs.renameSync(`${tree.real}/d`, `${tree.real}/other`)
        fs.renameSync(`${tree.real}/spare`, `${tree.real}/d`)
        fs.renameSync(`${tree.real}/other`, `${tree.real}/spare`)
      }, () => readWhole(root, 'd/f'))
      t.ok('content' in outcome && ['linked', 'folder'].includes(outcome.content), `${first}, ${every}: ${JSON.stringify(outcome)}`)
    }
  }
})

t.test('the last component changes between the handle and the file that is opened', async t => {
  for (const { name, entries, path, swap, answers: [old] } of SWAPS) {
    const tree = await makeTree(t, entries)
    const root = holdRoot(t, tree.root)
    let swaps = 0
    const outcome = watchSystemCalls(({ name, args }) => {
      if (name !== 'openSync' || args[1] !== OPEN_READ) return
      swaps++
      swap(tree)
    }, () => readWhole(root, path))
    t.same(outcome, old, name)
    t.equal(swaps, 1)
  }
})
