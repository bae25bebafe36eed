import neostandard from 'neostandard'

export default [
  ...neostandard({ ts: true, ignores: ['dist', 'fixtures', 'src/text/kernel-source', 'src/text/kernel-wasm.ts', '.tap'] }),
  { rules: { 'max-len': ['error', { code: 120, ignoreUrls: true, ignoreStrings: true, ignoreTemplateLiterals: true }] } }
]
