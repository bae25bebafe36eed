import fs from 'node:fs'
import { Client } from '../drivers/client.mjs'
import { startBaseline, startService } from '../drivers/process.mjs'
import { median, medianRatio, target } from '../statistics.mjs'

const FILE_BYTES = 100_000_000
const PAGE_LINES = 500

/** A whole file, page after page, by the links; against a static server that is asked for the same byte ranges. */
export async function pageThrough ({ files, rounds }) {
  const log = files.log('through.log', FILE_BYTES)
  const content = fs.readFileSync(log.file)
  const service = await startService(files.folder)
  const statics = await startBaseline('static.mjs', files.folder)
  const times = { json: [], text: [], static: [], jsonSlope: [], textSlope: [] }
  for (let round = 0; round < rounds; round++) {
    const ours = await Client.connect(service.port)
    const theirs = await Client.connect(statics.port)
    const json = await follow(ours, log, content, 'json')
    const ranges = await askRanges(theirs, log, content, json.map(page => page.endByte))
    const text = await follow(ours, log, content, 'text')
    times.json.push(total(json))
    times.text.push(total(text))
    times.static.push(total(ranges))
    times.jsonSlope.push(slope(json))
    times.textSlope.push(slope(text))
    ours.close()
    theirs.close()
  }
  await service.stop()
  await statics.stop()
  return report(times, log)
}

/** Follows `Link` from the first page to the last. Gives each page's end and time; what is compared is not timed. */
async function follow (client, log, content, format) {
  const pages = []
  let start = 0
  let url = `/read?path=${log.name}&startLine=1&maxLines=${PAGE_LINES}&format=${format}`
  while (url !== null) {
    const { status, headers, body, ms } = await client.get(url)
    const { text, endByte } = format === 'text'
      ? { text: body, endByte: Number(headers['artifact-end-byte']) }
      : parsePage(body)
    if (status !== 200 || !content.subarray(start, endByte).equals(text)) throw new Error(`a wrong answer to ${url} (${status})`)
    pages.push({ endByte, ms })
    start = endByte
    const link = /^<(.*)>; rel="next"$/.exec(headers.link ?? '')
    url = link === null ? null : `/${link[1]}`
  }
  if (start !== content.length) throw new Error('the pages end before the file')
  return pages
}

function parsePage (body) {
  const { content, endsWithNewline, endByte } = JSON.parse(body)
  return { text: Buffer.from(content + (endsWithNewline ? '\n' : '')), endByte }
}

async function askRanges (client, log, content, ends) {
  const pages = []
  let start = 0
  for (const endByte of ends) {
    const { body, ms } = await client.get(`/${log.name}`, { Range: `bytes=${start}-${endByte - 1}` })
    if (!content.subarray(start, endByte).equals(body)) throw new Error('a wrong range')
    pages.push({ endByte, ms })
    start = endByte
  }
  return pages
}

function total (pages) {
  return pages.reduce((sum, { ms }) => sum + ms, 0)
}

/** What a page of the last tenth costs, in pages of the first. */
function slope (pages) {
  const tenth = Math.floor(pages.length / 10)
  const cost = part => median(part.map(({ ms }) => ms))
  return cost(pages.slice(-tenth)) / cost(pages.slice(0, tenth))
}

function report (times, log) {
  return {
    title: `${FILE_BYTES / 1e6} MB in pages of ${PAGE_LINES} lines by \`next\`, one connection`,
    notes: [`${Math.ceil(log.lines / PAGE_LINES)} pages, each compared with the file.`],
    figures: [
      { what: 'whole file as JSON', value: median(times.json), unit: 'ms' },
      { what: 'whole file as text', value: median(times.text), unit: 'ms' },
      { what: '@fastify/static, the same byte ranges', value: median(times.static), unit: 'ms' }
    ],
    targets: [
      target('JSON, last tenth : first tenth, a page', median(times.jsonSlope), '<=', 1.1),
      target('text, last tenth : first tenth, a page', median(times.textSlope), '<=', 1.1),
      target('JSON, whole : static', medianRatio(times.json, times.static), '<=', 0.8),
      target('text, whole : static', medianRatio(times.text, times.static), '<=', 0.8)
    ]
  }
}
