import fc from 'fast-check'
import t from 'tap'
import { makeCursorToken, parseAck } from '../../src/cursors/cursor-token.js'
import { TOKEN_PATTERN } from '../../schemas/common.js'

const digest = fc.stringMatching(/^[\w-]{16}$/)
const key = fc.record({
  owner: fc.string(), run: fc.stringMatching(/^[a-z0-9][a-z0-9._:-]{0,20}$/), path: fc.string({ unit: 'grapheme', minLength: 1 })
})
const cursor = fc.record({
  id: fc.string(),
  seq: fc.oneof(fc.nat(), fc.constant(2 ** 53 - 2)),
  position: fc.record({ byte: fc.maxSafeNat(), identity: digest, digest }, { noNullPrototype: true }),
  page: fc.constant(null)
})

t.test('a token says where it was made', async t => {
  fc.assert(fc.property(key, cursor, (key, cursor) => {
    const token = makeCursorToken(key, cursor)
    const { seq, position } = cursor
    return new RegExp(TOKEN_PATTERN).test(token) && token.length <= 512 &&
      t.strictSame(parseAck(token, key), { seq, position })
  }), { numRuns: 50 })
  t.strictSame(parseAck('0', { owner: '', run: 'a', path: 'b' }), { seq: 0, position: null })
})

t.test('a token of another run or path is refused', async t => {
  fc.assert(fc.property(key, key, cursor, (key, other, cursor) => {
    fc.pre(key.run !== other.run || key.path !== other.path)
    t.throws(() => parseAck(makeCursorToken(key, cursor), other), { code: 'INVALID_REQUEST', members: { parameter: 'ack' } })
  }), { numRuns: 50 })
})

t.test('a token that was tampered with is refused, or says something in range', async () => {
  fc.assert(fc.property(key, cursor, fc.nat(), fc.string({ maxLength: 3 }), (key, cursor, at, text) => {
    const token = makeCursorToken(key, cursor)
    const place = at % token.length
    const tampered = token.slice(0, place) + text + token.slice(place + at % 4)
    try {
      const { seq, position } = parseAck(tampered, key)
      return Number.isSafeInteger(seq + 1) && (position === null || Number.isSafeInteger(position.byte))
    } catch (error) {
      return (error as { code?: string }).code === 'INVALID_REQUEST'
    }
  }))
})
