import fs from 'node:fs'
import t, { type Test } from 'tap'
import type { FileAddress } from '../../src/files/open-file.js'
import { parseRequestPath } from '../../src/files/request-path.js'
import { openRoot } from '../../src/files/root.js'
import { ThreadWatcher } from '../../src/lanes/watcher.js'
import { makeFolder } from '../helpers/service.js'

// The watcher's thread keeps no process alive.
const alive = setInterval(() => {}, 1000)
t.teardown(() => clearInterval(alive))

/** Watches a path; `news` resolves with the next news. What comes between two calls is not kept. */
function setUp (t: Test, path: string, files: Record<string, string>) {
  const folder = makeFolder(t, files)
  const root = openRoot(folder)
  const watcher = new ThreadWatcher(root, () => {})
  t.teardown(() => watcher.close())
  let onNews: () => void = () => {}
  const news = (): Promise<void> => new Promise(resolve => { onNews = resolve })
  const address: FileAddress = { components: parseRequestPath(path, root.names), scopeDepth: 0 }
  const first = news()
  const { stop } = watcher.watch(address, () => onNews())
  t.teardown(stop)
  return { folder, news, first }
}

t.test('tells of growth', async t => {
  const { folder, news, first } = setUp(t, 'a/x.log', { 'a/x.log': '' })
  await first
  for (let turn = 0; turn < 3; turn++) {
    const next = news()
    fs.appendFileSync(`${folder}/a/x.log`, 'more')
    await next
  }
  t.pass()
})

t.test('tells of a file that is made, renamed into place and grows then', async t => {
  const { folder, news, first } = setUp(t, 'x.log', { other: '' })
  await first
  const made = news()
  fs.renameSync(`${folder}/other`, `${folder}/x.log`)
  await made
  const grown = news()
  fs.appendFileSync(`${folder}/x.log`, 'more')
  await grown
  t.pass()
})

t.test('tells of the file that a link leads to', async t => {
  const folder = makeFolder(t, { 'a/x.log': '' })
  fs.symlinkSync('a/x.log', `${folder}/link`)
  const root = openRoot(folder)
  const watcher = new ThreadWatcher(root, () => {})
  t.teardown(() => watcher.close())
  let told!: () => void
  const first = new Promise<void>(resolve => { told = resolve })
  const address = { components: parseRequestPath('link', root.names), scopeDepth: 0 }
  const { stop } = watcher.watch(address, () => told())
  await first
  const grown = new Promise<void>(resolve => { told = resolve })
  fs.appendFileSync(`${folder}/a/x.log`, 'more')
  await grown
  stop()
  t.pass()
})

t.test('tells once of what cannot be watched, and starts no thread to stop', async t => {
  const { first } = setUp(t, 'not/there', {})
  await first
  const watcher = new ThreadWatcher(openRoot(makeFolder(t)), () => {})
  const { stop } = watcher.watch({ components: parseRequestPath('a', []), scopeDepth: 0 }, () => {})
  await watcher.close()
  stop()
  t.equal(watcher.hangs, false)
})
