import t from 'tap'
import { createKernel } from '../../src/text/create-kernel.js'
import type { Encoding } from '../../src/text/encoding.js'
import { CHUNK_BYTES, type Kernel } from '../../src/text/kernel.js'
import { createWasmKernel, supportsWasmKernel } from '../../src/text/wasm-kernel.js'
import { EDGE_BYTES, ENCODINGS, KERNELS, put, seek } from './kernel-oracle.js'

// By hand from https://encoding.spec.whatwg.org/#utf-8-decoder: bytes, characters passed, bytes passed.
const UTF_8_TABLE: Array<[string, number, number]> = [
  ['', 0, 0],
  ['EF BB BF 41', 2, 4],
  ['ED A0 80', 3, 3],
  ['ED A0 80 ED B0 80', 6, 6],
  ['F0 9F 98', 0, 0],
  ['41 F0 9F 98', 1, 1],
  ['F0 9F 98 80', 1, 4],
  ['F0 9F 98 41', 2, 4],
  ['F0 9F 98 F0 9F 98 80', 2, 7],
  ['F4 90', 2, 2],
  ['F4 8F', 0, 0],
  ['F4 8F BF BF', 1, 4],
  ['F0 80', 2, 2],
  ['F0 90', 0, 0],
  ['C0 80', 2, 2],
  ['C1 BF', 2, 2],
  ['C2', 0, 0],
  ['C2 C2', 1, 1],
  ['C2 80', 1, 2],
  ['C2 80 80', 2, 3],
  ['E0 80 80', 3, 3],
  ['E0 9F', 2, 2],
  ['E0 A0', 0, 0],
  ['E0 A0 80', 1, 3],
  ['ED 9F', 0, 0],
  ['ED A0', 2, 2],
  ['F5', 1, 1],
  ['FF', 1, 1],
  ['80', 1, 1],
  ['E2 82 41', 2, 3],
  ['E2 82', 0, 0],
  ['E2 82 E2 82 AC', 2, 5],
  ['E2 82 AC 80', 2, 4],
  ['F1 80 80 80 80', 2, 5],
  ['F1 80 80 E2 82', 1, 3]
]

// Code units, big-endian: the same.
const UTF_16_TABLE: Array<[string, number, number]> = [
  ['0041', 1, 2],
  ['00', 0, 0],
  ['0041 00', 1, 2],
  ['D83D DE00', 1, 4],
  ['D83D D83D DE00', 2, 6],
  ['D83D DE00 DE00', 2, 6],
  ['DE00 D83D 0041', 3, 6],
  ['DE00', 1, 2],
  ['D83D', 0, 0],
  ['0041 D83D', 1, 2],
  ['D83D DE', 0, 0],
  ['D83D D83D', 1, 2],
  ['DE00 D83D', 1, 2],
  ['3DD8 00DE', 2, 4],
  ['0A0A 000A 0A00', 3, 6]
]

t.test('tables of characters', async t => {
  for (const [name, kernel] of Object.entries({ ...KERNELS, chosen: createKernel() })) {
    for (const encoding of ENCODINGS) {
      for (const [hex, found, position] of encoding === 'utf-8' ? UTF_8_TABLE : UTF_16_TABLE) {
        const bytes = Buffer.from(hex.replaceAll(' ', ''), 'hex')
        const whole = bytes.subarray(0, bytes.length - bytes.length % 2)
        if (encoding === 'utf-16le') whole.swap16()
        for (const from of [0, 5]) {
          const range = { from, bytes, noise: 0xD8 }
          put(kernel, range)
          t.strictSame(seek(kernel, 'seekChars', encoding, range, 99), { found, position }, `${name} ${encoding} ${hex}`)
        }
      }
    }
  }
})

t.test('a table of line feeds', async t => {
  const rows: Array<[Encoding, string, number, number, number]> = [
    ['utf-8', '41 0A 0A 42', 0, 0, 0],
    ['utf-8', '41 0A 0A 42', 1, 1, 2],
    ['utf-8', '41 0A 0A 42', 2, 2, 3],
    ['utf-8', '41 0A 0A 42', 3, 2, 4],
    ['utf-8', 'E2 0A', 1, 1, 2],
    ['utf-16le', '0A00 000A 0A00 0A', 1, 1, 2],
    ['utf-16le', '0A00 000A 0A00 0A', 2, 2, 6],
    ['utf-16le', '0A00 000A 0A00 0A', 3, 2, 6],
    ['utf-16be', '0A00 000A 0A00 00', 1, 1, 4],
    ['utf-16be', '0A00 000A 0A00 00', 2, 1, 6],
    ['utf-16be', '0A', 1, 0, 0]
  ]
  for (const [name, kernel] of Object.entries(KERNELS)) {
    for (const [encoding, hex, count, found, position] of rows) {
      const range = { from: 3, bytes: Buffer.from(hex.replaceAll(' ', ''), 'hex'), noise: 0x0A }
      put(kernel, range)
      t.strictSame(seek(kernel, 'seekLines', encoding, range, count), { found, position }, `${name} ${encoding} ${hex}`)
    }
  }
})

t.test('what follows many ASCII bytes does not go on with what was before them', async t => {
  for (const gap of [0, 64, 128]) {
    for (let from = 0; from < 64; from++) {
      const bytes = Buffer.alloc(8192, 'a')
      bytes.set([0xE2, 0x82], 4094)
      bytes[4096 + gap] = 0x80
      const chars = bytes.length - (gap === 0 ? 2 : 1)
      for (const kernel of Object.values(KERNELS)) {
        put(kernel, { from, bytes, noise: 0x80 })
        kernel.seekChars('utf-8', from, from + bytes.length, CHUNK_BYTES)
        t.equal(kernel.found, chars)
        // An error elsewhere, so that the bytes are not taken for valid UTF-8.
        kernel.input[from + 8000] = 0xFF
        for (const skip of [0, from]) {
          kernel.seekChars('utf-8', from + skip, from + bytes.length, CHUNK_BYTES)
          t.equal(kernel.found, chars - skip)
        }
      }
    }
  }
})

t.test('all short sequences of edge bytes, at every place in a vector block', async () => {
  const { wasm, plain } = KERNELS as { wasm: Kernel, plain: Kernel }
  const is = () => `${wasm.found} at ${wasm.position}`
  let i = 0
  for (const a of EDGE_BYTES.slice(3)) {
    for (const b of EDGE_BYTES) {
      for (const c of EDGE_BYTES) {
        const from = 20 + i++ % 16
        const bytes = Buffer.from(EDGE_BYTES.flatMap(d => [a, b, c, d]))
        for (const kernel of [wasm, plain]) bytes.copy(kernel.input, from)
        for (const [skip, size] of [[0, bytes.length], [0, 3], [1, 3], [4, 4]] as const) {
          for (const kernel of [wasm, plain]) kernel.seekChars('utf-8', from + skip, from + skip + size, CHUNK_BYTES)
          if (wasm.found !== plain.found || wasm.position !== plain.position) {
            throw new Error(`${bytes.toString('hex')}: ${is()}, not ${plain.found} at ${plain.position}`)
          }
        }
      }
    }
  }
})

t.test('the chosen kernel is the fast one where it works', async t => {
  t.equal(supportsWasmKernel(), true)
  t.equal(createKernel().constructor, createWasmKernel().constructor)
  t.equal(createKernel().input.length, CHUNK_BYTES)
})
