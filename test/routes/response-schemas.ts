import { FormatRegistry, Kind, Type, type TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { BytesPage } from '../../schemas/bytes.js'
import { Problem } from '../../schemas/problem.js'
import { CharactersPage, LinesPage } from '../../schemas/read.js'
import { TailPage } from '../../schemas/tail.js'
import { PROBLEMS, problemType, type ProblemCode } from '../../src/errors.js'

FormatRegistry.Set('date-time', text => new Date(text).toISOString() === text)

/** The same schema, but with no members beyond those it names, and with enumerations that TypeBox checks. */
export function closed (schema: TSchema): TSchema {
  if (Array.isArray(schema.enum)) return Type.Union(schema.enum.map(value => Type.Literal(value)))
  if (schema[Kind] === 'Union') return { ...schema, anyOf: schema.anyOf.map(closed) }
  if (schema[Kind] === 'Array') return { ...schema, items: closed(schema.items) }
  if (schema[Kind] !== 'Object') return schema
  const properties = Object.fromEntries(Object.entries(schema.properties as Record<string, TSchema>)
    .map(([name, property]) => [name, closed(property)]))
  return { ...schema, properties, additionalProperties: false }
}

const PAGES: Record<string, TSchema> = {
  lines: closed(LinesPage), chars: closed(CharactersPage), bytes: closed(BytesPage), tail: closed(TailPage)
}
const PROBLEM = closed(Problem)

/** What of a body breaks its schema, as `path: reason`; empty if nothing does. */
export function faultsOf (schema: TSchema, body: unknown): string[] {
  return [...Value.Errors(schema, body)].map(({ path, message }) => `${path}: ${message}`)
}

/** Faults of a page's body against the schema of its unit. */
export function pageFaults (body: { unit: string }): string[] {
  const schema = PAGES[body.unit]
  return schema === undefined ? [`no unit ${body.unit}`] : faultsOf(schema, body)
}

/** Faults of a problem's body against its schema and the catalogue. */
export function problemFaults (body: Record<string, unknown>, status: number): string[] {
  const faults = faultsOf(PROBLEM, body)
  const known = PROBLEMS[body.code as ProblemCode]
  if (known === undefined) return [...faults, `no code ${body.code}`]
  if (body.status !== status) faults.push(`status ${body.status} is not ${status}`)
  if (known.status !== status && body.code !== 'MALFORMED_HTTP') faults.push(`status ${status} is not of ${body.code}`)
  if (body.title !== known.title) faults.push(`title ${body.title}`)
  if (body.type !== problemType(body.code as ProblemCode)) faults.push(`type ${body.type}`)
  return faults
}
