// Compiles kernel.ts into ../kernel-wasm.ts; with --check it only tells whether that file is up to date.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import asc from 'assemblyscript/asc'

const target = new URL('../kernel-wasm.ts', import.meta.url)

let wasm
const { error, stderr } = await asc.main([
  'kernel.ts', '--baseDir', fileURLToPath(new URL('.', import.meta.url)), '--outFile', 'kernel.wasm',
  '--runtime', 'stub', '--enable', 'simd', '-O3', '--converge', '--noAssert',
  '--initialMemory', '9', '--maximumMemory', '9'
], { writeFile: (name, contents) => { if (name.endsWith('.wasm')) wasm = contents } })
if (error) throw new Error(stderr.toString(), { cause: error })
if (WebAssembly.Module.imports(new WebAssembly.Module(wasm)).length > 0) throw new Error('The module has imports')

const lines = Buffer.from(wasm).toString('base64').match(/.{1,112}/g)
const text = `// Generated from kernel-source/kernel.ts by "npm run kernel:build". Do not edit.

/** The module, in base64. */
export const KERNEL_WASM =
${lines.map(line => `  '${line}'`).join(' +\n')}
`

if (!process.argv.includes('--check')) {
  writeFileSync(target, text)
} else if (readFileSync(target, 'utf8') !== text) {
  console.error('src/text/kernel-wasm.ts is not what its source compiles to: run "npm run kernel:build"')
  process.exitCode = 1
}
