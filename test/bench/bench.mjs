// Measures the built service against baselines, interleaved in one run: `npm run bench -- [parts] [--write]`.
import { parseArgs } from 'node:util'
import { Files } from './files.mjs'
import { deep } from './parts/deep.mjs'
import { pages } from './parts/pages.mjs'
import { pageThrough } from './parts/page-through.mjs'
import { scan } from './parts/scan.mjs'
import { describeMachine, printPart, writeResults } from './report.mjs'

const PARTS = { pages, deep, pagethrough: pageThrough, scan }

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false }, rounds: { type: 'string', default: '5' } }
})
const rounds = Number(values.rounds)
const names = positionals.length === 0 ? Object.keys(PARTS) : positionals
const unknown = names.filter(name => !Object.hasOwn(PARTS, name))
if (unknown.length > 0 || !Number.isInteger(rounds) || rounds < 1) {
  console.error(`Usage: npm run bench -- [${Object.keys(PARTS).join('|')}]... [--rounds 5] [--write]`)
  process.exit(2)
}

const files = new Files()
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))
process.once('exit', () => files.remove())

console.log(describeMachine())
const results = []
for (const name of names) {
  console.log(`\n${name}: under way, ${rounds} rounds`)
  const result = { name, ...await PARTS[name]({ files, rounds }) }
  results.push(result)
  printPart(result)
}
if (values.write) writeResults(results, ['npm run bench --', ...process.argv.slice(2)].join(' '))
const failed = results.flatMap(({ targets }) => targets).filter(({ holds }) => !holds)
console.log(failed.length === 0 ? '\nAll targets hold.' : `\n${failed.length} target(s) do not hold.`)
process.exit(failed.length === 0 ? 0 : 1)
