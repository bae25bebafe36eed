import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import type { Encoding } from '../../src/text/encoding.js'
import { endsWithLineFeed, lastLineFeedEnd } from '../../src/text/line-feeds.js'

const LINE_FEEDS: Record<Encoding, string> = { 'utf-8': '0a', 'utf-16le': '0a00', 'utf-16be': '000a' }
const encodings = fc.constantFrom<Encoding>('utf-8', 'utf-16le', 'utf-16be')

t.test('the last line feed, by code units', async () => {
  const bytes = fc.array(fc.constantFrom(0x0A, 0x0A, 0, 0, 0x41), { maxLength: 12, size: 'max' })
  fc.assert(fc.property(encodings, bytes, fc.nat(3), (encoding, bytes, before) => {
    const source = Buffer.from([...Buffer.alloc(before, 0x0A), ...bytes, 0x0A, 0, 0x0A])
    const to = before + bytes.length
    const unit = encoding === 'utf-8' ? 1 : 2
    const units: string[] = Buffer.from(bytes).toString('hex').match(new RegExp(`.{${2 * unit}}`, 'g')) ?? []
    const last = units.lastIndexOf(LINE_FEEDS[encoding])
    assert.equal(lastLineFeedEnd(encoding, source, before, to), before + (last + 1) * unit)
    const ends = bytes.length % unit === 0 && units.at(-1) === LINE_FEEDS[encoding]
    assert.equal(endsWithLineFeed(encoding, source, before, to), ends)
  }), { numRuns: 5000 })
})
