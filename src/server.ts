import closeWithGrace from 'close-with-grace'
import { buildApp, type App } from './app.js'
import { ConfigError, readConfig, type Config } from './config.js'
import { readTokensFile } from './tokens.js'

/** Requests under way have this long to end after SIGTERM; then their connections are closed. */
const DRAIN_MS = 11_000
/** The process is gone within 15 s of SIGTERM. */
const GRACE_MS = 14_000

try {
  if (process.platform !== 'linux') throw new ConfigError(['artifact-pager runs on Linux only (it walks through /proc); use its container image.'])
  await start(readConfig(process.env))
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error)
  process.exit(1)
}

async function start (config: Config): Promise<void> {
  const app = await buildApp(config)
  const { fastify } = app
  closeWithGrace({ delay: GRACE_MS, logger: fastify.log }, async ({ err }) => {
    if (err !== undefined) fastify.log.fatal({ err }, 'defect')
    await stop(app)
  })
  process.on('SIGHUP', () => rereadTokens(app, config))
  await fastify.listen({ host: config.host, port: config.port })
}

async function stop ({ fastify, drain, hasStuckReads }: App): Promise<void> {
  fastify.log.info('shutting down')
  drain()
  const timer = setTimeout(() => fastify.server.closeAllConnections(), DRAIN_MS)
  await fastify.close()
  clearTimeout(timer)
  // An exit would wait for the threads whose reads hang, perhaps for ever.
  if (hasStuckReads()) process.kill(process.pid, 'SIGKILL')
}

function rereadTokens ({ fastify, book }: App, { tokensFile }: Config): void {
  if (tokensFile === null) return
  try {
    book.tokens = readTokensFile(tokensFile)
    fastify.log.info({ tokens: book.tokens.length }, 'tokens reread')
  } catch (error) {
    fastify.log.error(`tokens not reread, the old ones stay in force: ${(error as Error).message}`)
  }
}
