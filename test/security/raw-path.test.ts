import fs from 'node:fs'
import t from 'tap'
import { requestRaw, type RawAnswer } from '../helpers/raw-http.js'
import { startService } from '../helpers/service.js'
import { SECRET, makeTree } from '../helpers/tree.js'

/** As they stand on the wire: a client would normalise them. */
const PATHS: [name: string, wire: string, status: number, code: string][] = [
  ['dots', '..', 400, 'INVALID_PATH'],
  ['dots and a slash', '../outside/secret', 400, 'INVALID_PATH'],
  ['escaped dots', '%2e%2e/outside/secret', 400, 'INVALID_PATH'],
  ['half escaped dots', '.%2e/outside/secret', 400, 'INVALID_PATH'],
  ['escaped in upper case', '%2E%2E%2Foutside%2Fsecret', 400, 'INVALID_PATH'],
  ['an escaped slash', '..%2foutside%2fsecret', 400, 'INVALID_PATH'],
  ['dots that stay', 'a/%2e%2e/f', 400, 'INVALID_PATH'],
  ['many', '%2e%2e%2f'.repeat(30) + 'etc%2fpasswd', 400, 'INVALID_PATH'],
  ['dots behind dots', '....//....//outside/secret', 404, 'FILE_NOT_FOUND'],
  ['overlong dots', '%c0%ae%c0%ae/outside/secret', 400, 'INVALID_REQUEST'],
  ['overlong dots of three bytes', '%e0%80%ae%e0%80%ae/outside/secret', 400, 'INVALID_REQUEST'],
  ['an overlong slash', '..%c0%afoutside%c0%afsecret', 400, 'INVALID_REQUEST'],
  ['full-width dots', '%ef%bc%8e%ef%bc%8e/outside/secret', 404, 'FILE_NOT_FOUND'],
  ['an IIS escape', '%u002e%u002e/outside/secret', 400, 'INVALID_REQUEST'],
  ['a surrogate in UTF-8', '%ed%a0%80', 400, 'INVALID_REQUEST'],
  ['no UTF-8', '%ff', 400, 'INVALID_REQUEST'],
  ['half an escape', 'f%2', 400, 'INVALID_REQUEST'],
  ['NUL', '%00', 400, 'INVALID_PATH'],
  ['NUL after a file', 'f%00.txt', 400, 'INVALID_PATH'],
  ['NUL after an outside path', '/etc/passwd%00', 400, 'INVALID_PATH'],
  ['escaped twice', '%252e%252e%252foutside%252fsecret', 404, 'FILE_NOT_FOUND'],
  ['escaped thrice', '%25252e%25252e/outside/secret', 404, 'FILE_NOT_FOUND'],
  ['backslashes', '..\\outside\\secret', 404, 'FILE_NOT_FOUND'],
  ['escaped backslashes', '..%5coutside%5csecret', 404, 'FILE_NOT_FOUND'],
  ['mixed slashes', '..\\../outside/secret', 404, 'FILE_NOT_FOUND'],
  ['mixed slashes, dots as a component', 'a\\/../../outside/secret', 400, 'INVALID_PATH'],
  ['an absolute path', '/etc/passwd', 403, 'PATH_OUTSIDE_ROOT'],
  ['an escaped absolute path', '%2fetc%2fpasswd', 403, 'PATH_OUTSIDE_ROOT'],
  ['two slashes', '//etc/passwd', 403, 'PATH_OUTSIDE_ROOT'],
  ['a missing absolute path', '/no/such/file', 403, 'PATH_OUTSIDE_ROOT'],
  ['a drive', 'C:%5cWindows%5cwin.ini', 404, 'FILE_NOT_FOUND'],
  ['a URL', 'file:///etc/passwd', 404, 'FILE_NOT_FOUND'],
  ['this process', '/proc/self/environ', 403, 'PATH_OUTSIDE_ROOT'],
  ['a home', '~/secret', 404, 'FILE_NOT_FOUND'],
  ['a link that leaves', 'l', 403, 'PATH_OUTSIDE_ROOT'],
  ['a folder that is one', 'd/secret', 403, 'PATH_OUTSIDE_ROOT'],
  ['a folder that is one, missing', 'd/missing', 403, 'PATH_OUTSIDE_ROOT'],
  ['a file as a folder', 'f/x', 404, 'FILE_NOT_FOUND'],
  ['a folder', 'a', 422, 'NOT_A_FILE'],
  ['nothing', '', 400, 'INVALID_PATH'],
  ['a dot', '%2e', 400, 'INVALID_PATH'],
  ['a slash', '%2f', 400, 'INVALID_PATH'],
  ['the longest, all escaped', '%61'.repeat(255) + '%2f%61'.repeat(63) + '%2f%2e'.repeat(1857) + '%2f', 400, 'INVALID_PATH'],
  ['twice', 'f&path=..%2foutside%2fsecret', 400, 'INVALID_REQUEST'],
  ['as an array', 'f&path[]=..%2foutside%2fsecret', 400, 'INVALID_REQUEST']
]

const OPERATIONS = [['GET', '/read?path='], ['GET', '/bytes?path='], ['POST', '/tail?run=r&path='], ['GET', '/tail?run=r&path=']] as const

t.test('paths as they stand on the wire', async t => {
  const tree = await makeTree(t, ['f', 'a/f', 'l => ../outside/secret', 'd => <outside>'])
  const { port } = await startService(t, { ARTIFACT_ROOT: tree.root })
  const passwd = fs.readFileSync('/etc/passwd', 'utf8').split('\n')[0]!
  const tellsNothing = ({ body, headers }: RawAnswer, label: string): void => {
    const all = body + JSON.stringify(headers)
    for (const hidden of [tree.root, tree.real, tree.outside, SECRET, passwd, '/etc/', '/proc/', process.cwd()]) {
      t.notOk(all.includes(hidden), `${label}: no ${hidden}`)
    }
    t.notMatch(all, /\n *at |\.[jt]s:\d/, `${label}: no stack`)
  }

  for (const [method, target] of OPERATIONS) {
    await t.test(`${method} ${target}`, async () => {
      for (const [name, wire, status, code] of PATHS) {
        const answer = await requestRaw(port, method, `${target}${wire}`)
        t.match(answer, { status, json: { status, code } }, name)
        t.equal(answer.headers['content-type'], 'application/problem+json', name)
        tellsNothing(answer, name)
      }
    })
  }

  t.test('in the path of the URL', async () => {
    const targets = [
      '/../outside/secret', '/read/../../outside/secret', '/%2e%2e/outside/secret', '//outside/secret', '/read/f?path=f',
      '/read%2f..%2f..?path=f', '/%c0%ae%c0%ae/', '/read%00?path=f', '/fixtures/f', '/f', '/.env'
    ]
    for (const target of targets) {
      const answer = await requestRaw(port, 'GET', target)
      t.match(answer, { status: 404, json: { code: 'ROUTE_NOT_FOUND' } }, target)
      tellsNothing(answer, target)
    }
  })

  t.test('outside of these, the files are served', async () => {
    for (const wire of ['f', '%66', './f', '%2e/f', `${tree.root}/f`, `${encodeURIComponent(tree.real)}/f`]) {
      t.match(await requestRaw(port, 'GET', `/read?path=${wire}`), { status: 200, json: { path: 'f', content: 'f' } }, wire)
    }
    const longest = `${'%2f%2e'.repeat(2047)}`.slice(3) + '%2f%2f%66'
    t.match(await requestRaw(port, 'GET', `/read?path=${longest}`), { status: 200, json: { path: 'f', content: 'f' } }, 'the longest path')
  })
})
