// A baseline: @fastify/static over a folder. `node static.mjs <port> <folder>`
import fastifyStatic from '@fastify/static'
import Fastify from 'fastify'

const [port, root] = process.argv.slice(2)
const app = Fastify()
await app.register(fastifyStatic, { root })
await app.listen({ host: '127.0.0.1', port: Number(port) })
