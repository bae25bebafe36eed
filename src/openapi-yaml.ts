import fs from 'node:fs'
import { stringify } from 'yaml'
import { buildApp } from './app.js'
import { readConfig } from './config.js'

/** Writes `openapi.yaml` in the working directory, or with `--check` tells whether it is as it would be written. */
const FILE = 'openapi.yaml'

const { fastify } = await buildApp(readConfig({ ARTIFACT_ROOT: '.', LOG_LEVEL: 'silent' }))
await fastify.ready()
// What readers of YAML 1.1 would take for times or booleans is quoted.
const yaml = stringify(fastify.swagger(), { lineWidth: 0, aliasDuplicateObjects: false, schema: 'yaml-1.1' })
await fastify.close()

if (!process.argv.includes('--check')) {
  fs.writeFileSync(FILE, yaml)
} else if (!fs.existsSync(FILE) || fs.readFileSync(FILE, 'utf8') !== yaml) {
  console.error(`${FILE} is not what the schemas say; run \`npm run openapi\` and commit it`)
  process.exitCode = 1
}
