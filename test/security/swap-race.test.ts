import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import t from 'tap'
import { holdRoot, readWhole } from '../files/reads.js'
import { SECRET, makeTree } from '../helpers/tree.js'

const RACE_MS = 2000
/** For a machine so busy that the naive opener was not yet caught. */
const MAX_RACE_MS = 30_000

/** Swaps `a`, a folder, for a link to outside, and back, until its input ends. */
const SWAPPER = `
  const fs = require('node:fs')
  process.chdir(process.argv[1])
  process.stdin.on('end', () => process.exit()).resume()
  const swap = () => {
    for (let i = 0; i < 100; i++) {
      fs.renameSync('a', 'folder'); fs.renameSync('link', 'a')
      fs.renameSync('a', 'link'); fs.renameSync('folder', 'a')
    }
    setImmediate(swap)
  }
  swap()
  console.log('ready')
`

/** What a careful-looking opener does: it compares the real path, and then opens the name. */
function readNaively (real: string, path: string): string | null {
  try {
    if (!fs.realpathSync(`${real}/${path}`).startsWith(`${real}/`)) return null
    const windowEndsMs = performance.now() + 0.05
    while (performance.now() < windowEndsMs);
    return fs.readFileSync(`${real}/${path}`, 'utf8')
  } catch {
    return null
  }
}

t.test('a folder is swapped for a link to outside all the time: the secret is never read', async t => {
  const tree = await makeTree(t, ['a/secret = ours', 'link => ../outside', 'b/l => ../a/secret'])
  const root = holdRoot(t, tree.root)
  const swapper = spawn(process.execPath, ['-e', SWAPPER, tree.real], { stdio: ['pipe', 'pipe', 'inherit'] })
  t.teardown(() => swapper.kill('SIGKILL'))
  await once(swapper.stdout, 'data')

  const answers = new Map<string, number>()
  const count = (answer: string): void => { answers.set(answer, (answers.get(answer) ?? 0) + 1) }
  let leaks = 0
  const startMs = performance.now()
  const raceMs = (): number => performance.now() - startMs
  while (raceMs() < RACE_MS || (leaks === 0 && raceMs() < MAX_RACE_MS)) {
    for (const path of ['a/secret', 'b/l']) {
      const outcome = readWhole(root, path)
      count('content' in outcome ? outcome.content : outcome.code)
    }
    if (readNaively(tree.real, 'a/secret') === SECRET) leaks++
  }
  swapper.stdin.end()
  await once(swapper, 'exit')

  t.comment({ leaks, ...Object.fromEntries(answers) })
  t.equal(answers.get(SECRET) ?? 0, 0)
  t.strictSame([...answers.keys()].filter(answer => !['ours', 'FILE_NOT_FOUND', 'PATH_OUTSIDE_ROOT'].includes(answer)), [])
  for (const answer of ['ours', 'PATH_OUTSIDE_ROOT']) t.ok(answers.has(answer), `${answer} was read: both sides of the swap were met`)
  t.ok(leaks > 0, 'an opener that checks the name and then opens it does leak')
})
