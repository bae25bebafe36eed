import { Kind, type Static, type TObject, type TSchema } from '@sinclair/typebox'

/** A parameter that breaks its rule. `name` is absent where the name itself cannot be read. */
export interface Fault { name?: string, detail: string }

export type Parsed<T> = { values: T, faults: [] } | { values: null, faults: [Fault, ...Fault[]] }

/**
 * Reads named strings (a query, an environment) by a schema whose properties are integers, booleans, strings or
 * enumerations. Nothing is coerced beyond what the contract says: an integer is `0` or `[1-9][0-9]*`, a boolean `true`
 * or `false`. All faults are told, not the first alone.
 */
export function parseParameters<T extends TObject> (schema: T, pairs: Iterable<[string, string]>): Parsed<Static<T>> {
  const values: Record<string, unknown> = {}
  const faults: Fault[] = []
  for (const [name, text] of pairs) {
    const property = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
    if (property === undefined) {
      const what = name === '' ? 'A parameter without a name' : `\`${printable(name)}\``
      faults.push({ name, detail: `${what} is no parameter here; there are ${listNames(schema)}.` })
    } else if (Object.hasOwn(values, name)) {
      faults.push({ name, detail: `\`${name}\` is given more than once; give it once.` })
    } else {
      values[name] = parseValue(property, text)
      if (values[name] === undefined) faults.push({ name, detail: `\`${name}\` must be ${describe(property)}.` })
    }
  }
  for (const [name, property] of Object.entries(schema.properties)) {
    if (Object.hasOwn(values, name)) continue
    if (property.default !== undefined) values[name] = property.default
    else if (schema.required?.includes(name)) faults.push({ name, detail: `\`${name}\` is missing; it must be ${describe(property)}.` })
  }
  const [first, ...rest] = faults
  return first === undefined ? { values: values as Static<T>, faults: [] } : { values: null, faults: [first, ...rest] }
}

const INTEGER = /^(0|[1-9]\d*)$/

/** The value, or undefined if the text is none of this kind. */
function parseValue (schema: TSchema, text: string): unknown {
  if (schema[Kind] === 'Integer') {
    const value = INTEGER.test(text) ? Number(text) : NaN
    return value >= (schema.minimum ?? 0) && value <= (schema.maximum ?? Number.MAX_SAFE_INTEGER) ? value : undefined
  }
  if (schema[Kind] === 'Boolean') return text === 'true' ? true : text === 'false' ? false : undefined
  if (Array.isArray(schema.enum)) return schema.enum.includes(text) ? text : undefined
  if (schema.pattern !== undefined && !new RegExp(schema.pattern).test(text)) return undefined
  return text
}

/** The rule in words, as in «must be …». A schema may bring its own. */
function describe (schema: TSchema): string {
  if (typeof schema.rule === 'string') return schema.rule
  if (schema[Kind] === 'Integer') {
    return `an integer from ${schema.minimum ?? 0} to ${schema.maximum ?? Number.MAX_SAFE_INTEGER}, in plain digits`
  }
  if (schema[Kind] === 'Boolean') return '`true` or `false`'
  if (Array.isArray(schema.enum)) return schema.enum.map(value => `\`${value}\``).join(', ').replace(/, ([^,]*)$/, ' or $1')
  return schema.pattern === undefined ? 'text' : `text that matches ${schema.pattern}`
}

function listNames (schema: TObject): string {
  const names = Object.keys(schema.properties).map(name => `\`${name}\``)
  return names.length === 0 ? 'none' : names.join(', ')
}

function printable (name: string): string {
  return JSON.stringify(name.slice(0, 64)).slice(1, -1)
}

/**
 * Splits the query of a URL and decodes it once: percent-escapes as UTF-8, `+` as a space. Empty pairs are ignored.
 * @see https://url.spec.whatwg.org/#urlencoded-parsing (which is laxer: it lets malformed escapes and UTF-8 through)
 */
export function splitQuery (query: string): { pairs: [string, string][], fault: Fault | null } {
  const pairs: [string, string][] = []
  for (const pair of query.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decode(equals < 0 ? pair : pair.slice(0, equals))
    if (name === null) return { pairs, fault: { detail: 'The name of a parameter is not well-formed percent-encoded UTF-8.' } }
    const value = decode(equals < 0 ? '' : pair.slice(equals + 1))
    if (value === null) return { pairs, fault: { name, detail: `\`${printable(name)}\` is not well-formed percent-encoded UTF-8.` } }
    pairs.push([name, value])
  }
  return { pairs, fault: null }
}

function decode (text: string): string | null {
  if (!/[%+]/.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}
