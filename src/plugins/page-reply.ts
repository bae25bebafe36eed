import type { FastifyReply } from 'fastify'
import type { BodyFormat, Page } from '../lanes/messages.js'
import type { ReadResult } from '../lanes/task.js'

/** How a page is shown, beside what the lane told. */
export interface Presentation {
  path: string
  format: BodyFormat
  /** Relative URL of the next page; undefined where pages have none (a tail). */
  next?: string | null
  /** Members of this unit alone. */
  members: Record<string, unknown>
  /** Headers of this unit alone, in text. */
  textHeaders?: Record<string, string>
}

/**
 * Sends a page: as JSON with the content, already escaped, in its place, or as text with the metadata in headers.
 * The page's buffer is given back when the response is through or its connection gone.
 */
export function sendPage (reply: FastifyReply, read: ReadResult, presentation: Presentation): FastifyReply {
  if (reply.raw.closed) read.release()
  else reply.raw.once('close', read.release)
  const { page, file } = read
  const { path, next, members, format } = presentation
  if (typeof next === 'string') reply.header('Link', `<${next}>; rel="next"`)
  const eof = page.endByte === file.size
  if (format === 'text') {
    reply.headers(pageHeaders(page, file.size, eof)).headers(presentation.textHeaders ?? {})
    return reply.type('text/plain; charset=utf-8').send(read.buffer.subarray(read.bodyStart, read.bodyEnd))
  }
  const facts = { path, ...page, ...FOR_THE_SERVICE, eof, file, ...members, next }
  // It is JSON already; and Fastify takes a buffer over shared memory for an object.
  reply.serializer(asItIs)
  return reply.type('application/json; charset=utf-8').send(jsonBody(read, facts))
}

/** Members of pages that are not shown: JSON has no undefined ones. */
const FOR_THE_SERVICE = { contentBytes: undefined, nextAt: undefined, position: undefined, began: undefined }

function asItIs (body: unknown): string {
  return body as string
}

function pageHeaders (page: Page, size: number, eof: boolean): Record<string, string> {
  return {
    'Artifact-Unit': page.unit,
    'Artifact-Start-Byte': String(page.startByte),
    'Artifact-End-Byte': String(page.endByte),
    'Artifact-Size': String(size),
    'Artifact-Eof': String(eof),
    'Artifact-Replacements': String(page.replacements)
  }
}

/** Puts the other members before the content, in the room that its buffer has there. */
function jsonBody ({ buffer, bodyStart, bodyEnd }: ReadResult, facts: object): Buffer {
  const before = `${JSON.stringify(facts).slice(0, -1)},"content":"`
  const length = Buffer.byteLength(before)
  if (length > bodyStart) return Buffer.concat([Buffer.from(before), buffer.subarray(bodyStart, bodyEnd), Buffer.from('"}')])
  const start = bodyStart - length
  buffer.write(before, start)
  return buffer.subarray(start, bodyEnd + buffer.write('"}', bodyEnd))
}

const JSON_TYPES = ['application/json', 'application/*', '*/*']
const TEXT_TYPES = ['text/plain', 'text/*']

/**
 * Whether a page goes out as text or JSON: as `format` says, else as `Accept` prefers, by q and on equal q by order.
 * A wildcard that holds both means JSON.
 * @see RFC 9110, 12.5.1
 */
export function chooseFormat (format: BodyFormat | undefined, accept: string | undefined): BodyFormat {
  if (format !== undefined) return format
  if (accept === undefined) return 'json'
  const ranges = accept.split(',').map(parseRange)
  const text = preference(ranges, TEXT_TYPES)
  const json = preference(ranges, JSON_TYPES)
  if (text === null || text.q === 0) return 'json'
  if (json === null || text.q > json.q) return 'text'
  return text.q === json.q && text.order < json.order ? 'text' : 'json'
}

interface Range { type: string, q: number }

function parseRange (text: string): Range {
  const [type = '', ...parameters] = text.split(';').map(part => part.trim().toLowerCase())
  const weight = parameters.find(parameter => parameter.startsWith('q='))
  const q = weight === undefined ? 1 : Number(weight.slice(2))
  return { type, q: q >= 0 && q <= 1 ? q : 0 }
}

/** The weight of the most specific range that holds a type, and its place in the header. */
function preference (ranges: Range[], types: string[]): { q: number, order: number } | null {
  for (const type of types) {
    const order = ranges.findIndex(range => range.type === type)
    if (order >= 0) return { q: ranges[order]!.q, order }
  }
  return null
}

/** A relative URL of a page: `route?path=…&…`, without the parameters that are undefined. */
export function pageUrl (route: string, parameters: Record<string, string | number | boolean | undefined>): string {
  let query = ''
  for (const name in parameters) {
    const value = parameters[name]
    if (value !== undefined) query += `&${name}=${encodeURIComponent(value).replaceAll('%2F', '/')}`
  }
  return `${route}?${query.slice(1)}`
}
