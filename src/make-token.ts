import { createHash, randomBytes } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { parseEntry } from './tokens.js'

const USAGE = 'npm run token -- NAME [FOLDER...]: a new token and its entry for TOKENS_FILE; without a folder it may read all'

/** 256 bits: the file holds a plain SHA-256, and that nobody can search through. */
const TOKEN_BYTES = 32

/**
 * A new random token and its entry for a tokens file.
 * @param name whose it is
 * @param folders that it may read beneath, relative to the root; none: all
 * @throws Error if the service would refuse the entry
 */
export function makeToken (name: string, folders: string[]): { token: string, entry: object } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const sha256 = createHash('sha256').update(token).digest('hex')
  const entry = { name, sha256, ...folders.length === 0 ? {} : { paths: folders } }
  parseEntry(entry, 0)
  return { token, entry }
}

// The token goes to standard error, so that the entry alone can be piped into a file.
if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === import.meta.filename) {
  const [name, ...folders] = process.argv.slice(2)
  try {
    if (name === undefined) throw new Error(USAGE)
    const { token, entry } = makeToken(name, folders)
    console.error(`token (shown once, give it to ${name}): ${token}`)
    console.log(JSON.stringify(entry))
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = 1
  }
}
