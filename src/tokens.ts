import { createHash, timingSafeEqual } from 'node:crypto'
import fs from 'node:fs'
import { Problem } from './errors.js'
import { isName, toComponents, type Component } from './files/request-path.js'

/** A caller that may read. */
export interface Token {
  /** Whom it belongs to: unique, 1 to 64 of `[A-Za-z0-9._-]`. */
  name: string
  /** SHA-256 of the token. */
  sha256: Buffer
  /** Folders relative to the root that it may read beneath; null: all. */
  scopes: Component[][] | null
}

const NAME = /^[A-Za-z0-9._-]{1,64}$/
const MEMBERS = ['name', 'sha256', 'paths']

/**
 * Reads a tokens file.
 * @throws Error that names each entry at fault, and never holds a hash
 */
export function readTokensFile (file: string): Token[] {
  let entries: unknown
  try {
    entries = JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'is not valid JSON' : `cannot be read (${(error as NodeJS.ErrnoException).code})`
    throw new Error(`\`${file}\` ${reason}.`)
  }
  if (!Array.isArray(entries) || entries.length === 0) throw new Error(`\`${file}\` must hold a JSON array of at least one token.`)
  const tokens: Token[] = []
  const faults: string[] = []
  for (const [index, entry] of entries.entries()) {
    try {
      const token = parseEntry(entry, index)
      refuseDouble(token, index, tokens)
      tokens.push(token)
    } catch (error) {
      faults.push((error as Error).message)
    }
  }
  if (faults.length > 0) throw new Error(faults.join(' '))
  return tokens
}

function refuseDouble ({ name, sha256 }: Token, index: number, others: Token[]): void {
  const refuse = (reason: string): never => { throw new Error(`entry ${index} (\`${name}\`): ${reason}.`) }
  if (others.some(other => other.name === name)) refuse('the name stands there twice')
  if (others.some(other => other.sha256.equals(sha256))) refuse('the same token stands in another entry')
}

/**
 * Reads an entry of a tokens file.
 * @throws Error that names the entry by `index` and says what is wrong
 */
export function parseEntry (entry: unknown, index: number): Token {
  const { name, sha256, paths } = (entry ?? {}) as Record<string, unknown>
  const label = typeof name === 'string' && NAME.test(name) ? `entry ${index} (\`${name}\`)` : `entry ${index}`
  const refuse = (reason: string): never => { throw new Error(`${label}: ${reason}.`) }
  if (typeof entry !== 'object' || entry === null) return refuse('it must be an object')
  const stray = Object.keys(entry).find(member => !MEMBERS.includes(member))
  if (stray !== undefined) return refuse(`\`${stray.slice(0, 32)}\` is no member; there are \`name\`, \`sha256\` and \`paths\``)
  if (typeof name !== 'string' || !NAME.test(name)) return refuse('`name` must be 1 to 64 of `[A-Za-z0-9._-]`')
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/i.test(sha256)) return refuse('`sha256` must be 64 hex digits')
  if (paths === undefined) return { name, sha256: Buffer.from(sha256, 'hex'), scopes: null }
  if (!Array.isArray(paths) || paths.length === 0) return refuse('`paths` must be an array of folders, or absent for all')
  return { name, sha256: Buffer.from(sha256, 'hex'), scopes: paths.map(path => parseScope(path, refuse)) }
}

function parseScope (path: unknown, refuse: (reason: string) => never): Component[] {
  if (typeof path !== 'string' || path === '' || path.startsWith('/') || path.includes('\0')) {
    return refuse('`paths` must hold folders relative to the root')
  }
  const components = toComponents(path).filter(isName)
  return components.includes('..') ? refuse('`paths` must not hold `..`') : components
}

/** The token that a request bears, or null. Takes the same time whichever matches, or none. */
export function findToken (authorization: string | undefined, tokens: Token[]): Token | null {
  const bearer = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(authorization ?? '')?.[1] ?? ''
  const digest = createHash('sha256').update(bearer).digest()
  let found: Token | null = null
  for (const token of tokens) if (timingSafeEqual(token.sha256, digest)) found = token
  return bearer === '' ? null : found
}

/**
 * How many components of a path make the scope that holds it: the widest of the token's; 0: the root.
 * @throws Problem PERMISSION_DENIED if the token's scopes do not hold the path
 */
export function scopeDepthOf (components: Component[], token: Token | null): number {
  if (token === null || token.scopes === null) return 0
  const holding = token.scopes.filter(scope => scope.every((component, index) => components[index] === component))
  if (holding.length === 0) throw new Problem('PERMISSION_DENIED', 'This token may not read here; ask for one whose scope holds this path.')
  return Math.min(...holding.map(scope => scope.length))
}
