import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { transcode, type TranscodeResult } from '../../src/text/transcode.js'
import { charactersOf, countMalformed, joined } from '../helpers/oracle.js'
import { FILES } from '../helpers/oracle-files.js'
import type { Encoding } from '../../src/text/encoding.js'

const SENTINEL = 0xA5
const encoding = fc.constantFrom<Encoding>('utf-8', 'utf-16le', 'utf-16be')
const source = fc.oneof(...Object.values(FILES))
const question = fc.record({
  before: fc.nat(5), limit: fc.nat(120), maxBytes: fc.oneof(fc.nat(12), fc.nat(400)), final: fc.boolean(), at: fc.nat(5)
})

t.test('as many whole characters as fit', async () => {
  fc.assert(fc.property(encoding, source, question, (encoding, bytes, asked) => {
    const { before, maxBytes, final, at } = asked
    const limit = Math.min(asked.limit, bytes.length)
    // Noise on either side, which must not be looked at.
    const around = Buffer.concat([Buffer.alloc(before, 0xF0), bytes, Buffer.alloc(4, 0x80)])
    const output = Buffer.alloc(at + 500, SENTINEL)
    const input = { encoding, source: around, from: before, to: before + bytes.length, limit: before + limit, final }
    const result = transcode(input, output, at, maxBytes)

    const given = charactersOf(encoding, bytes).filter(({ end, cut }) => end <= limit && (final || !cut))
    let written = 0
    const over = given.findIndex(({ text }) => (written += Buffer.byteLength(text)) > maxBytes)
    const taken = over === -1 ? given : given.slice(0, over)
    const content = Buffer.from(joined(taken))
    const expected: TranscodeResult = {
      position: before + (taken.at(-1)?.end ?? 0),
      written: content.length,
      replacements: countMalformed(taken),
      full: over !== -1
    }
    assert.deepEqual(result, expected)
    assert.deepEqual(output.subarray(at, at + content.length), content)
    const untouched = Buffer.concat([output.subarray(0, at), output.subarray(at + content.length)])
    assert.ok(untouched.every(byte => byte === SENTINEL), 'writes nothing else')
  }), { numRuns: 4000 })
})

t.test('in pieces, what was not passed being given again', async () => {
  const sizes = fc.infiniteStream(fc.integer({ min: 4, max: 20 }))
  fc.assert(fc.property(encoding, source, sizes, (encoding, bytes, sizes) => {
    const output = Buffer.alloc(1000)
    const sum = { from: 0, written: 0, replacements: 0 }
    while (sum.from < bytes.length) {
      const to = Math.min(bytes.length, sum.from + sizes.next().value!)
      const input = { encoding, source: bytes, from: sum.from, to, limit: to, final: to === bytes.length }
      const { position, written, replacements } = transcode(input, output, sum.written, 1000)
      assert.ok(position > sum.from, 'progress')
      sum.from = position
      sum.written += written
      sum.replacements += replacements
    }
    const characters = charactersOf(encoding, bytes)
    assert.equal(output.toString('utf8', 0, sum.written), joined(characters))
    assert.equal(sum.replacements, countMalformed(characters))
  }), { numRuns: 1000 })
})

const table: [encoding: Encoding, hex: string, text: string, replacements: number][] = [
  ['utf-8', '', '', 0],
  ['utf-8', '61c3a9e282acf09f9880', 'aé€😀', 0],
  ['utf-8', 'efbbbf61', '\uFEFFa', 0],
  ['utf-8', 'efbfbd', '\uFFFD', 0],
  ['utf-8', 'eda080', '\uFFFD\uFFFD\uFFFD', 3],
  ['utf-8', 'c080', '\uFFFD\uFFFD', 2],
  ['utf-8', 'e28241', '\uFFFDA', 1],
  ['utf-8', 'f09f9841', '\uFFFDA', 1],
  ['utf-8', 'f4908080', '\uFFFD\uFFFD\uFFFD\uFFFD', 4],
  ['utf-8', 'e282', '\uFFFD', 1],
  ['utf-16le', '3dd800de', '😀', 0],
  ['utf-16be', 'd83dde00', '😀', 0],
  ['utf-16le', '00de3dd8', '\uFFFD\uFFFD', 2],
  ['utf-16le', '00d800d800dc', '\uFFFD\u{10000}', 1],
  ['utf-16le', '00d841', '\uFFFD', 1],
  ['utf-16le', 'fdff', '\uFFFD', 0],
  ['utf-16be', '004100', 'A\uFFFD', 1]
]

t.test('by hand', async t => {
  for (const [encoding, hex, text, replacements] of table) {
    const source = Buffer.from(hex, 'hex')
    const output = Buffer.alloc(100)
    const input = { encoding, source, from: 0, to: source.length, limit: source.length, final: true }
    const result = transcode(input, output, 0, 100)
    t.strictSame(
      { ...result, text: output.toString('utf8', 0, result.written) },
      { text, replacements, position: source.length, written: Buffer.byteLength(text), full: false }, `${encoding} ${hex}`)
  }
})
