import neostandard from 'neostandard'

const GENERATED = ['src/text/kernel-wasm.ts', 'test/e2e/openapi.d.ts']

/** What a room may import beside `errors`: what is behind it, never what is before. CONTRIBUTING has the same table. */
const ROOMS = {
  'src/text': [],
  'src/files': ['text/'],
  'src/pages': ['text/', 'files/'],
  'src/lanes': ['text/', 'files/', 'pages/'],
  'src/cursors': ['text/', 'files/', 'pages/', 'lanes/', 'redis.js']
}

function importsOf (folder, regex) {
  const message = `${folder} may not import this: see CONTRIBUTING, "Where things are"`
  return { files: [`${folder}/**`], rules: { 'no-restricted-imports': ['error', { patterns: [{ regex, message }] }] } }
}

export default [
  ...neostandard({ ts: true, ignores: ['dist', 'fixtures', 'src/text/kernel-source', '.tap', ...GENERATED] }),
  ...Object.entries(ROOMS).map(([folder, rooms]) => (
    importsOf(folder, `^(fastify|@fastify)|^\\.\\./(?!(${['errors.js$', ...rooms].join('|')}))`)
  )),
  importsOf('schemas', '/(src|routes)/'),
  importsOf('src/plugins', '/routes/'),
  // A TypeBox schema and the type made from it share their name.
  { rules: { '@typescript-eslint/no-redeclare': 'off' } },
  { rules: { 'max-len': ['error', { code: 120, ignoreUrls: true, ignoreStrings: true, ignoreTemplateLiterals: true }] } }
]
