import fs from 'node:fs'
import t from 'tap'
import { differenceAt, positionAt, type Difference } from '../../src/files/position.js'
import { TestFile } from '../helpers/reading.js'

const SIZE = 1000
const BYTE = 600
const original = Buffer.from(Array.from({ length: SIZE }, (_, index) => 0x21 + index % 90))

function flipped (...indexes: number[]): Buffer {
  const bytes = Buffer.from(original)
  for (const index of indexes) bytes[index]! ^= 1
  return bytes
}

const between = Array.from({ length: BYTE - 64 - 256 }, (_, index) => 256 + index)

interface Change { name: string, change: (file: TestFile) => void, expected: Difference | null, byte?: number }

const CHANGES: Change[] = [
  { name: 'nothing', change: () => {}, expected: null },
  { name: 'growth', change: file => file.append('more'), expected: null },
  { name: 'rewritten as it was', change: file => file.write(original), expected: null },
  { name: 'replaced by a rename', change: file => file.replace(flipped(0)), expected: 'replaced' },
  { name: 'replaced by an equal file', change: file => file.replace(original), expected: 'replaced' },
  { name: 'replaced by a shorter file', change: file => file.replace('x'), expected: 'replaced' },
  { name: 'truncated to nothing', change: file => file.truncate(0), expected: 'truncated' },
  { name: 'truncated a byte before', change: file => file.truncate(BYTE - 1), expected: 'truncated' },
  { name: 'truncated at the position', change: file => file.truncate(BYTE), expected: null },
  { name: 'truncated behind', change: file => file.truncate(BYTE + 1), expected: null },
  { name: 'truncated and longer again', change: file => file.write('x'.repeat(2 * SIZE)), expected: 'rewritten' },
  { name: 'the first byte', change: file => file.write(flipped(0)), expected: 'rewritten' },
  { name: 'the last of the first 256', change: file => file.write(flipped(255)), expected: 'rewritten' },
  { name: 'behind the first 256', change: file => file.write(flipped(256)), expected: null },
  { name: 'all between', change: file => file.write(flipped(...between)), expected: null },
  { name: 'before the last 64', change: file => file.write(flipped(BYTE - 65)), expected: null },
  { name: 'the first of the last 64', change: file => file.write(flipped(BYTE - 64)), expected: 'rewritten' },
  { name: 'the last byte', change: file => file.write(flipped(BYTE - 1)), expected: 'rewritten' },
  { name: 'the byte behind', change: file => file.write(flipped(BYTE)), expected: null },
  { name: 'at byte 1, the first byte', byte: 1, change: file => file.write(flipped(0)), expected: 'rewritten' },
  { name: 'at byte 1, the second byte', byte: 1, change: file => file.write(flipped(1)), expected: null },
  { name: 'at byte 1, nothing is left', byte: 1, change: file => file.truncate(0), expected: 'truncated' },
  { name: 'at byte 256, the last byte', byte: 256, change: file => file.write(flipped(255)), expected: 'rewritten' },
  { name: 'at byte 300, in between', byte: 300, change: file => file.write(flipped(250)), expected: 'rewritten' },
  { name: 'at the end, growth', byte: SIZE, change: file => file.append('x'), expected: null },
  { name: 'at byte 0, replaced', byte: 0, change: file => file.replace('x'), expected: null },
  { name: 'at byte 0, truncated', byte: 0, change: file => file.truncate(0), expected: null },
  { name: 'at byte 0, rewritten', byte: 0, change: file => file.write('x'), expected: null }
]

for (const { name, change, expected, byte = BYTE } of CHANGES) {
  t.test(name, async t => {
    const file = new TestFile(t, original)
    const position = file.read(file => positionAt(file, byte))
    t.equal(position.byte, byte)
    change(file)
    t.equal(file.read(file => differenceAt(file, position)), expected)
  })
}

t.test('a new file with the old inode', async t => {
  const file = new TestFile(t, original)
  const position = file.read(file => positionAt(file, BYTE))
  const { ino } = fs.statSync(file.path)
  for (let attempt = 0; attempt < 100; attempt++) {
    fs.unlinkSync(file.path)
    file.write(original)
    if (fs.statSync(file.path).ino === ino) {
      t.equal(file.read(file => differenceAt(file, position)), 'replaced')
      return
    }
  }
  t.pass('this file system does not give the inode again', { skip: 'an inode that is given again' })
})

t.test('a file that is truncated while it is compared', async t => {
  for (const [length, expected] of [[0, 'truncated'], [100, 'truncated'], [BYTE - 1, 'truncated'], [BYTE, null]] as const) {
    const file = new TestFile(t, original)
    const position = file.read(file => positionAt(file, BYTE))
    const truncate = (): void => file.truncate(length)
    t.equal(file.read(file => differenceAt(file, position), { read: truncate }), expected, `to ${length}`)
  }
})

t.test('a position that is taken of a page moves no extent', async t => {
  const file = new TestFile(t, original)
  file.read(open => {
    positionAt(open, BYTE)
    t.equal(open.extent, SIZE)
  }, { read: () => file.truncate(10) })
})
