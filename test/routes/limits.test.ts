import t from 'tap'
import { BytesQuery } from '../../schemas/bytes.js'
import { CharactersPage, ReadQuery } from '../../schemas/read.js'
import { PeekQuery, TailPage, TailQuery } from '../../schemas/tail.js'
import { DIFFERENCES } from '../../src/files/position.js'
import { MAX_BYTE_WINDOW } from '../../src/pages/bytes.js'
import { MAX_CHARS } from '../../src/pages/characters.js'
import { MAX_TAIL_BYTES } from '../../src/pages/tail.js'

// The schemas import nothing of the service, so that a client can be made from them: here both are compared.
t.test('the schemas allow what the readers can do', async t => {
  t.equal(BytesQuery.properties.limit.maximum, MAX_BYTE_WINDOW)
  t.equal(ReadQuery.properties.maxLineBytes.maximum, MAX_BYTE_WINDOW, 'what is left of a line has a window')
  t.equal(ReadQuery.properties.limitChars.maximum, MAX_CHARS)
  t.equal(CharactersPage.properties.charCount.maximum, MAX_CHARS)
  for (const { properties } of [PeekQuery, TailQuery]) {
    t.equal(properties.maxBytes.maximum, MAX_TAIL_BYTES)
    t.equal(properties.maxBytes.default, MAX_TAIL_BYTES)
  }
  const [reset] = TailPage.properties.reset.anyOf
  t.strictSame(reset.properties.reason.enum, DIFFERENCES)
})
