import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { describeApi, withoutRules } from './openapi-document.js'

const DESCRIPTION = `Bounded, paged reads of artifacts: reports, logs, traces, large one-line JSON.

A file is addressed by lines or characters (\`/read\`), by bytes (\`/bytes\`), or by a cursor per run (\`/tail\`). Every page
says which raw bytes of the file it covers, so a caller can change the unit at any edge of a page and loses nothing.

All parameters are in the query: each at most once, none empty, integers in plain digits, nothing clamped; no route
takes a body. Errors are problems (RFC 9457). A path that is no route is 404 \`ROUTE_NOT_FOUND\`; a method that a route
does not have is 405 \`METHOD_NOT_ALLOWED\` with \`Allow\`. Every response has \`Cache-Control: no-store\` and
\`X-Content-Type-Options: nosniff\`.`

/** The OpenAPI description, made from the schemas of the routes. */
export const openapi = fp<{ version: string }>(async (app: FastifyInstance, { version }) => {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'artifact-pager',
        version,
        description: DESCRIPTION,
        license: { name: 'MIT', identifier: 'MIT' }
      },
      components: {
        securitySchemes: {
          token: { type: 'http', scheme: 'bearer', description: 'Where tokens are configured; a service may be open' }
        }
      }
    },
    transform: ({ schema, url }) => ({ schema: withoutRules(schema) as typeof schema, url }),
    transformObject: document => describeApi((document as { openapiObject: object }).openapiObject)
  })
}, { name: 'openapi' })
