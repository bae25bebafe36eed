import { isUtf8 } from 'node:buffer'
import { MAX_CHARACTER_BYTES } from './characters.js'
import type { Encoding } from './encoding.js'
import { KERNEL_WASM } from './kernel-wasm.js'
import { CHUNK_BYTES, type Kernel } from './kernel.js'

// Neither the library of the compiler for es2023 nor @types/node 20 declares WebAssembly.
declare const WebAssembly: {
  validate (bytes: Uint8Array): boolean
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object) => { exports: unknown }
} | undefined

/** What kernel-source/kernel.ts exports. Places are relative to the input, except INPUT and OUTPUT. */
interface KernelExports {
  memory: { buffer: ArrayBuffer }
  INPUT: { value: number }
  OUTPUT: { value: number }
  found: { value: number }
  seekLines (encoding: number, from: number, to: number, count: number): number
  seekChars (encoding: number, from: number, to: number, count: number): number
  completeUtf8 (from: number, to: number): number
  escapeJson (length: number): number
}

// From kernel-source/layout.ts.
const ENCODING_CODES = { 'utf-8': 0, 'utf-16le': 1, 'utf-16be': 2 }
const VALID_UTF_8 = 3

let compiled: object | undefined

/** Whether createWasmKernel() works here: not without WebAssembly (node --jitless) or its vector instructions. */
export function supportsWasmKernel (): boolean {
  return typeof WebAssembly !== 'undefined' && WebAssembly.validate(Buffer.from(KERNEL_WASM, 'base64'))
}

/** The fast kernel. Its memory, 576 KiB, never grows, so that views of it stay valid. */
export function createWasmKernel (): Kernel {
  if (typeof WebAssembly === 'undefined') throw new Error('No WebAssembly')
  compiled ??= new WebAssembly.Module(Buffer.from(KERNEL_WASM, 'base64'))
  return new WasmKernel(new WebAssembly.Instance(compiled).exports as KernelExports)
}

class WasmKernel implements Kernel {
  readonly input: Buffer
  found = 0
  position = 0
  readonly #wasm: KernelExports
  readonly #output: number

  constructor (wasm: KernelExports) {
    this.#wasm = wasm
    this.#output = wasm.OUTPUT.value
    this.input = Buffer.from(wasm.memory.buffer, wasm.INPUT.value, CHUNK_BYTES)
  }

  // No range has more than CHUNK_BYTES line feeds or characters; a larger count might not fit 32 bits.

  seekLines (encoding: Encoding, from: number, to: number, count: number): void {
    this.position = this.#wasm.seekLines(ENCODING_CODES[encoding], from, to, Math.min(count, CHUNK_BYTES))
    this.found = this.#wasm.found.value
  }

  seekChars (encoding: Encoding, from: number, to: number, count: number): void {
    let code = ENCODING_CODES[encoding]
    if (encoding === 'utf-8') {
      // `count` characters cannot reach further, and what is not reached need not be validated.
      to = Math.min(to, from + MAX_CHARACTER_BYTES * count)
      if (isUtf8(this.input.subarray(from, this.#wasm.completeUtf8(from, to)))) code = VALID_UTF_8
    }
    this.position = this.#wasm.seekChars(code, from, to, Math.min(count, CHUNK_BYTES))
    this.found = this.#wasm.found.value
  }

  escapeJson (length: number): Uint8Array {
    return new Uint8Array(this.#wasm.memory.buffer, this.#output, this.#wasm.escapeJson(length))
  }
}
