import { Type } from '@sinclair/typebox'
import fc from 'fast-check'
import t from 'tap'
import { StringEnum } from '../schemas/common.js'
import { parseParameters, splitQuery } from '../src/parameters.js'

const Schema = Type.Object({
  name: Type.String(),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 10 })),
  big: Type.Optional(Type.Integer({ minimum: 0 })),
  flag: Type.Boolean({ default: true }),
  kind: Type.Optional(StringEnum(['a', 'b']))
})

t.test('values by their kind, and defaults', async t => {
  t.strictSame(parseParameters(Schema, [['name', ''], ['count', '10'], ['kind', 'b'], ['flag', 'false']]), {
    values: { name: '', count: 10, kind: 'b', flag: false }, faults: []
  })
  t.strictSame(parseParameters(Schema, [['name', 'x']]).values, { name: 'x', flag: true })
})

t.test('all faults are told', async t => {
  const { values, faults } = parseParameters(Schema, [['count', '0'], ['count', '1'], ['kind', 'c'], ['flag', ''], ['__proto__', '1']])
  t.equal(values, null)
  t.strictSame(faults.map(({ name }) => name), ['count', 'count', 'kind', 'flag', '__proto__', 'name'])
})

t.test('an integer is read only if it is written as it would be printed', async () => {
  const numbers = [fc.integer(), fc.double(), fc.maxSafeNat()].map(number => number.map(String))
  fc.assert(fc.property(
    fc.oneof(fc.string(), ...numbers, fc.stringMatching(/^[0+-]?[\dex.]{1,18}$/)),
    text => {
      const { values } = parseParameters(Schema, [['name', ''], ['big', text]])
      const isPlain = Number.isSafeInteger(Number(text)) && Number(text) >= 0 && String(Number(text)) === text
      return isPlain ? values?.big === Number(text) : values === null
    }
  ), { numRuns: 2000 })
})

t.test('a query is what an encoder made of its pairs', async t => {
  const text = fc.string({ unit: 'grapheme' })
  fc.assert(fc.property(fc.array(fc.tuple(text, text)), pairs => {
    const escaped = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&&')
    const form = new URLSearchParams(pairs).toString()
    t.strictSame(splitQuery(escaped), { pairs: pairs.length === 0 ? [] : pairs, fault: null })
    t.strictSame(splitQuery(form), { pairs, fault: null })
    return true
  }), { numRuns: 200 })
})

t.test('whatever the query, it is split or it has a fault', async () => {
  fc.assert(fc.property(fc.string({ unit: fc.constantFrom(...'%0123456789abcdefABCDEF&=+;?é\0') }), query => {
    const { pairs, fault } = splitQuery(query)
    const isMalformed = /%(?![0-9a-f]{2})/i.test(query)
    if (isMalformed) return fault !== null
    return fault !== null || pairs.every(([name, value]) => !/\p{Surrogate}/u.test(name + value))
  }), { numRuns: 2000 })
})
