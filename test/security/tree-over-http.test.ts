import t from 'tap'
import { ask, startService } from '../helpers/service.js'
import { makeTree } from '../helpers/tree.js'
import { runTreeTable } from '../helpers/tree-table.js'

const operations = [
  { name: 'GET /read', route: 'read?' },
  { name: 'GET /bytes', route: 'bytes?' },
  { name: 'POST /tail', route: 'tail?', method: 'POST' }
]

for (const { name, route, method = 'GET' } of operations) {
  t.test(name, async t => {
    const tree = await makeTree(t)
    const { url } = await startService(t, { ARTIFACT_ROOT: tree.root })
    let runs = 0
    await runTreeTable(t, tree, async path => {
      // Each case is another tree: a cursor of the one before is none of its.
      const run = method === 'POST' ? `run=${++runs}&` : ''
      const { body } = await ask(`${url}/${route}${run}path=${encodeURIComponent(path)}`, { method })
      return typeof body.content === 'string' ? { content: body.content } : { code: body.code }
    })
  })
}
