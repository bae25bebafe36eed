import fc from 'fast-check'
import t from 'tap'
import { Problem } from '../../src/errors.js'
import { parseRequestPath, toPath } from '../../src/files/request-path.js'

const ROOTS = ['/srv/root', '/mnt/real'].map(name => name.slice(1).split('/'))

/** As `parseRequestPath`, but what it throws is its code. */
function parse (path: string): string[] | string {
  try {
    return parseRequestPath(path, ROOTS)
  } catch (error) {
    if (error instanceof Problem) return error.code
    throw error
  }
}

/** The rule of the contract, said another way, by text. */
function expectedOf (path: string): string {
  const names = path.split(/\/+/).filter(name => name !== '' && name !== '.')
  const isWellFormed = Buffer.byteLength(path) <= 4096 && !path.includes('\0') && !/(^|\/)\.?$/.test(path) && !names.includes('..')
  if (!isWellFormed) return 'INVALID_PATH'
  const normal = path.startsWith('/') ? `/${names.join('/')}` : names.join('/')
  const relative = normal.startsWith('/') ? /^\/(?:srv\/root|mnt\/real)(?:\/(.*)|$)/s.exec(normal) : [normal, normal]
  const counted = relative === null ? names : (relative[1] ?? '').split('/')
  if (counted.length > 64 || counted.some(name => Buffer.byteLength(name) > 255)) return 'INVALID_PATH'
  if (relative === null) return 'PATH_OUTSIDE_ROOT'
  return relative[1] === undefined ? 'INVALID_PATH' : relative[1]
}

const piece = fc.constantFrom('/', '/', '/', '.', '..', 'a', '..keep', '...', '\0', ' ', '\\', '%2e', 'é', '日', '😀', 'x'.repeat(254), '/srv/root', '/mnt/real', 'srv')
const path = fc.oneof(
  fc.array(piece, { maxLength: 30 }).map(pieces => pieces.join('')),
  fc.tuple(fc.constantFrom('', '/srv/root/', '/mnt/real/', '/srv/'), fc.integer({ min: 60, max: 66 }))
    .map(([root, count]) => root + 'd/'.repeat(count - 1) + 'f'),
  fc.string({ unit: 'grapheme' })
)

t.test('any path: the components of its normal form, or a refusal', async t => {
  fc.assert(fc.property(path, path => {
    const parsed = parse(path)
    return expectedOf(path) === (typeof parsed === 'string' ? parsed : toPath(parsed))
  }), { numRuns: 5000 })
  t.pass()
})

t.test('what it accepts is what a walk may hand to the kernel', async t => {
  fc.assert(fc.property(path, path => {
    const parsed = parse(path)
    return typeof parsed === 'string' ||
      (parsed.length > 0 && parsed.every(name => !['', '.', '..'].includes(name) && !/[/\0\u0100-\uFFFF]/.test(name)))
  }), { numRuns: 5000 })
  t.pass()
})

t.test('a normal form is its own', async t => {
  fc.assert(fc.property(path, path => {
    const parsed = parse(path)
    if (typeof parsed !== 'string') t.strictSame(parse(toPath(parsed)), parsed)
  }))
})
