// AssemblyScript. Compiled by build.mjs into ../kernel-wasm.ts; used through ../wasm-kernel.ts, whose interface
// (../kernel.ts) says what the functions do. Places in the input are relative to INPUT outside of this module.

export { INPUT, OUTPUT } from './layout'
export { found, seekLines, seekChars, completeUtf8 } from './seek'
export { escapeJson } from './escape'
