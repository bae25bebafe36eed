import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { CharactersPage, DEFAULT_LINES, LinesPage, ReadQuery } from '../schemas/read.js'
import { Problem, invalidParameter } from '../src/errors.js'
import type { PageQuery } from '../src/lanes/messages.js'
import type { ReadResult } from '../src/lanes/task.js'
import { parseAt } from '../src/pages/at-token.js'
import { MAX_CHARS } from '../src/pages/characters.js'
import { chooseFormat, pageUrl, sendPage } from '../src/plugins/page-reply.js'
import { TOKEN_IF_ANY, pageResponses } from '../src/plugins/openapi-responses.js'
import { bytesUrl } from './bytes.js'

/** The parameters of each unit, beside `path` and `format`. One that is not of lines chooses its unit. */
const UNITS = {
  lines: ['startLine', 'maxLines', 'maxLineBytes', 'at'],
  chars: ['offsetChars', 'limitChars', 'at'],
  block: ['aroundLine', 'maxLevels', 'includeSiblings', 'includeHeader', 'maxLines']
} as const satisfies Record<string, (keyof ReadQuery)[]>

export const read: FastifyPluginAsyncTypebox = async app => {
  app.get('/read', {
    schema: {
      operationId: 'read',
      summary: 'A page of lines, of characters, or the block of code around a line',
      querystring: ReadQuery,
      security: TOKEN_IF_ANY,
      response: pageResponses(Type.Union([LinesPage, CharactersPage]), ['FILE_CHANGED', 'READ_LIMIT_EXCEEDED'])
    }
  }, async (request, reply) => {
    const { query } = request
    // Parameters are judged before the path is, which may lie outside.
    const unit = unitOf(query)
    const file = request.fileAt(query.path)
    const page = pageQuery(unit, query, file.path)
    const format = chooseFormat(query.format, request.headers.accept)
    const result = await request.readPage({ address: file.address(), page, format }, reply)
      .catch(error => { throw withNext(error, query, file.path) })
    const next = nextUrl(result, query, file.path)
    return sendPage(reply, result, { path: file.path, format, next, members: clippedLinks(result, query, file.path) })
  })
}

/** Which page is asked for. @throws Problem INVALID_REQUEST if `at` is not of this read */
function pageQuery (unit: keyof typeof UNITS, query: ReadQuery, path: string): PageQuery {
  const { startLine, at } = query
  if (unit === 'block') {
    const { aroundLine, maxLevels = 0, includeSiblings = false, includeHeader = true, maxLines = DEFAULT_LINES } = query
    return { unit, query: { path, aroundLine: aroundLine!, maxLevels, includeSiblings, includeHeader, maxLines } }
  }
  if (unit === 'chars') {
    const { offsetChars = 0, limitChars = MAX_CHARS } = query
    return { unit, query: { path, offsetChars, limitChars, ...at === undefined ? {} : { at: parseAt(at, path, 'char', offsetChars) } } }
  }
  const { maxLines = DEFAULT_LINES, maxLineBytes } = query
  return {
    unit,
    query: {
      path,
      startLine: startLine ?? 1,
      maxLines,
      ...maxLineBytes === undefined ? {} : { maxLineBytes },
      ...at === undefined ? {} : { at: parseAt(at, path, 'line', startLine!) }
    }
  }
}

/** Which unit is asked for. @throws Problem INVALID_REQUEST for parameters of two, or one that lacks its companion */
function unitOf (query: ReadQuery): keyof typeof UNITS {
  const given = (Object.keys(query) as (keyof ReadQuery)[]).filter(name => name !== 'path' && name !== 'format')
  const isOf = (unit: keyof typeof UNITS, name: string): boolean => (UNITS[unit] as readonly string[]).includes(name)
  const unit = (['chars', 'block'] as const).find(unit => given.some(name => isOf(unit, name) && !isOf('lines', name))) ?? 'lines'
  const stray = given.find(name => !isOf(unit, name))
  if (stray !== undefined) {
    const what = { lines: 'by lines', chars: 'by characters', block: 'around a line' }[unit]
    throw invalidParameter(stray, `\`${stray}\` does not go with a read ${what}; ask for one unit at a time.`)
  }
  if (unit === 'block' && query.aroundLine === undefined) {
    throw invalidParameter('aroundLine', '`aroundLine` is missing; it says around which line.')
  }
  if (query.at !== undefined && query.startLine === undefined && query.offsetChars === undefined) {
    throw invalidParameter('at', '`at` goes with `startLine` or `offsetChars`; give it unchanged, as in the `next` link.')
  }
  return unit
}

/** The URL of a page of the same kind from another start. The parameters of a block say nothing about other pages. */
function pageFrom (
  query: ReadQuery, path: string, start: Pick<ReadQuery, 'startLine' | 'offsetChars'>, at: string
): string {
  const { maxLines, maxLineBytes, limitChars, format } = query
  const { startLine, offsetChars } = start
  return pageUrl('read', { path, maxLines, maxLineBytes, limitChars, format, startLine, offsetChars, at })
}

function nextUrl ({ page }: ReadResult, query: ReadQuery, path: string): string | null {
  if (page.unit === 'lines' && page.nextStartLine !== null) {
    return pageFrom(query, path, { startLine: page.nextStartLine }, page.nextAt!)
  }
  if (page.unit === 'chars' && page.nextOffsetChars !== null) {
    return pageFrom(query, path, { offsetChars: page.nextOffsetChars }, page.nextAt!)
  }
  return null
}

function clippedLinks ({ page }: ReadResult, query: ReadQuery, path: string) {
  if (page.unit !== 'lines') return {}
  const clippedLines = page.clippedLines.map(clipped => ({
    ...clipped, next: bytesUrl(path, page.encoding, clipped.omittedStart, clipped.omittedBytes, query.format)
  }))
  return { clippedLines }
}

/** Adds to a refusal the address where the caller can go on. */
function withNext (error: unknown, query: ReadQuery, path: string): unknown {
  if (!(error instanceof Problem) || error.code !== 'READ_LIMIT_EXCEEDED') return error
  const { encoding, at, ...members } = error.members
  const add = (next: string): Problem => new Problem(error.code, error.detail, { ...members, next })
  const { offsetChars, aroundLine, startLine = 1 } = query
  if (members.reason === 'line-too-long') {
    return add(bytesUrl(path, encoding as string, members.startByte as number, undefined, query.format))
  }
  if (members.reason === 'deadline') {
    // A block takes no `at`: what comes nearest is the page that starts at its line.
    const start = offsetChars === undefined ? { startLine: aroundLine ?? startLine } : { offsetChars }
    return add(pageFrom(query, path, start, at as string))
  }
  return error
}
