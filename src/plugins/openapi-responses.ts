import { Type, type TSchema } from '@sinclair/typebox'
import { Problem } from '../../schemas/problem.js'
import { PROBLEMS, type ProblemCode } from '../errors.js'

interface Header { type: string, description: string }
type Headers = Record<string, Header>

const text = (description: string): Header => ({ type: 'string', description })
const integer = (description: string): Header => ({ type: 'integer', description })
const boolean = (description: string): Header => ({ type: 'boolean', description })

const EVERYWHERE: Headers = {
  'X-Request-Id': text('The caller\'s, if it matches `[A-Za-z0-9._-]{1,128}`, else a new one')
}

const RATE_LIMIT: Headers = {
  'RateLimit-Limit': integer('Requests a minute that the caller has; absent where the rate is not limited'),
  'RateLimit-Remaining': integer('Of those, how many are left'),
  'RateLimit-Reset': integer('Seconds until there are as many again')
}

const PAGE: Headers = {
  'Artifact-Unit': text('On `text/plain`: `lines`, `chars`, `bytes` or `tail`'),
  'Artifact-Start-Byte': integer('On `text/plain`: `startByte`'),
  'Artifact-End-Byte': integer('On `text/plain`: `endByte`'),
  'Artifact-Size': integer('On `text/plain`: `file.size`'),
  'Artifact-Eof': boolean('On `text/plain`: `eof`'),
  'Artifact-Replacements': integer('On `text/plain`: `replacements`')
}

const NEXT: Headers = {
  Link: text('`<…>; rel="next"`: the next page, where there is one; relative, as `next`')
}

const TAIL: Headers = {
  'Artifact-Seq': integer('On `text/plain`: `seq`'),
  'Artifact-Cursor': text('On `text/plain`: `cursor`, where there is one'),
  'Artifact-Created': boolean('On `text/plain`: `created`'),
  'Artifact-Replayed': boolean('On `text/plain`: `replayed`'),
  'Artifact-More': boolean('On `text/plain`: `more`'),
  'Artifact-Pending-Bytes': integer('On `text/plain`: `pendingBytes`'),
  'Artifact-Held-Bytes': integer('On `text/plain`: `heldBytes`'),
  'Artifact-Reset': text('On `text/plain`: `reset`, where there is one, as in `rewritten; from=12`')
}

const RETRY_AFTER: Headers = { 'Retry-After': integer('Seconds after which to try again') }

/** Headers of the problems with a status. */
const BY_STATUS: Record<number, Headers> = {
  401: { 'WWW-Authenticate': text('`Bearer`') },
  429: RETRY_AFTER,
  503: RETRY_AFTER
}

/** What any route may answer: MALFORMED_HTTP has further statuses, and those come from the parser. */
const ANYWHERE: ProblemCode[] = ['INVALID_REQUEST', 'MALFORMED_HTTP', 'INTERNAL']
/** What any route that reads may answer. */
const READS: ProblemCode[] = [
  ...ANYWHERE, 'INVALID_PATH', 'UNAUTHORIZED', 'PATH_OUTSIDE_ROOT', 'PERMISSION_DENIED', 'RATE_LIMITED', 'OVERLOADED'
]
const OPENS: ProblemCode[] = [...READS, 'FILE_NOT_FOUND', 'NOT_A_FILE', 'STORAGE_UNAVAILABLE', 'READ_DEADLINE_EXCEEDED']

/** The responses of a route of the service itself, which bears no token and no rate limit. */
export function serviceResponses (schema: TSchema, type = 'application/json', codes: ProblemCode[] = []) {
  const answer = { description: 'The answer', headers: EVERYWHERE, content: { [type]: { schema } } }
  return { 200: answer, ...problemResponses([...ANYWHERE, ...codes], EVERYWHERE) }
}

/** The responses of a limited route that has a JSON answer and opens no file. */
export function answerResponses (schema: TSchema, codes: ProblemCode[]) {
  const headers = { ...EVERYWHERE, ...RATE_LIMIT }
  const answer = { description: 'The answer', headers, content: { 'application/json': { schema } } }
  return { 200: answer, ...problemResponses([...READS, ...codes], headers) }
}

/** The responses of a route that gives pages, as JSON or text. */
export function pageResponses (schema: TSchema, codes: ProblemCode[], kind: 'page' | 'tail' = 'page') {
  const plain = Type.String({ description: 'The text of `[startByte, endByte)`; the metadata is in `Artifact-…` headers' })
  const headers = { ...EVERYWHERE, ...RATE_LIMIT }
  const page = {
    description: 'A page',
    headers: { ...headers, ...PAGE, ...kind === 'tail' ? TAIL : NEXT },
    content: { 'application/json': { schema }, 'text/plain': { schema: plain } }
  }
  return { 200: page, ...problemResponses([...OPENS, ...codes], headers) }
}

function problemResponses (codes: ProblemCode[], headers: Headers) {
  const statuses = new Set(codes.map(code => PROBLEMS[code].status))
  const byCode = [...statuses].map(status => {
    const ofStatus = codes.filter(code => PROBLEMS[code].status === status)
    return [status, problemResponse(ofStatus, { ...headers, ...BY_STATUS[status] })]
  })
  const fromParser = [408, 413, 431].map(status => [status, problemResponse(['MALFORMED_HTTP'], EVERYWHERE)])
  return Object.fromEntries([...byCode, ...fromParser])
}

function problemResponse (codes: ProblemCode[], headers: Headers) {
  const description = codes.map(code => `\`${code}\``).join(', ')
  return { description, headers, content: { 'application/problem+json': { schema: Problem } } }
}

/** Security of the routes that ask for a token where there are any. */
export const TOKEN_IF_ANY = [{ token: [] }, {}]
