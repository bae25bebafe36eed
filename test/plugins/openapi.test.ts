import fs from 'node:fs'
import path from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import t from 'tap'
import { parse } from 'yaml'
import { PROBLEMS } from '../../src/errors.js'
import { version } from '../../src/version.js'
import { PROJECT } from '../helpers/project.js'
import { ask, makeFolder, startService } from '../helpers/service.js'

const yaml = fs.readFileSync(path.join(PROJECT, 'openapi.yaml'), 'utf8')
const described = parse(yaml)
const operations = Object.entries<Record<string, any>>(described.paths)
  .flatMap(([path, item]) => Object.entries(item).map(([method, operation]) => ({ name: `${method} ${path}`, ...operation })))
const limited = ['/read', '/bytes', '/tail']

t.test('openapi.yaml is what the service serves', async t => {
  const { url } = await startService(t, { ARTIFACT_ROOT: makeFolder(t) })
  const served = await ask(`${url}/openapi.json`)
  t.equal(served.status, 200)
  t.strictSame(served.body, described)
  t.equal(described.info.version, version)
})

t.test('it is valid OpenAPI 3.1', async t => {
  const result = await new Validator().validate(structuredClone(described))
  t.strictSame(result.errors ?? [], [])
  t.ok(result.valid)
  t.match(described.openapi, /^3\.1\./)
})

t.test('a caller must give what has no default, and nothing else', async t => {
  const required = (name: string): string[] => {
    const { parameters } = operations.find(operation => operation.name === name)!
    return parameters.filter((parameter: any) => parameter.required).map((parameter: any) => parameter.name)
  }
  t.strictSame(required('get /read'), ['path'])
  t.strictSame(required('get /bytes'), ['path'])
  t.strictSame(required('post /tail'), ['run', 'path'])
  t.strictSame(required('get /tail'), ['run', 'path'])
  t.strictSame(required('delete /tail'), ['run'])
})

t.test('its addresses are relative to where it is served, behind a prefix too', async t => {
  const [{ url }] = described.servers
  t.equal(new URL(`${url}/read`, 'http://gateway/artifacts/openapi.json').href, 'http://gateway/artifacts/read')
})

t.test('every reference leads somewhere, and every component is used', async t => {
  const used = new Set([...yaml.matchAll(/\$ref: "?#\/components\/(\w+)\/([\w-]+)/g)].map(([, kind, name]) => `${kind}/${name}`))
  for (const kind of ['schemas', 'headers']) {
    const names = Object.keys(described.components[kind]).map(name => `${kind}/${name}`)
    t.strictSame([...used].filter(name => name.startsWith(`${kind}/`)).sort(), names.sort(), kind)
  }
})

t.test('what is for the service alone stays out', async t => {
  t.notMatch(yaml, /^\s*rule:/m)
  t.notMatch(yaml, /\bdef-\d/)
})

t.test('each response has its headers', async t => {
  for (const { name, responses } of operations) {
    const isLimited = limited.some(route => name.endsWith(route))
    for (const [status, { headers = {}, content }] of Object.entries<any>(responses)) {
      const names = Object.keys(headers)
      const fromParser = ['408', '413', '431'].includes(status)
      t.ok(names.includes('X-Request-Id'), `${name} ${status}: X-Request-Id`)
      t.equal(names.includes('RateLimit-Limit'), isLimited && !fromParser, `${name} ${status}: RateLimit-Limit`)
      t.equal(names.includes('Retry-After'), ['429', '503'].includes(status), `${name} ${status}: Retry-After`)
      if (status !== '200') t.strictSame(Object.keys(content), ['application/problem+json'], `${name} ${status}: problem`)
    }
  }
})

t.test('each problem status has the codes that the catalogue gives it', async t => {
  for (const { name, responses } of operations) {
    for (const [status, { description }] of Object.entries<any>(responses).filter(([status]) => status !== '200')) {
      const codes = [...description.matchAll(/`([A-Z_]+)`/g)].map(([, code]) => code as keyof typeof PROBLEMS)
      t.ok(codes.length > 0, `${name} ${status}: has codes`)
      const strays = codes.filter(code => code !== 'MALFORMED_HTTP' && PROBLEMS[code].status !== Number(status))
      t.strictSame(strays, [], `${name} ${status}`)
    }
  }
  t.strictSame(described.components.schemas.Problem.properties.code.enum, Object.keys(PROBLEMS))
})

t.test('reads ask for a token where there are any, the service\'s own routes never', async t => {
  for (const { name, security } of operations) {
    const isLimited = limited.some(route => name.endsWith(route))
    t.strictSame(security, isLimited ? [{ token: [] }, {}] : [], name)
  }
})

t.test('every parameter is described', async t => {
  for (const { name, parameters = [] } of operations) {
    for (const parameter of parameters) t.ok(parameter.description, `${name} ${parameter.name}`)
  }
})
