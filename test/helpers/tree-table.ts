import type { Test } from 'tap'
import type { ProblemCode } from '../../src/errors.js'
import { deviceMissing, type Tree } from './tree.js'

/** What a read of a path beneath a tree comes to: the content, or why there is none. */
export type Outcome = { content: string } | { code: ProblemCode }

export interface TreeCase {
  name: string
  /** See `makeTree`. */
  tree: string[]
  /** As in a request; `<root>` and the like stand for names. */
  path: string
  expected: string | { code: ProblemCode }
  skip: string | false
}

const OUTSIDE = { code: 'PATH_OUTSIDE_ROOT' } as const
const MISSING = { code: 'FILE_NOT_FOUND' } as const
const NOT_A_FILE = { code: 'NOT_A_FILE' } as const
const INVALID = { code: 'INVALID_PATH' } as const

/** l1 => l2, l2 => l3, … and the last to the target: following `l1` takes `count` links. */
function chain (count: number, target: string): string[] {
  return Array.from({ length: count }, (_, index) => `l${index + 1} => ${index + 1 < count ? `l${index + 2}` : target}`)
}

type Row = [name: string, tree: string[], path: string, expected: TreeCase['expected'], skip?: string | false]

const names: Row[] = [
  ['a file', ['f'], 'f', 'f'],
  ['a nested file', ['a/b/f'], 'a/b/f', 'a/b/f'],
  ['an empty file', ['f = '], 'f', ''],
  ['`.` between', ['a/b'], 'a/./b', 'a/b'],
  ['`.` before', ['f'], './f', 'f'],
  ['two slashes between', ['a/b'], 'a//b', 'a/b'],
  ['`..keep`', ['..keep'], '..keep', '..keep'],
  ['`..keep` as a folder', ['..keep/f'], '..keep/f', '..keep/f'],
  ['`...`', ['...'], '...', '...'],
  ['`...` as a folder', ['.../f'], '.../f', '.../f'],
  ['`a..b`', ['a..b'], 'a..b', 'a..b'],
  ['`a..`', ['a..'], 'a..', 'a..'],
  ['a hidden file', ['.f'], '.f', '.f'],
  ['spaces', [' a b /f '], ' a b /f ', ' a b /f '],
  ['backslashes', ['a\\b\\..\\f'], 'a\\b\\..\\f', 'a\\b\\..\\f'],
  ['backslashes that would climb', [], '..\\outside\\secret', MISSING],
  ['percent signs', ['%2e%2e%2ff'], '%2e%2e%2ff', '%2e%2e%2ff'],
  ['percent signs are not decoded again', ['a/f'], 'a%2ff', MISSING],
  ['a newline', ['a\nb'], 'a\nb', 'a\nb'],
  ['`+`, `&`, `#` and `?`', ['a+b&c#d?e'], 'a+b&c#d?e', 'a+b&c#d?e'],
  ['a name of many bytes a character', ['日本/😀'], '日本/😀', '日本/😀'],
  ['another normal form is another name', ['\u00E9'], 'e\u0301', MISSING],
  ['an upper-case name is another name', ['f'], 'F', MISSING],
  ['a drive letter is a name', ['C:/f'], 'C:/f', 'C:/f'],
  ['missing', ['f'], 'g', MISSING],
  ['missing in a folder', ['a/'], 'a/f', MISSING],
  ['a missing folder', [], 'a/f', MISSING],
  ['a file as a folder', ['f'], 'f/g', MISSING],
  ['a FIFO as a folder', ['p|'], 'p/g', MISSING],
  ['U+FFFD names no file that is not UTF-8', ['\\xFF = x'], '\uFFFD', MISSING]
]

const kinds: Row[] = [
  ['a folder', ['a/'], 'a', NOT_A_FILE],
  ['a FIFO, which nobody writes to', ['p|'], 'p', NOT_A_FILE],
  ['a socket', ['s='], 's', NOT_A_FILE],
  ['a device', ['c%'], 'c', NOT_A_FILE, deviceMissing()],
  ['a link to a folder', ['a/', 'l => a'], 'l', NOT_A_FILE],
  ['a link to a FIFO', ['p|', 'l => p'], 'l', NOT_A_FILE],
  ['a link to a folder, with a slash', ['a/', 'l => a/'], 'l', NOT_A_FILE],
  ['a link to a folder, with `/.`', ['a/', 'l => a/.'], 'l', NOT_A_FILE],
  ['a link to the root', ['l => .'], 'l', NOT_A_FILE],
  ['a link to the root by its configured name', ['l => <root>'], 'l', NOT_A_FILE],
  ['a link to the root by its canonical name', ['l => <real>/'], 'l', NOT_A_FILE],
  ['a link up to the root', ['a/l => ..'], 'a/l', NOT_A_FILE],
  ['a link to its own folder', ['a/l => ./'], 'a/l', NOT_A_FILE]
]

const links: Row[] = [
  ['a link', ['f', 'l => f'], 'l', 'f'],
  ['a link in a folder', ['a/f', 'a/l => f'], 'a/l', 'a/f'],
  ['a link down', ['a/b/f', 'l => a/b/f'], 'l', 'a/b/f'],
  ['a link up', ['f', 'a/b/l => ../../f'], 'a/b/l', 'f'],
  ['a link up and down', ['a/f', 'b/l => ../a/f'], 'b/l', 'a/f'],
  ['a link with `..` after a folder', ['a/b/', 'a/f', 'l => a/b/../f'], 'l', 'a/f'],
  ['a link with `..` after a missing folder', ['f', 'l => a/../f'], 'l', MISSING],
  ['a link with `..` after a file', ['f', 'l => f/../f'], 'l', MISSING],
  ['`..` counts from where a link led', ['a/b/', 'a/f', 'b/f', 'd => a/b', 'l => d/../f'], 'l', 'a/f'],
  ['a link with slashes and dots', ['a/f', 'l => .//a/././/f'], 'l', 'a/f'],
  ['a link in mid-path', ['a/f', 'd => a'], 'd/f', 'a/f'],
  ['a link in mid-path, with a slash', ['a/f', 'd => a/'], 'd/f', 'a/f'],
  ['a link in mid-path to a link to a folder', ['a/b/f', 'c => a', 'd => c/b'], 'd/f', 'a/b/f'],
  ['a link through a link to a folder', ['a/b/f', 'd => a', 'l => d/b/f'], 'l', 'a/b/f'],
  ['a link in mid-path to the root', ['a/d => ..', 'f'], 'a/d/f', 'f'],
  ['a link in mid-path to a file', ['f', 'd => f'], 'd/g', MISSING],
  ['the same link again and again', ['a/d => ../a', 'a/f'], 'a/d/d/d/d/f', 'a/f'],
  ['a chain', [...chain(3, 'f'), 'f'], 'l1', 'f'],
  ['a chain of 40', [...chain(40, 'f'), 'f'], 'l1', 'f'],
  ['a chain of 41', [...chain(41, 'f'), 'f'], 'l1', MISSING],
  ['40 links in mid-path', ['a/d => .', 'a/f'], `a/${'d/'.repeat(40)}f`, 'a/f'],
  ['41 links in mid-path', ['a/d => .', 'a/f'], `a/${'d/'.repeat(41)}f`, MISSING],
  ['a loop of one', ['l => l'], 'l', MISSING],
  ['a loop of two', ['l => m', 'm => l'], 'l', MISSING],
  ['a loop in mid-path', ['d => d'], 'd/f', MISSING],
  ['a loop that grows', ['d => d/d'], 'd/f', MISSING],
  ['dangling', ['l => f'], 'l', MISSING],
  ['dangling in mid-path', ['d => a'], 'd/f', MISSING],
  ['a link to a file, with a slash', ['f', 'l => f/'], 'l', MISSING],
  ['a link to a file, with `/.`', ['f', 'l => f/.'], 'l', MISSING],
  ['a link to a file, with `/..`', ['a/f', 'l => a/f/..'], 'l', MISSING],
  ['a link to a link to a file, with a slash', ['f', 'l => f', 'm => l/'], 'm', MISSING],
  ['a link to a missing name, with a slash', ['l => f/'], 'l', MISSING],
  ['a link to a FIFO, with a slash', ['p|', 'l => p/'], 'l', MISSING],
  ['a link with a component of 256 bytes', [`l => ${'a'.repeat(256)}`], 'l', MISSING],
  ['a link to a name that is not UTF-8', ['\\xFF\\xC0 = bytes', 'l => \\xFF\\xC0'], 'l', 'bytes'],
  ['a link to a folder whose name is not UTF-8', ['\\xE9/f = bytes', 'd => \\xE9'], 'd/f', 'bytes']
]

const absoluteLinks: Row[] = [
  ['under the configured name', ['a/f', 'b/l => <root>/a/f'], 'b/l', 'a/f'],
  ['under the canonical name', ['a/f', 'b/l => <real>/a/f'], 'b/l', 'a/f'],
  ['in mid-path', ['a/f', 'b/d => <root>/a'], 'b/d/f', 'a/f'],
  ['in mid-path to the root', ['f', 'a/d => <real>'], 'a/d/f', 'f'],
  ['with many slashes', ['f', 'l => /<root>///./f'], 'l', 'f'],
  ['with `..` beneath the root', ['a/', 'f', 'l => <root>/a/../f'], 'l', 'f'],
  ['dangling beneath the root', ['l => <root>/f'], 'l', MISSING],
  ['with a slash, to a file', ['f', 'l => <root>/f/'], 'l', MISSING],
  ['over `..` at the root and back', ['f', 'l => <root>/../root/f'], 'l', OUTSIDE],
  ['over `..` above the root and back', ['a/f', 'l => <root>/a/../../real/a/f'], 'l', OUTSIDE],
  ['over another folder and back', ['f', 'l => <outside>/../root/f'], 'l', OUTSIDE],
  ['to a name that starts as the root\'s', ['l => <root>-2/f'], 'l', OUTSIDE],
  ['to the root\'s parent', ['l => <root>/..'], 'l', OUTSIDE],
  ['to `/`', ['l => /'], 'l', OUTSIDE],
  ['to a file outside', ['l => <outside>/secret'], 'l', OUTSIDE],
  ['to a missing file outside', ['l => <outside>/missing'], 'l', OUTSIDE],
  ['to a folder outside, in mid-path', ['d => <outside>'], 'd/secret', OUTSIDE],
  ['to a missing folder outside, in mid-path', ['d => <outside>/missing'], 'd/secret', OUTSIDE],
  ['to this process', ['l => /proc/self/environ'], 'l', OUTSIDE],
  ['to this process\'s working directory', ['d => /proc/self/cwd'], 'd/package.json', OUTSIDE]
]

const leavingLinks: Row[] = [
  ['to a file', ['l => ../outside/secret'], 'l', OUTSIDE],
  ['to a missing file', ['l => ../outside/missing'], 'l', OUTSIDE],
  ['to a file, from a folder', ['a/l => ../../outside/secret'], 'a/l', OUTSIDE],
  ['in mid-path', ['d => ../outside'], 'd/secret', OUTSIDE],
  ['in mid-path, to nothing', ['d => ../missing'], 'd/secret', OUTSIDE],
  ['to the parent', ['l => ..'], 'l', OUTSIDE],
  ['to the parent, in mid-path', ['d => ..'], 'd/outside/secret', OUTSIDE],
  ['by two links', ['a => ..', 'l => a/outside/secret'], 'l', OUTSIDE],
  ['by a chain', [...chain(3, '../outside/secret')], 'l1', OUTSIDE],
  ['and back', ['f', 'l => ../real/f'], 'l', OUTSIDE],
  ['and back by the configured name', ['f', 'l => ../root/f'], 'l', OUTSIDE],
  ['and back, in mid-path', ['a/f', 'd => ../real/a'], 'd/f', OUTSIDE],
  ['`..` after a link that led down', ['a/', 'd => a', 'l => d/../../outside/secret'], 'l', OUTSIDE],
  ['`..` after a link that led up', ['a/b/d => ../..', 'l => a/b/d/../outside/secret'], 'l', OUTSIDE],
  ['far above `/`', [`l => ${'../'.repeat(40)}etc/passwd`], 'l', OUTSIDE],
  ['behind a folder that is missing', ['l => a/../../outside/secret'], 'l', MISSING]
]

const longest = 'x'.repeat(255)
const limits: Row[] = [
  ['64 components', [`${'d/'.repeat(63)}f = x`], `${'d/'.repeat(63)}f`, 'x'],
  ['65 components', [], `${'d/'.repeat(64)}f`, INVALID],
  ['64 components, and others that are dropped', [`${'d/'.repeat(63)}f = x`], `./${'d//./'.repeat(63)}f`, 'x'],
  ['a component of 255 bytes', [`${longest} = x`], longest, 'x'],
  ['a component of 256 bytes', [], `${longest}x`, INVALID],
  ['a component of 256 bytes, in mid-path', [], `${longest}x/f`, INVALID],
  ['a component of 255 bytes, by three a character', ['日'.repeat(85)], '日'.repeat(85), '日'.repeat(85)],
  ['a component of 258 bytes, by three a character', [], '日'.repeat(86), INVALID],
  ['4096 bytes as given', ['a/f = x'], `a${'/'.repeat(4094)}f`, 'x'],
  ['4097 bytes as given', ['a/f = x'], `a${'/'.repeat(4095)}f`, INVALID],
  ['4096 bytes as given, by dots', ['f = x'], `.${'/.'.repeat(2046)}//f`, 'x'],
  ['4097 bytes as given, by dots', ['f = x'], `.${'/.'.repeat(2047)}/f`, INVALID],
  ['4096 bytes, three times as many when escaped', [], `/${'日'.repeat(85)}`.repeat(16), OUTSIDE],
  ['4095 bytes in the longest components', [], Array(16).fill(longest).join('/'), MISSING],
  ['NUL', ['f'], 'f\0', INVALID],
  ['NUL in mid-path', ['f'], '\0/f', INVALID],
  ['empty', [], '', INVALID],
  ['`.`', [], '.', INVALID],
  ['`./.`', [], './.', INVALID],
  ['`/`', [], '/', INVALID],
  ['`//`', [], '//', INVALID],
  ['a trailing slash', ['f'], 'f/', INVALID],
  ['a trailing slash after a folder', ['a/'], 'a/', INVALID],
  ['a trailing `/.`', ['f'], 'f/.', INVALID],
  ['`..`', [], '..', INVALID],
  ['`..` that leaves', [], '../outside/secret', INVALID],
  ['`..` that stays', ['a/', 'f'], 'a/../f', INVALID],
  ['`..` at the end', ['a/b/'], 'a/b/..', INVALID]
]

const absolutePaths: Row[] = [
  ['beneath the configured name', ['a/f'], '<root>/a/f', 'a/f'],
  ['beneath the canonical name', ['a/f'], '<real>/a/f', 'a/f'],
  ['with many slashes and dots', ['a/f'], '//.<root>//a/./f', 'a/f'],
  ['missing', [], '<root>/f', MISSING],
  ['a link that leaves', ['l => ../outside/secret'], '<root>/l', OUTSIDE],
  ['the root itself', [], '<root>', INVALID],
  ['the root itself, by its canonical name', [], '<real>', INVALID],
  ['the root with a slash', [], '<root>/', INVALID],
  ['a component of 256 bytes', [], `<root>/${longest}x`, INVALID],
  ['elsewhere', [], '<outside>/secret', OUTSIDE],
  ['elsewhere and missing', [], '<outside>/missing', OUTSIDE],
  ['/etc/passwd', [], '/etc/passwd', OUTSIDE],
  ['a name that starts as the root\'s', [], '<root>2/f', OUTSIDE],
  ['the same path, case changed', ['f'], '<real>/../REAL/f', INVALID],
  ['relative, though it looks absolute', ['f'], '/f', OUTSIDE],
  ['elsewhere, a trailing slash', [], '/etc/', INVALID],
  ['elsewhere, `..`', [], '/etc/../etc/passwd', INVALID],
  ['elsewhere, `..` into the root', ['f'], '<outside>/../root/f', INVALID],
  ['elsewhere, NUL', [], '/etc/passwd\0', INVALID],
  ['elsewhere, 65 components', [], '/d'.repeat(65), INVALID],
  ['elsewhere, a component of 256 bytes', [], `/${longest}x`, INVALID]
]

const tables = { names, kinds, links, 'absolute links': absoluteLinks, 'links that leave': leavingLinks, limits, 'absolute paths': absolutePaths }

/** Every operation that opens a file runs through all of these. */
export const TREE_CASES: TreeCase[] = Object.entries(tables).flatMap(([table, rows]) =>
  rows.map(([name, tree, path, expected, skip = false]) => ({ name: `${table}: ${name}`, tree, path, expected, skip })))

/**
 * Runs an operation through the table, in one root.
 * @param read what the operation makes of a path
 */
export async function runTreeTable (
  t: Test, tree: Tree, read: (path: string) => Promise<Outcome> | Outcome
): Promise<void> {
  const descriptors = tree.descriptors()
  for (const { name, tree: entries, path, expected, skip } of TREE_CASES) {
    await t.test(name, { skip }, async t => {
      await tree.replace(entries)
      const outcome = await read(tree.expand(path))
      t.same(outcome, typeof expected === 'string' ? { content: expected } : expected)
      t.same(tree.descriptors(), descriptors, 'what was opened is closed')
    })
  }
}
