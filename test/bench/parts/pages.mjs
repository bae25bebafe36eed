import fs from 'node:fs'
import path from 'node:path'
import { load } from '../drivers/load.mjs'
import { Client } from '../drivers/client.mjs'
import { startBaseline, startNginx, startService } from '../drivers/process.mjs'
import { median, medianRatio, seededRandom, target } from '../statistics.mjs'

const PAGE_BYTES = 32_768
const FILE_BYTES = 64 * 1024 * 1024
/** How many different pages are asked for. */
const PAGES = 2048
const SECONDS = 2
/** Before the first round, so that none is measured before its code is compiled. */
const WARM_SECONDS = 4
const CONNECTIONS = [32, 1]

/** Pages of 32 KiB at random offsets of a log, against what a static server and a server without files reach. */
export async function pages ({ files, rounds }) {
  const log = files.log('app.log', FILE_BYTES)
  const content = fs.readFileSync(log.file)
  const random = seededRandom(2)
  const offsets = Array.from({ length: PAGES }, () => Math.floor(random() * (log.size - PAGE_BYTES)))
  const page = path.join(files.folder, 'page.txt')
  fs.writeFileSync(page, content.subarray(0, PAGE_BYTES))
  const [service, bare, statics, nginx] = await Promise.all([
    startService(files.folder), startBaseline('bare.mjs', page), startBaseline('static.mjs', files.folder), startNginx(files.folder)
  ])
  const sides = makeSides({ service, bare, statics, nginx }, content)
  const loadOn = (side, connections, seconds) => load(side.server.port, offsets.map(side.request), {
    connections, seconds, folder: files.folder
  })
  for (const side of Object.values(sides)) await loadOn(side, CONNECTIONS[0], WARM_SECONDS)
  const rates = {}
  for (let round = 0; round < rounds; round++) {
    for (const connections of CONNECTIONS) {
      for (const [name, side] of Object.entries(sides)) {
        await checkAll(side, offsets, connections)
        const rate = await loadOn(side, connections, SECONDS)
        ;((rates[connections] ??= {})[name] ??= []).push(rate)
      }
    }
  }
  await Promise.all([service, bare, statics, nginx].map(server => server?.stop()))
  return report(rates)
}

/** What is compared: where it is asked, how, and whether an answer is right. */
function makeSides ({ service, bare, statics, nginx }, content) {
  const expected = offset => content.subarray(offset, offset + PAGE_BYTES)
  const range = offset => ({ path: '/app.log', headers: { Range: `bytes=${offset}-${offset + PAGE_BYTES - 1}` } })
  const isSlice = (body, offset) => body.equals(expected(offset))
  const isFirst = body => body.equals(expected(0))
  const contentOf = body => Buffer.from(JSON.parse(body).content)
  const pageAt = format => offset => ({ path: `/bytes?path=app.log&offset=${offset}&limit=${PAGE_BYTES}&format=${format}` })
  return {
    text: { server: service, request: pageAt('text'), isRight: isSlice },
    static: { server: statics, request: range, isRight: isSlice },
    json: { server: service, request: pageAt('json'), isRight: (body, offset) => isSlice(contentOf(body), offset) },
    bareJson: { server: bare, request: () => ({ path: '/json' }), isRight: body => isFirst(contentOf(body)) },
    bareText: { server: bare, request: () => ({ path: '/text' }), isRight: isFirst },
    ...nginx === null ? {} : { nginx: { server: nginx, request: range, isRight: isSlice } }
  }
}

/**
 * Asks for each page, on as many connections as are measured, and compares it with the file. Not during the load: the
 * comparison would cost as much as what is measured.
 */
async function checkAll ({ server, request, isRight }, offsets, connections) {
  const queue = [...offsets]
  await Promise.all(Array.from({ length: connections }, async () => {
    const client = await Client.connect(server.port)
    for (let offset = queue.pop(); offset !== undefined; offset = queue.pop()) {
      const { path, headers } = request(offset)
      const { status, body } = await client.get(path, headers)
      if (status >= 300 || !isRight(body, offset)) throw new Error(`a wrong answer to ${path}, ${offset} (${status})`)
    }
    client.close()
  }))
}

const NAMES = {
  text: 'page as text',
  static: '@fastify/static, range',
  json: 'page as JSON',
  bareJson: 'bare Fastify, constant JSON',
  bareText: 'bare Fastify, constant buffer',
  nginx: 'nginx, range'
}

function report (rates) {
  const [many, one] = CONNECTIONS.map(connections => rates[connections])
  return {
    title: `32 KiB at random offsets of a ${FILE_BYTES / 2 ** 20} MiB log`,
    notes: [`${PAGES} different pages, each compared with the file before each load of ${SECONDS} s.`],
    figures: CONNECTIONS.flatMap(connections => Object.entries(rates[connections]).map(([name, values]) => (
      { what: `${NAMES[name]}, ${connections} connection(s)`, value: median(values), unit: '/s' }
    ))),
    targets: [
      target('text : static ranges, 32 connections', medianRatio(many.text, many.static), '>=', 2.5),
      target('JSON : bare constant JSON, 32 connections', medianRatio(many.json, many.bareJson), '>=', 1.0),
      target('text : static ranges, 1 connection', medianRatio(one.text, one.static), '>=', 1.5),
      target('JSON : bare constant JSON, 1 connection', medianRatio(one.json, one.bareJson), '>=', 0.45)
    ]
  }
}
