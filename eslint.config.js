import neostandard from 'neostandard'

export default [
  ...neostandard({ ts: true, ignores: ['dist', 'fixtures', 'src/text/kernel-source', 'src/text/kernel-wasm.ts', '.tap'] }),
  // A TypeBox schema and the type made from it share their name.
  { rules: { '@typescript-eslint/no-redeclare': 'off' } },
  { rules: { 'max-len': ['error', { code: 120, ignoreUrls: true, ignoreStrings: true, ignoreTemplateLiterals: true }] } }
]
