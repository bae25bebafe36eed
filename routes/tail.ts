import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ForgetQuery, Forgotten, PeekQuery, TailPage, TailQuery } from '../schemas/tail.js'
import { parseAck } from '../src/cursors/cursor-token.js'
import type { TailAnswer, Tailer } from '../src/cursors/tailer.js'
import { chooseFormat, sendPage } from '../src/plugins/page-reply.js'
import { TOKEN_IF_ANY, answerResponses, pageResponses } from '../src/plugins/openapi-responses.js'

export interface TailOptions {
  tailer: Tailer
  /** Told of every page. */
  onPage: (page: TailAnswer['read']['page']) => void
}

export const tail: FastifyPluginAsyncTypebox<TailOptions> = async (app, { tailer, onPage }) => {
  app.post('/tail', {
    schema: {
      operationId: 'tail',
      summary: 'The next unread page of a growing file; advances the run\'s cursor',
      querystring: TailQuery,
      security: TOKEN_IF_ANY,
      response: pageResponses(TailPage, ['CURSOR_CONFLICT', 'CURSOR_STORE_UNAVAILABLE'], 'tail')
    }
  }, async (request, reply) => answer(request, reply, request.query, false))

  app.get('/tail', {
    schema: {
      operationId: 'peek',
      summary: 'The page that POST would return; moves nothing',
      querystring: PeekQuery,
      security: TOKEN_IF_ANY,
      response: pageResponses(TailPage, ['CURSOR_STORE_UNAVAILABLE'], 'tail')
    }
  }, async (request, reply) => answer(request, reply, request.query, true))

  app.delete('/tail', {
    schema: {
      operationId: 'forget',
      summary: 'Forgets the run\'s cursor for a path, or all of the run\'s',
      querystring: ForgetQuery,
      security: TOKEN_IF_ANY,
      response: answerResponses(Forgotten, ['CURSOR_STORE_UNAVAILABLE'])
    }
  }, async request => {
    const { run, path } = request.query
    const file = path === undefined ? undefined : request.fileAt(path)
    file?.address()
    return { run, forgotten: await tailer.forget({ owner: ownerOf(request), run, path: file?.path }, request.deadline) }
  })

  async function answer (
    request: FastifyRequest, reply: FastifyReply, query: TailQuery, peek: boolean
  ): Promise<FastifyReply> {
    const { run, maxBytes, wait, flush, from, ack } = query
    const file = request.fileAt(query.path)
    const key = { owner: ownerOf(request), run, path: file.path }
    const format = chooseFormat(query.format, request.headers.accept)
    const call = {
      key,
      format,
      maxBytes,
      flush,
      from,
      waitMs: wait * 1000,
      ack: ack === undefined ? null : parseAck(ack, key),
      peek,
      address: file.address(),
      deadline: request.deadline,
      gone: goneSignal(reply),
      read: (job: Parameters<FastifyRequest['readPage']>[0]) => request.readPage(job, reply)
    }
    // Node sets the ordinary bound again at the next request.
    if (wait > 0) request.raw.setTimeout(request.server.server.timeout + call.waitMs)
    const next = await tailer.next(call)
    onPage(next.read.page)
    const members = membersOf(next, run)
    return sendPage(reply, next.read, { path: file.path, format, members, textHeaders: headersOf(members, next) })
  }
}

function ownerOf (request: FastifyRequest): string {
  return request.caller.token?.name ?? ''
}

/** Aborted when the connection closes before the response is through. */
function goneSignal ({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  if (raw.destroyed) gone.abort()
  raw.once('close', () => { if (!raw.writableFinished) gone.abort() })
  return gone.signal
}

function membersOf ({ read: { page, file }, seq, created, cursor }: TailAnswer, run: string) {
  return {
    run,
    seq,
    created,
    byteCount: page.endByte - page.startByte,
    pendingBytes: Math.max(0, file.size - page.endByte),
    cursor
  }
}

function headersOf (members: ReturnType<typeof membersOf>, { read: { page } }: TailAnswer) {
  const { seq, cursor, created, pendingBytes } = members
  return {
    'Artifact-Seq': String(seq),
    ...cursor === null ? {} : { 'Artifact-Cursor': cursor },
    'Artifact-Created': String(created),
    'Artifact-Replayed': String(page.replayed),
    'Artifact-More': String(page.more),
    'Artifact-Pending-Bytes': String(pendingBytes),
    'Artifact-Held-Bytes': String(page.heldBytes),
    ...page.reset === null ? {} : { 'Artifact-Reset': `${page.reset.reason}; from=${page.reset.fromByte}` }
  }
}
