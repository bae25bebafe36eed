import { Problem } from '../errors.js'

/** The longest `path` as given, in bytes of UTF-8. */
export const MAX_PATH_BYTES = 4096
const MAX_COMPONENTS = 64
const MAX_COMPONENT_BYTES = 255

/**
 * A component of a path: its bytes, one character (U+0000 to U+00FF) a byte. File names are bytes, and a link may
 * name one that is not UTF-8.
 */
export type Component = string

/**
 * Turns the `path` of a request into components relative to the root.
 *
 * @param path POSIX, relative to the root, or absolute beneath one of `rootNames`
 * @param rootNames the root as configured and as it canonically is, each as components
 * @throws Problem INVALID_PATH, or PATH_OUTSIDE_ROOT for an absolute path elsewhere; syntax is judged first
 */
export function parseRequestPath (path: string, rootNames: Component[][]): Component[] {
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) throw invalidPath(`\`path\` is over ${MAX_PATH_BYTES} bytes; shorten it.`)
  if (path.includes('\0')) throw invalidPath('`path` holds a NUL; remove it.')
  const given = toComponents(path)
  const last = given.at(-1)
  if (last === '' || last === '.') {
    throw invalidPath('`path` must end in the name of a file, not in `/` or `.`, and must not be empty.')
  }
  const components = given.filter(isName)
  if (components.includes('..')) throw invalidPath('`path` must not hold a `..` component; name the file from the root.')
  const relative = path.startsWith('/') ? beneathRoot(components, rootNames) : components
  checkLimits(relative ?? components)
  if (relative === undefined) {
    throw new Problem('PATH_OUTSIDE_ROOT', 'This absolute path is not beneath the root; give a path relative to the root.')
  }
  if (relative.length === 0) throw invalidPath('`path` names the root itself; name a file beneath it.')
  return relative
}

function checkLimits (components: Component[]): void {
  if (components.length > MAX_COMPONENTS) throw invalidPath(`\`path\` has over ${MAX_COMPONENTS} components; shorten it.`)
  if (components.some(component => component.length > MAX_COMPONENT_BYTES)) {
    throw invalidPath(`A component of \`path\` is over ${MAX_COMPONENT_BYTES} bytes; no file has such a name.`)
  }
}

/** What of an absolute path lies beneath the root under any of its names, or undefined if it lies elsewhere. */
export function beneathRoot (components: Component[], rootNames: Component[][]): Component[] | undefined {
  const name = rootNames.find(root => root.every((component, index) => components[index] === component))
  return name && components.slice(name.length)
}

/** Splits at slashes, dropping nothing. */
export function toComponents (path: string): Component[] {
  return (isAscii(path) ? path : Buffer.from(path).toString('latin1')).split('/')
}

/** Whether a component names something: neither empty nor `.`. */
export function isName (component: Component): boolean {
  return component !== '' && component !== '.'
}

/** The path that components stand for, as text. */
export function toPath (components: Component[]): string {
  const path = components.join('/')
  return isAscii(path) ? path : Buffer.from(path, 'latin1').toString()
}

/** ASCII is the same as text and as bytes. */
function isAscii (path: string): boolean {
  return !/[^\0-\x7F]/.test(path)
}

function invalidPath (detail: string): Problem {
  return new Problem('INVALID_PATH', detail, { parameter: 'path' })
}
