// A baseline: Fastify alone with a constant page, as a buffer and as JSON through a schema.
// `node bare.mjs <port> <file>`
import fs from 'node:fs'
import Fastify from 'fastify'

const [port, file] = process.argv.slice(2)
const page = fs.readFileSync(file)
const facts = {
  path: 'app.log',
  unit: 'bytes',
  encoding: 'utf-8',
  startByte: 0,
  endByte: page.length,
  replacements: 0,
  offset: 0,
  limit: page.length,
  byteCount: page.length,
  nextOffset: page.length,
  truncated: true,
  eof: false,
  next: `bytes?path=app.log&limit=${page.length}&offset=${page.length}`,
  content: page.toString()
}
const schemaOf = value => ({ type: Number.isInteger(value) ? 'integer' : typeof value })
const properties = Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, schemaOf(value)]))

const app = Fastify()
app.get('/text', async (request, reply) => reply.type('text/plain; charset=utf-8').send(page))
app.get('/json', { schema: { response: { 200: { type: 'object', properties } } } }, async () => facts)
await app.listen({ host: '127.0.0.1', port: Number(port) })
