// Writes openapi.d.ts, the types of the coordinator's client, from openapi.yaml: npm run e2e:types
import { writeFileSync } from 'node:fs'
import openapiTS, { astToString } from 'openapi-typescript'

const source = new URL('../../openapi.yaml', import.meta.url)
// A parameter with a default may be left out.
const types = astToString(await openapiTS(source, { defaultNonNullable: false }))
writeFileSync(new URL('openapi.d.ts', import.meta.url), `/* eslint-disable */\n// Generated: npm run e2e:types\n\n${types}`)
