import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

/**
 * Begins the requests of a connection one after the other, those too that came before earlier ones were answered
 * (RFC 9112, 9.3.2). A client that does not read then holds one page, not hundreds; and Node, when a connection
 * closes, tells so the response alone whose turn it is.
 */
export const turn = fp(async (app: FastifyInstance) => {
  app.addHook('onRequest', (_request, { raw }, done) => {
    // Node gives a response its socket when those before it are through.
    if (raw.socket !== null) done()
    else raw.once('socket', () => process.nextTick(done))
  })
}, { name: 'turn', dependencies: ['outcome'] })
