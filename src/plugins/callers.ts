import rateLimit, { type FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../config.js'
import { Problem } from '../errors.js'
import { findToken, type Token } from '../tokens.js'
import { callerAddress } from '../trust-proxy.js'

/** Who asks. */
export interface Caller { token: Token | null, address: string }

/** The tokens in force; replaced as a whole when they are reread. */
export interface TokenBook { tokens: Token[] | null }

declare module 'fastify' {
  interface FastifyRequest { caller: Caller }
  /** A service route bears no token and no rate limit. */
  interface FastifyContextConfig { service?: boolean }
}

export interface CallersOptions {
  config: Config
  book: TokenBook
  rateLimitStore: FastifyRateLimitStoreCtor
}

/** Identifies the caller, limits its rate, and asks for a token where there are any. */
export const callers = fp<CallersOptions>(async (app: FastifyInstance, { config, book, rateLimitStore }) => {
  app.decorateRequest('caller')
  app.addHook('onRequest', (request, _reply, done) => {
    const { authorization, 'x-forwarded-for': given } = request.headers
    const forwardedFor = Array.isArray(given) ? given.join(',') : given
    request.caller = {
      token: book.tokens === null ? null : findToken(authorization, book.tokens),
      address: callerAddress(request.socket.remoteAddress ?? '', forwardedFor || undefined, config.trustProxy)
    }
    done()
  })
  if (config.rateLimitMax > 0) await limitRate(app, config.rateLimitMax, rateLimitStore)
  app.addHook('onRequest', (request, _reply, done) => {
    const isLetIn = book.tokens === null || request.caller.token !== null || request.is404
    if (isLetIn || request.routeOptions.config.service === true) return done()
    done(new Problem('UNAUTHORIZED', 'Send a valid token as `Authorization: Bearer …`.'))
  })
}, { name: 'callers', dependencies: ['problems'] })

async function limitRate (app: FastifyInstance, max: number, store: FastifyRateLimitStoreCtor): Promise<void> {
  await app.register(rateLimit, {
    global: false,
    max,
    timeWindow: 60_000,
    store,
    // A token's callers share its limit wherever they are.
    keyGenerator: ({ caller }) => caller.token === null ? `address:${caller.address}` : `token:${caller.token.name}`
  })
  const count = app.createRateLimit()
  app.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    if (request.routeOptions.config.service === true) return
    const state = await count(request)
    if (state.isAllowed) return
    reply.headers({
      'RateLimit-Limit': String(state.max),
      'RateLimit-Remaining': String(state.remaining),
      'RateLimit-Reset': String(state.ttlInSeconds)
    })
    // An unknown route counts, but what it is told is that it is unknown.
    if (!state.isExceeded || request.is404) return
    reply.header('Retry-After', String(state.ttlInSeconds))
    throw new Problem('RATE_LIMITED', `More than ${state.max} requests in a minute; go on after the seconds in Retry-After.`)
  })
}
