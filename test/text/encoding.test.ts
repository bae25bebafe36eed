import t from 'tap'
import { detectMark, mayBecomeMark, unitBytes } from '../../src/text/encoding.js'

const marks: [hex: string, encoding: string, markBytes: number][] = [
  ['', 'utf-8', 0], ['61', 'utf-8', 0], ['efbbbf', 'utf-8', 3], ['efbbbf61', 'utf-8', 3], ['efbb', 'utf-8', 0],
  ['efbbbe', 'utf-8', 0], ['ef', 'utf-8', 0], ['fffe', 'utf-16le', 2], ['fffe00', 'utf-16le', 2], ['ff', 'utf-8', 0],
  ['feff', 'utf-16be', 2], ['feff00', 'utf-16be', 2], ['fe', 'utf-8', 0], ['ffff', 'utf-8', 0], ['fefe', 'utf-8', 0],
  // UTF-32 is not told from UTF-16 that begins with NUL.
  ['fffe0000', 'utf-16le', 2], ['0000feff', 'utf-8', 0], ['61efbbbf', 'utf-8', 0]
]

t.test('the mark at the start of a file', async t => {
  for (const [hex, encoding, markBytes] of marks) {
    t.strictSame(detectMark(Buffer.from(hex, 'hex')), { encoding, markBytes }, hex)
  }
})

t.test('bytes that may become a mark', async t => {
  const mayBecome = ['ef', 'efbb', 'ff', 'fe']
  for (const hex of [...mayBecome, ...marks.map(([hex]) => hex), 'efef', 'bb', 'bf', 'efbf', 'efbb61']) {
    t.equal(mayBecomeMark(Buffer.from(hex, 'hex')), mayBecome.includes(hex), hex)
  }
})

t.test('code units', async t => {
  t.strictSame((['utf-8', 'utf-16le', 'utf-16be'] as const).map(unitBytes), [1, 2, 2])
})
