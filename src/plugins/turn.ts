import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

/** Requests of one connection that may wait for their turn; who sends more is cut off, and may repeat them. */
const MAX_WAITING = 100

/**
 * Begins the requests of a connection one after the other, those too that came before earlier ones were answered
 * (RFC 9112, 9.3.2). A client that does not read then holds one page, not hundreds; and Node, when a connection
 * closes, tells so the response alone whose turn it is.
 */
export const turn = fp(async (app: FastifyInstance) => {
  const waiting = new WeakMap<Socket, number>()
  app.addHook('onRequest', ({ socket }, { raw }, done) => {
    // Node gives a response its socket when those before it are through.
    if (raw.socket !== null) return done()
    const count = waiting.get(socket) ?? 0
    if (count === MAX_WAITING) {
      // Node stops reading when answers pile up; of requests that wait it knows nothing.
      socket.destroy()
      return
    }
    waiting.set(socket, count + 1)
    raw.once('socket', () => {
      waiting.set(socket, waiting.get(socket)! - 1)
      process.nextTick(done)
    })
  })
}, { name: 'turn', dependencies: ['outcome'] })
