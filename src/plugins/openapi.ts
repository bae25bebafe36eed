import swagger from '@fastify/swagger'
import { Type, type TSchema } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { Problem } from '../../schemas/problem.js'

/** The OpenAPI description, made from the schemas of the routes. */
export const openapi = fp<{ version: string }>(async (app: FastifyInstance, { version }) => {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'artifact-pager',
        version,
        description: 'Bounded, paged reads of artifacts: reports, logs, traces, large one-line JSON.',
        license: { name: 'MIT', identifier: 'MIT' }
      },
      // Wherever a gateway puts it.
      servers: [{ url: '/' }],
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } }
    },
    transform: ({ schema, url }) => ({ schema: withoutRules(schema) as typeof schema, url })
  })
}, { name: 'openapi' })

/** Drops what only the service's own messages need. */
function withoutRules (schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutRules)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== 'rule').map(([name, value]) => [name, withoutRules(value)]))
}

export function jsonResponse (description: string, schema: TSchema) {
  return { description, content: { 'application/json': { schema } } }
}

const problemResponse = {
  description: 'A problem: `detail` says what to do instead',
  content: { 'application/problem+json': { schema: Problem } }
}

/** The responses of a route that has a JSON answer. */
export function responses (schema: TSchema) {
  return { 200: jsonResponse('The answer', schema), default: problemResponse }
}

/** The responses of a route that gives pages, as JSON or text. */
export function pageResponses (schema: TSchema) {
  const text = Type.String({ description: 'The text of `[startByte, endByte)`; the metadata is in `Artifact-…` headers' })
  const page = {
    description: 'A page',
    headers: { Link: { type: 'string', description: '`<…>; rel="next"`: the next page, where there is one' } },
    content: { 'application/json': { schema }, 'text/plain': { schema: text } }
  }
  return { 200: page, default: problemResponse }
}
