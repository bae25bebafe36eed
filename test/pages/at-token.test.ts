import t, { type Test } from 'tap'
import { Problem } from '../../src/errors.js'
import { checkAt, makeAt, parseAt } from '../../src/pages/at-token.js'
import { readCharacters } from '../../src/pages/characters.js'
import { readLines } from '../../src/pages/lines.js'
import { TestFile, contentOf, makeReading, problemOf } from '../helpers/reading.js'

/** The token of a place, as the page before it gave it. */
function tokenAt (file: TestFile, startLine: number): string {
  return file.read(open => {
    const { nextAt } = readLines(open, { path: 'p', startLine: 1, maxLines: startLine - 1 }, makeReading(), false)
    return nextAt!
  })
}

function goOn (file: TestFile, token: string, startLine: number) {
  const at = parseAt(token, 'p', 'line', startLine)
  return file.read(open => {
    const page = readLines(open, { path: 'p', startLine, maxLines: 1, at }, makeReading(), false)
    return { ...page, content: contentOf(page), bytesRead: open.bytesRead }
  })
}

t.test('a token is of a path, a unit and a start', async t => {
  const file = new TestFile(t, 'one\ntwo\nthree\nfour\n')
  const token = tokenAt(file, 3)
  t.ok(token.length <= 512 && /^[\w.-]+$/.test(token), token)
  t.match(parseAt(token, 'p', 'line', 3), { unit: 'line', number: 3, byte: 8, midLine: false })
  t.match(goOn(file, token, 3), { content: 'three', startLine: 3 })
  t.match(goOn(file, token, 4), { content: 'four', startLine: 4 })
  t.match(goOn(file, token, 9), { content: '', lineCount: 0, totalLines: 4 })
  const refusals: [path: string, unit: 'line' | 'char', start: number][] = [['q', 'line', 3], ['p', 'char', 3], ['p', 'line', 2]]
  for (const [path, unit, start] of refusals) {
    t.match(problemOf(() => parseAt(token, path, unit, start)), { code: 'INVALID_REQUEST', members: { parameter: 'at' } })
  }
})

t.test('a token inside a line is for later lines alone', async t => {
  const file = new TestFile(t, 'one\ntwo\nthree\n')
  const token = file.read(open => makeAt(open, 'p', 'line', 1, 2, true))
  t.match(goOn(file, token, 2), { content: 'two', startByte: 4 })
  t.match(problemOf(() => goOn(file, token, 1)), { code: 'INVALID_REQUEST', members: { parameter: 'at' } })
})

t.test('what is no token', async t => {
  const token = tokenAt(new TestFile(t, 'one\ntwo\n'), 2)
  const parts = token.split('.')
  const changed = (index: number, part: string): string => parts.with(index, part).join('.')
  for (const forged of [
    '', '0', 'x', token.slice(0, -1), `${token}x`, ` ${token}`, `${token}.`, changed(0, '2l'), changed(0, '1x'), changed(0, 'l'),
    changed(1, '0'), changed(1, '02'), changed(1, '-1'), changed(1, '1e3'), changed(1, '9007199254740992'), changed(1, ''),
    changed(2, '04'), changed(2, '9007199254740992'), changed(2, '99999999999999999999'), changed(2, ''),
    changed(3, ''), changed(3, 'x'.repeat(15)), changed(4, 'x'.repeat(17)), changed(4, '!'.repeat(16)), changed(5, 'x'.repeat(8))
  ]) {
    t.match(problemOf(() => parseAt(forged, 'p', 'line', 2 ** 53 - 1)), { code: 'INVALID_REQUEST', members: { parameter: 'at' } }, forged)
  }
})

t.test('a token that was made up is checked against the file', async t => {
  const file = new TestFile(t, 'one\ntwo\n')
  const parts = tokenAt(file, 2).split('.')
  for (const byte of ['5', '8', '9', '4294967296', '9007199254740991']) {
    t.match(problemOf(() => goOn(file, parts.with(2, byte).join('.'), 2)), { code: 'FILE_CHANGED' }, byte)
  }
})

t.test('a file that has changed', async t => {
  const start = `one\ntwo\n${'x'.repeat(300)}\nfour\nfive\n`
  const changes: Record<string, (file: TestFile) => void> = {
    'another file': file => file.replace(start),
    'shorter than the position': file => file.truncate(8),
    empty: file => file.write(''),
    'another first byte': file => file.put('O', 0),
    'another byte right before the position': file => file.put('y', 307)
  }
  for (const [name, change] of Object.entries(changes)) {
    const file = new TestFile(t, start)
    const token = tokenAt(file, 4)
    change(file)
    t.match(problemOf(() => goOn(file, token, 4)), { code: 'FILE_CHANGED' }, name)
  }
})

t.test('growth, and changes behind the position, are fine', async t => {
  const file = new TestFile(t, 'one\ntwo\nthree\n')
  const token = tokenAt(file, 3)
  file.append('four\n')
  file.put('T', 8)
  t.match(goOn(file, token, 3), { content: 'Three', truncated: true, nextStartLine: 4 })
  file.truncate(8)
  t.match(goOn(file, token, 3), { content: '', lineCount: 0, totalLines: 2, startByte: 8 })
})

t.test('a page after a token costs the same wherever it lies', async t => {
  const file = new TestFile(t, `${'x'.repeat(99)}\n`.repeat(20_000))
  const at = file.read(open => makeAt(open, 'p', 'line', 10_001, 1_000_000))
  const { bytesRead, startByte } = goOn(file, at, 10_001)
  t.equal(startByte, 1_000_000)
  t.ok(bytesRead < 70_000, `${bytesRead}`)
})

/** Reads with a checkpoint that gives up after some chunks, and goes on from where that was, as often as it takes. */
function inPieces (t: Test, unit: 'line' | 'char', start: number, read: (at: object, checkpoint: () => void) => object) {
  let token: string | undefined
  for (let pieces = 1; ; pieces++) {
    let calls = 0
    const checkpoint = (reached?: () => { unit: string, number: number, byte: number, at: string }): void => {
      if (++calls < 3 || reached === undefined) return
      const { at, ...place } = reached()
      t.equal(place.unit, unit)
      t.ok(place.number <= start)
      // The place may be inside the line: the token is good for later ones alone.
      if (unit === 'line') t.throws(() => parseAt(at, 'p', unit, place.number), { code: 'INVALID_REQUEST' })
      token = at
      throw new Problem('READ_LIMIT_EXCEEDED', 'time is over')
    }
    try {
      const page = read(token === undefined ? {} : { at: parseAt(token, 'p', unit, start) }, checkpoint)
      return { page, pieces }
    } catch (error) {
      if (!(error instanceof Problem)) throw error
    }
  }
}

const text = `${'é€😀 line\r\n'.repeat(20)}${'long '.repeat(50)}\n\n${'ab\n'.repeat(30)}end`

for (const [name, bytes] of Object.entries({
  'UTF-8': Buffer.from(text),
  'a mark': Buffer.from(`\uFEFF${text}`),
  'UTF-16': Buffer.from(`\uFEFF${text}`, 'utf16le'),
  malformed: Buffer.from(text, 'latin1')
})) {
  t.test(`a scan that is given up goes on from where it was: ${name}`, async t => {
    const file = new TestFile(t, bytes)
    const chunkBytes = 21
    for (const startLine of [22, 40, 53, 60]) {
      const query = { path: 'p', startLine, maxLines: 2 }
      const whole = file.read(open => readLines(open, query, makeReading({ chunkBytes }), false))
      const { page, pieces } = inPieces(t, 'line', startLine, (at, checkpoint) => file.read(open =>
        readLines(open, { ...query, ...at }, makeReading({ chunkBytes, checkpoint }), false)))
      t.strictSame(page, whole)
      t.ok(pieces > 5, `${pieces} pieces`)
    }
    for (const offsetChars of [150, 400, 600, 9999]) {
      const query = { path: 'p', offsetChars, limitChars: 9 }
      const whole = file.read(open => readCharacters(open, query, makeReading({ chunkBytes })))
      const { page, pieces } = inPieces(t, 'char', offsetChars, (at, checkpoint) => file.read(open =>
        readCharacters(open, { ...query, ...at }, makeReading({ chunkBytes, checkpoint }))))
      t.strictSame(page, whole)
      t.ok(pieces > 3, `${pieces} pieces`)
    }
  })
}

t.test('a place that is reached is told with its number and byte', async t => {
  const file = new TestFile(t, 'ab\ncdefg\nhi\n')
  const told: object[] = []
  const checkpoint = (reached?: () => { number: number, byte: number }): void => {
    if (reached === undefined) return
    const { number, byte } = reached()
    told.push({ number, byte })
  }
  file.read(open => readLines(open, { path: 'p', startLine: 3, maxLines: 1 }, makeReading({ chunkBytes: 4, checkpoint }), false))
  t.strictSame(told, [{ number: 2, byte: 4 }, { number: 2, byte: 8 }])
})

t.test('the file is checked before it is scanned', async t => {
  const file = new TestFile(t, 'one\ntwo\nthree\n')
  const at = parseAt(tokenAt(file, 3), 'p', 'line', 3)
  file.put('x', 0)
  t.throws(() => file.read(open => checkAt(open, at)), { code: 'FILE_CHANGED', status: 409 })
})
