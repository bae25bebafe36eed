import fs from 'node:fs'
import t from 'tap'
import { ask, startService } from '../helpers/service.js'
import { makeTree } from '../helpers/tree.js'

t.test('the root is held: its name may be moved to another folder', async t => {
  const tree = await makeTree(t, ['f = held', 'a/l => ../f', 'absolute => <root>/f', 'late/'])
  // Lanes that start afterwards hold it too: with one that is busy, the next read needs another.
  const { url } = await startService(t, { ARTIFACT_ROOT: tree.root, MAX_CONCURRENT_READS: '8' })
  t.match(await ask(`${url}/read?path=f`), { body: { content: 'held' } })

  const others = [
    ['renamed', () => fs.renameSync(tree.real, `${tree.real}-moved`)],
    ['another in its place', () => {
      fs.mkdirSync(`${tree.real}/a`, { recursive: true })
      for (const name of ['f', 'a/l', 'absolute', 'only']) fs.writeFileSync(`${tree.real}/${name}`, 'another')
    }],
    ['a link to outside in its place', () => {
      fs.rmSync(tree.real, { recursive: true })
      fs.symlinkSync(tree.outside, tree.real)
    }],
    ['the configured link moved', () => {
      fs.unlinkSync(tree.root)
      fs.symlinkSync(tree.outside, tree.root)
    }]
  ] as const
  for (const [name, change] of others) {
    change()
    const held = ['f', 'a/l', 'absolute', `${tree.root}/f`, `${tree.real}/f`]
    const answers = await Promise.all([...held, ...held].map(path => ask(`${url}/read?path=${encodeURIComponent(path)}`)))
    for (const answer of answers) t.match(answer, { status: 200, body: { content: 'held' } }, name)
    for (const path of ['only', 'secret', `${tree.root}/secret`]) {
      t.match(await ask(`${url}/read?path=${encodeURIComponent(path)}`), { status: 404, body: { code: 'FILE_NOT_FOUND' } }, name)
    }
    t.match(await ask(`${url}/read?path=${encodeURIComponent(`${tree.outside}/secret`)}`), { status: 403 }, name)
    t.match(await ask(`${url}/tail?run=${encodeURIComponent(name).replace(/%20/g, '-')}&path=f`, { method: 'POST' }), { body: { content: 'held' } })
    t.match(await ask(`${url}/readyz`), { status: 503, body: { code: 'NOT_READY' } }, `${name}: and it is told`)
  }

  fs.writeFileSync(`${tree.real}-moved/late/f`, 'late')
  t.match(await ask(`${url}/read?path=late/f`), { body: { content: 'late' } }, 'what comes into the held folder is served')
})
