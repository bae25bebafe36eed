import { spawnSync } from 'node:child_process'
import { Client } from '../drivers/client.mjs'
import { startMcp } from '../drivers/mcp.mjs'
import { startService } from '../drivers/process.mjs'
import { slice, warm } from '../files.mjs'
import { median, medianRatio, target } from '../statistics.mjs'

const GIB = 2 ** 30
const LINE = 8_000_000
const LINES = 200
const CHARACTER = 15_000_000
const ONE_LINE_BYTES = 20_000_000
/** Reads of a page that costs no scan, in one round. */
const REPEATS = 50

/** Pages far from the start of a large log and of one long line. */
export async function deep ({ files, rounds }) {
  const log = files.log('deep.log', GIB, [LINE])
  if (log.lines <= LINE) throw new Error('the log has too few lines')
  const oneLine = files.oneLine('trace.json', ONE_LINE_BYTES)
  warm(log)
  warm(oneLine)
  const service = await startService(files.folder)
  const mcp = await startMcp(files.folder)
  const times = new Times()
  for (let round = 0; round < rounds; round++) {
    const client = await Client.connect(service.port)
    await measureLines(client, log, times)
    await measureCharacters(client, oneLine, times)
    await measureEnds(client, mcp, log, times)
    client.close()
  }
  mcp.stop()
  await service.stop()
  return report(times, log)
}

/** Times by name, one a round. */
class Times {
  byName = {}

  add (name, ...ms) {
    (this.byName[name] ??= []).push(median(ms))
  }
}

async function measureLines (client, log, times) {
  const url = startLine => `/read?path=${log.name}&startLine=${startLine}&maxLines=${LINES}`
  times.add('wc', run('wc', '-l', log.file))
  const first = await getPage(client, url(LINE), log)
  if (first.page.startByte !== log.marks.get(LINE)) throw new Error('the page is not at its line')
  times.add('deep', first.ms)
  times.add('sed', run('sed', '-n', `${LINE},${LINE + LINES - 1}p;${LINE + LINES - 1}q`, log.file))
  await measureAlternating(client, log, times, { nextLines: `/${first.page.next}`, lineOne: url(1) })
}

async function measureCharacters (client, oneLine, times) {
  const url = offset => `/read?path=${oneLine.name}&offsetChars=${offset}`
  const first = []
  let next
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const { page, ms } = await getPage(client, url(CHARACTER), oneLine)
    first.push(ms)
    next = `/${page.next}`
  }
  times.add('character', ...first)
  await measureAlternating(client, oneLine, times, { nextCharacters: next, characterOne: url(0) })
}

/** How the ends of the log are had from others: they have no way to a line in the middle. */
async function measureEnds (client, mcp, log, times) {
  times.add('tail', run('tail', '-n', String(LINES), log.file))
  for (const end of ['head', 'tail']) {
    const { text, ms } = await mcp.readText(log.file, { [end]: LINES })
    // It takes what follows the final line feed for a line.
    if (Math.abs(text.trimEnd().split('\n').length - LINES) > 1) throw new Error(`the MCP server gave another ${end}`)
    times.add(`mcp-${end}`, ms)
  }
  times.add('lastLines', (await getPage(client, `/read?path=${log.name}&startLine=${log.lines - LINES + 1}`, log)).ms)
}

async function measureAlternating (client, file, times, urls) {
  const all = Object.fromEntries(Object.keys(urls).map(name => [name, []]))
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    for (const [name, url] of Object.entries(urls)) all[name].push((await getPage(client, url, file)).ms)
  }
  for (const [name, ms] of Object.entries(all)) times.add(name, ...ms)
}

/** A page that is what the file has there. */
async function getPage (client, url, { file }) {
  const { status, body, ms } = await client.get(url)
  const page = JSON.parse(body)
  const lineFeed = page.endsWithNewline === true ? '\n' : ''
  if (status !== 200 || !slice(file, page.startByte, page.endByte).equals(Buffer.from(page.content + lineFeed))) {
    throw new Error(`a wrong answer to ${url} (${status})`)
  }
  return { page, ms }
}

function run (command, ...args) {
  const started = performance.now()
  const { status } = spawnSync(command, args, { stdio: 'ignore' })
  if (status !== 0) throw new Error(`${command} failed`)
  return performance.now() - started
}

const NAMES = {
  deep: `${LINES} lines at line ${LINE}, first time`,
  wc: '`wc -l` of the whole file',
  sed: `\`sed -n\` of the same ${LINES} lines`,
  nextLines: 'the page after, by `next`',
  lineOne: `${LINES} lines at line 1`,
  character: `32,768 characters at character ${CHARACTER}, first time`,
  nextCharacters: 'the page after, by `next`, in characters',
  characterOne: '32,768 characters at character 0',
  lastLines: `the last ${LINES} lines by number`,
  tail: `\`tail -n ${LINES}\``,
  'mcp-head': `MCP filesystem server, head ${LINES}`,
  'mcp-tail': `MCP filesystem server, tail ${LINES}`
}

function report ({ byName }, log) {
  const figure = name => median(byName[name])
  return {
    title: `far into a log of 1 GiB with ${log.lines} lines, and one line of ${ONE_LINE_BYTES / 1e6} MB; page cache warm`,
    notes: ['Each page is compared with the file.'],
    figures: Object.entries(NAMES).map(([name, what]) => ({ what, value: figure(name), unit: 'ms' })),
    targets: [
      target(`line ${LINE} : \`wc -l\``, medianRatio(byName.deep, byName.wc), '<=', 0.8),
      target(`line ${LINE} : \`sed\``, medianRatio(byName.deep, byName.sed), '<', 1),
      target('its next page : line 1', medianRatio(byName.nextLines, byName.lineOne), '<=', 1.5),
      target(`character ${CHARACTER}`, figure('character'), '<', 6, 'ms'),
      target('its next page : character 0', medianRatio(byName.nextCharacters, byName.characterOne), '<=', 1.5)
    ]
  }
}
