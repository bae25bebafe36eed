import { randomInt, randomUUID } from 'node:crypto'
import { STATUS_CODES, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { PROBLEMS, Problem, problemType, type ProblemCode } from '../errors.js'
import { CallerGone } from '../lanes/interruption.js'

/** Headers of every response, errors too. */
const COMMON_HEADERS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/
const PROBLEM_TYPE = 'application/problem+json'

/** The caller's `X-Request-Id` if it is one that is safe to repeat and to log, else a new one. */
export function requestIdOf (request: { headers: Record<string, string | string[] | undefined> }): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()
}

/** What was refused before it was a request of a route: no hook runs for it. */
export interface Refusal { reqId: string, method?: string, status: number, code: ProblemCode }
export type NoteRefusal = (refusal: Refusal) => void

/** Answers every error as RFC 9457 says, the framework's own included. */
export const problems = fp<{ noteRefusal: NoteRefusal }>(async (app: FastifyInstance, { noteRefusal }) => {
  const methodsByUrl = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsByUrl.get(url) ?? methodsByUrl.set(url, new Set()).get(url)!
    for (const name of [method].flat()) methods.add(name)
  })
  // Hooks that every request passes call back: a promise each would cost more than what they do.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(COMMON_HEADERS).header('X-Request-Id', request.id)
    const { httpVersion, headers } = request.raw
    if (httpVersion !== '1.1' && httpVersion !== '1.0') {
      return done(new Problem('MALFORMED_HTTP', 'This service speaks HTTP/1.1 and HTTP/1.0; use one of them.'))
    }
    // RFC 9112, 3.2. Node would answer this itself, but not in our form.
    if (httpVersion === '1.1' && headers.host === undefined) {
      return done(new Problem('MALFORMED_HTTP', 'An HTTP/1.1 request needs a Host header; send one.'))
    }
    done()
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
  app.addHook('preParsing', (request, reply, _body, done) => {
    const { headers } = request.raw
    // No body is parsed, so its type, perhaps malformed, or missing where Fastify wants one, must decide nothing.
    headers['content-type'] = 'application/octet-stream'
    const { 'content-length': length, 'transfer-encoding': encoding } = headers
    if (encoding === undefined && (length === undefined || Number(length) === 0)) return done()
    // The body is not read: the connection cannot be used again.
    reply.header('Connection', 'close')
    if (request.is404) return done()
    done(new Problem('INVALID_REQUEST', 'No route takes a body; send the parameters in the query.'))
  })
  answerItself(app.server, noteRefusal)
  app.setNotFoundHandler((request, reply) => {
    const methods = methodsByUrl.get(routeOf(request.url))
    if (methods === undefined) {
      throw new Problem('ROUTE_NOT_FOUND', 'There is no such route; `GET /` lists them.')
    }
    const allow = [...methods].join(', ')
    reply.header('Allow', allow)
    throw new Problem('METHOD_NOT_ALLOWED', `This route takes ${allow}.`)
  })
  app.setErrorHandler((error, request, reply) => {
    // Nobody is there to be answered.
    if (error instanceof CallerGone) {
      reply.hijack().raw.destroy()
      return undefined
    }
    return sendProblem(toProblem(error, request), request, reply)
  })
}, { name: 'problems', dependencies: ['outcome'] })

/** What Node would answer by itself, in another form or not at all. */
function answerItself (server: Server, note: NoteRefusal): void {
  const serve: RequestListener = (request, response) => { server.emit('request', request, response) }
  // RFC 9110, 10.1.1: an expectation may be ignored; a body is refused without asking for it first.
  server.on('checkContinue', serve)
  server.on('checkExpectation', serve)
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    // Node has taken its listeners off: an error without one would end the process.
    socket.on('error', () => {}).resume()
    const problem = new Problem('ROUTE_NOT_FOUND', 'This is no proxy; `GET /` lists the routes.')
    note(endWithProblem(socket, problem, requestIdOf(request), 'CONNECT'))
  })
}

/** The path of a request target, in absolute form too, as the router compares it. */
function routeOf (target: string): string {
  const [path = ''] = target.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/)
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function sendProblem (problem: Problem, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  request.outcome.code = problem.code
  if (problem.status === 401) reply.header('WWW-Authenticate', 'Bearer')
  // Jittered, so that callers that were refused together do not come back together.
  if (problem.status === 503) reply.header('Retry-After', String(randomInt(1, 4)))
  return reply.code(problem.status).type(PROBLEM_TYPE).send(Buffer.from(problemBody(problem, request.id)))
}

function problemBody (problem: Problem, requestId: string): string {
  const { code, detail, status, members } = problem
  const { title } = PROBLEMS[code]
  return JSON.stringify({ type: problemType(code), title, status, detail, code, requestId, ...members })
}

const PARSER_STATUSES = [400, 408, 413, 414, 431]

function toProblem (error: unknown, request: FastifyRequest): Problem {
  if (error instanceof Problem) return error
  const status = (error as { statusCode?: number }).statusCode ?? 500
  if (PARSER_STATUSES.includes(status)) return malformed(status)
  request.log.error({ reqId: request.id, err: error }, 'defect')
  return new Problem('INTERNAL', 'This is a defect of the service; report it with the requestId.')
}

/** What Fastify refuses before there is a route: a URL whose path cannot be decoded names none. */
export function answerFrameworkError (
  error: Error, request: FastifyRequest, reply: FastifyReply, note: NoteRefusal
): void {
  reply.headers(COMMON_HEADERS).header('X-Request-Id', request.id)
  const problem = (error as { code?: string }).code === 'FST_ERR_BAD_URL'
    ? new Problem('ROUTE_NOT_FOUND', 'The path of the URL is not well-formed percent-encoded UTF-8; `GET /` lists the routes.')
    : toProblem(error, request)
  reply.code(problem.status).type(PROBLEM_TYPE).send(Buffer.from(problemBody(problem, request.id)))
  note({ reqId: request.id, method: request.method, status: problem.status, code: problem.code })
}

function malformed (status: number): Problem {
  const detail = status === 431
    ? 'The request line and headers are over 16 KiB together; send fewer or shorter ones.'
    : status === 408
      ? 'The request did not arrive in time; send it at once.'
      : 'This is not HTTP as RFC 9112 has it; check that the URL is percent-encoded and the headers are well-formed.'
  return new Problem('MALFORMED_HTTP', detail, {}, status)
}

/** What the HTTP parser refuses, answered on the bare socket. */
export function answerClientError (error: NodeJS.ErrnoException, socket: Socket, note: NoteRefusal): void {
  const { _httpMessage: response } = socket as Socket & { _httpMessage?: { headersSent: boolean } }
  if (error.code === 'ECONNRESET' || !socket.writable || response?.headersSent === true) {
    socket.destroy(error)
    return
  }
  const status = error.code === 'HPE_HEADER_OVERFLOW'
    ? 431
    : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : error.code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW' ? 413 : 400
  note(endWithProblem(socket, malformed(status), randomUUID()))
}

/** A peer has this long to take the answer on a bare socket, whatever it sends meanwhile. */
const BARE_CLOSES_AFTER_MS = 1000

function endWithProblem (socket: Socket, problem: Problem, requestId: string, method?: string): Refusal {
  const body = problemBody(problem, requestId)
  const headers = {
    ...COMMON_HEADERS,
    'X-Request-Id': requestId,
    'Content-Type': PROBLEM_TYPE,
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close'
  }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.end(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${head}\r\n${body}`)
  const timer = setTimeout(() => socket.destroy(), BARE_CLOSES_AFTER_MS)
  socket.once('close', () => clearTimeout(timer))
  return { reqId: requestId, ...method === undefined ? {} : { method }, status: problem.status, code: problem.code }
}
