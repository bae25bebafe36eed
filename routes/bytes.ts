import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { BytesPage, BytesQuery, DEFAULT_BYTE_WINDOW } from '../schemas/bytes.js'
import { invalidParameter } from '../src/errors.js'
import type { BodyFormat } from '../src/lanes/messages.js'
import { MAX_BYTE_WINDOW } from '../src/pages/bytes.js'
import { TOKEN_IF_ANY, pageResponses } from '../src/plugins/openapi-responses.js'
import { chooseFormat, pageUrl, sendPage } from '../src/plugins/page-reply.js'

export const bytes: FastifyPluginAsyncTypebox = async app => {
  app.get('/bytes', {
    schema: {
      operationId: 'bytes',
      summary: 'A window of raw bytes, as text, base64 or hex',
      querystring: BytesQuery,
      security: TOKEN_IF_ANY,
      response: pageResponses(BytesPage, [])
    }
  }, async (request, reply) => {
    const { query } = request
    const { offset = 0, limit = DEFAULT_BYTE_WINDOW, encoding = 'utf-8' } = query
    const verbatim = encoding === 'base64' || encoding === 'hex'
    if (verbatim && query.format === 'text') {
      throw invalidParameter('format', `\`format=text\` is for text; with \`encoding=${encoding}\` leave it out.`)
    }
    const file = request.fileAt(query.path)
    const format = verbatim ? 'json' : chooseFormat(query.format, request.headers.accept)
    const page = { unit: 'bytes', query: { offset, limit, encoding } } as const
    const result = await request.readPage({ address: file.address(), page, format }, reply)
    const { endByte } = result.page
    const { path } = file
    const repeated = { path, limit: query.limit, encoding: query.encoding, format: query.format }
    const next = endByte === result.file.size ? null : pageUrl('bytes', { ...repeated, offset: endByte })
    return sendPage(reply, result, { path, format, next, members: {} })
  })
}

/** The `/bytes` URL of a range of a file of text; without a length, of what is from `offset` on. */
export function bytesUrl (
  path: string, encoding: string, offset: number, length: number | undefined, format: BodyFormat | undefined
): string {
  return pageUrl('bytes', {
    path,
    offset,
    limit: length === undefined ? undefined : Math.min(length, MAX_BYTE_WINDOW),
    encoding: encoding === 'utf-8' ? undefined : encoding,
    format
  })
}
