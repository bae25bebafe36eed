import type { Kernel } from './kernel.js'
import { createPlainKernel } from './plain-kernel.js'
import { createWasmKernel, supportsWasmKernel } from './wasm-kernel.js'

export function createKernel (): Kernel {
  return supportsWasmKernel() ? createWasmKernel() : createPlainKernel()
}
