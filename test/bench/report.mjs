import fs from 'node:fs'
import os from 'node:os'
import { usesWrk } from './drivers/load.mjs'

const RESULTS = new URL('./RESULTS.md', import.meta.url)

export function describeMachine () {
  const [{ model }] = os.cpus()
  const memoryGib = Math.round(os.totalmem() / 2 ** 30)
  return `Node ${process.version}, ${os.cpus().length} x ${model.trim()}, ${memoryGib} GiB, ${os.type()} ${os.release()}, load by ${usesWrk() ? 'wrk' : 'autocannon'}`
}

/** Prints what a part measured: `{ name, title, notes, figures, targets }`. */
export function printPart ({ title, notes, figures, targets }) {
  console.log(`\n${title}`)
  for (const note of notes) console.log(`  ${note}`)
  console.log(asTable(figures.map(({ what, value, unit }) => [what, amount(value, unit)])))
  console.log(asTable(targets.map(each => [each.what, amount(each.value, each.unit), limitOf(each), verdict(each)])))
}

/** Writes all parts to the results page. */
export function writeResults (parts, command) {
  const sections = parts.map(({ name, title, notes, figures, targets }) => [
    `## ${name}: ${title}`,
    notes.join('\n'),
    markdownTable(['target', 'measured', 'limit', 'holds'],
      targets.map(each => [each.what, amount(each.value, each.unit), limitOf(each), verdict(each)])),
    markdownTable(['figure', 'median'], figures.map(({ what, value, unit }) => [what, amount(value, unit)]))
  ].filter(block => block !== '').join('\n\n'))
  const head = [
    '# Results of the benchmark',
    `${new Date().toISOString().slice(0, 10)}; \`${command}\`; ${describeMachine()}.`,
    'Written by `npm run bench -- --write`. Everything runs on one machine at once, interleaved in rounds: the ratios\n' +
    'carry over to other machines, the figures less. A ratio is the median of the ratios of single rounds.'
  ]
  fs.writeFileSync(RESULTS, `${[...head, ...sections].join('\n\n')}\n`)
}

function limitOf ({ relation, limit, unit }) {
  return `${relation} ${amount(limit, unit)}`
}

function verdict ({ holds }) {
  return holds ? 'yes' : '**no**'
}

function amount (value, unit) {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2
  return `${value.toFixed(digits)} ${unit}`
}

function asTable (rows) {
  const widths = rows.reduce((most, row) => row.map((cell, column) => Math.max(cell.length, most[column] ?? 0)), [])
  return rows.map(row => `  ${row.map((cell, column) => cell.padEnd(widths[column])).join('  ').trimEnd()}`).join('\n')
}

function markdownTable (titles, rows) {
  return [titles, titles.map(() => '---'), ...rows].map(row => `| ${row.join(' | ')} |`).join('\n')
}
