import { EXAMPLES, type Example } from '../../schemas/examples/index.js'
import { PROBLEMS } from '../errors.js'

interface MediaType { schema: object, examples?: Record<string, object> }
interface Response { headers?: Record<string, object>, content?: Record<string, MediaType> }
interface Parameter { required?: boolean, schema: { default?: unknown } }
interface Operation { operationId: string, parameters?: Parameter[], responses: Record<string, Response> }
interface Document {
  servers?: { url: string }[]
  components: { schemas: Record<string, object>, headers?: Record<string, object> }
  paths: Record<string, Record<string, Operation>>
}

/** Drops what only the service's own messages need. */
export function withoutRules (schema: unknown): unknown {
  return mapObjects(schema, object => {
    const { rule, ...rest } = object
    return rest
  })
}

/**
 * Finishes the description that is made from the routes: schemas with a title and all headers become components of
 * their name, and each operation gets its examples.
 */
export function describeApi (openapi: object): object {
  const document = openapi as Document
  const { components } = document
  const headers: Record<string, object> = {}
  for (const operation of operationsOf(document)) {
    // What has a default always comes to the route, but need not come from the caller.
    for (const parameter of operation.parameters ?? []) {
      if (parameter.schema.default !== undefined) parameter.required = false
    }
    for (const response of Object.values(operation.responses)) {
      if (response.headers !== undefined) response.headers = hoistHeaders(response.headers, headers)
      for (const media of Object.values(response.content ?? {})) {
        media.schema = hoistSchemas(media.schema, components.schemas) as object
      }
    }
    for (const example of EXAMPLES.filter(({ operationId }) => operationId === operation.operationId)) {
      addExample(operation, example)
    }
  }
  // Relative to where the description is served, so wherever a gateway puts it. The plugin takes no such address.
  document.servers = [{ url: '.' }]
  components.schemas = sorted(components.schemas)
  components.headers = sorted(headers)
  return document
}

function operationsOf ({ paths }: Document): Operation[] {
  return Object.values(paths).flatMap(item => Object.values(item))
}

function hoistHeaders (given: Record<string, object>, headers: Record<string, object>): Record<string, object> {
  Object.assign(headers, given)
  return Object.fromEntries(Object.keys(given).map(name => [name, { $ref: `#/components/headers/${name}` }]))
}

function hoistSchemas (schema: object, schemas: Record<string, object>): unknown {
  return mapObjects(schema, object => {
    const { title, ...rest } = object
    if (typeof title !== 'string') return object
    schemas[title] = title === 'Problem' ? withCodes(rest) : rest
    return { $ref: `#/components/schemas/${title}` }
  })
}

/** The schemas know no catalogue of errors. */
function withCodes (problem: Record<string, unknown>): object {
  const { code, ...properties } = problem.properties as Record<string, object>
  return { ...problem, properties: { ...properties, code: { ...code, enum: Object.keys(PROBLEMS) } } }
}

function addExample ({ responses }: Operation, { name, summary, method, url, status, type, body }: Example): void {
  const media = responses[status]?.content?.[type]
  if (media === undefined) throw new Error(`the example ${name} is of a response that its route does not have`)
  media.examples = { ...media.examples, [name]: { summary, description: `\`${method} ${url}\``, value: body } }
}

/** Rebuilds plain data with every object in it changed, the inner ones first. */
function mapObjects (value: unknown, change: (object: Record<string, unknown>) => object): unknown {
  if (Array.isArray(value)) return value.map(item => mapObjects(item, change))
  if (typeof value !== 'object' || value === null) return value
  return change(Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapObjects(inner, change)])))
}

function sorted (record: Record<string, object>): Record<string, object> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => a < b ? -1 : 1))
}
