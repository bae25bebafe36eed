// Writes openapi.d.ts, the types of the coordinator's client, from openapi.yaml: npm run e2e:types
// With --check, tells whether it is as it would be written.
import { readFileSync, writeFileSync } from 'node:fs'
import openapiTS, { astToString } from 'openapi-typescript'

const source = new URL('../../openapi.yaml', import.meta.url)
const target = new URL('openapi.d.ts', import.meta.url)
// A parameter with a default may be left out.
const types = astToString(await openapiTS(source, { defaultNonNullable: false }))
const text = `// Generated: npm run e2e:types\n\n${types}`

if (!process.argv.includes('--check')) {
  writeFileSync(target, text)
} else if (readFileSync(target, 'utf8') !== text) {
  console.error('test/e2e/openapi.d.ts is not what openapi.yaml says; run `npm run e2e:types` and commit it')
  process.exitCode = 1
}
