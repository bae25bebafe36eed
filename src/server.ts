import closeWithGrace from 'close-with-grace'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildApp, type App } from './app.js'
import { ConfigError, readConfig, type Config } from './config.js'
import { Connections } from './connections.js'
import { errnoOf } from './files/system.js'
import { standardOutput } from './log.js'
import { readTokensFile } from './tokens.js'

/** Requests under way have this long to end after SIGTERM; then their connections are closed. */
const DRAIN_MS = 11_000
/** The process is gone within 15 s of SIGTERM. */
const GRACE_MS = 14_000
/** While requests are under way, it listens for this long after SIGTERM, so that probes can see it go. */
const LISTEN_ON_MS = 3000
const POLL_MS = 50
const COME_BACK_MS = 500
const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const
/**
 * Signals that are left to the system. Of those that a fault raises, a listener makes an endless loop: Node returns to
 * the instruction that raised it.
 */
const LEFT_SIGNALS = [
  'SIGHUP', 'SIGQUIT', 'SIGILL', 'SIGTRAP', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGSEGV', 'SIGUSR2'
] as const

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
  const connections = new Connections(fastify.server)
  const fail = (): void => exit(app, 1)
  const skip = [...STOP_SIGNALS, ...LEFT_SIGNALS]
  const onSecondError = (err: unknown): void => {
    fastify.log.fatal({ err }, 'defect')
    fail()
  }
  const ending = closeWithGrace({
    delay: GRACE_MS, logger: fastify.log, skip, onTimeout: fail, onSecondError
  }, async ({ err }) => {
    if (err !== undefined) fastify.log.fatal({ err }, 'defect')
    await stop(app, connections)
    standardOutput.flush()
    // What does not hang may take a moment to come back: a write of log lines, say.
    for (let waitedMs = 0; app.hangs() && waitedMs < COME_BACK_MS; waitedMs += POLL_MS) await sleep(POLL_MS)
    exit(app, err === undefined ? 0 : 1)
  })
  // A second one changes nothing: where npm or a supervisor passes signals on, each comes twice.
  let signalled = false
  const end = (): void => {
    if (!signalled) ending.close()
    signalled = true
  }
  for (const signal of STOP_SIGNALS) process.on(signal, end)
  process.on('SIGHUP', () => rereadTokens(app, config))
  try {
    await fastify.listen({ host: config.host, port: config.port })
  } catch (error) {
    throw new ConfigError([`PORT: cannot listen on port ${config.port} of ${config.host} (${errnoOf(error)}); set another PORT or HOST.`])
  }
}

async function stop ({ fastify, drain }: App, connections: Connections): Promise<void> {
  fastify.log.info('shutting down')
  drain()
  const startMs = performance.now()
  const whileBusy = async (untilMs: number): Promise<void> => {
    while (connections.busy && performance.now() - startMs < untilMs) await sleep(POLL_MS)
  }
  await whileBusy(LISTEN_ON_MS)
  const { server } = fastify
  // No more are accepted. The close of an HTTP server would cut off responses that are written but not yet read.
  net.Server.prototype.close.call(server)
  connections.end()
  await whileBusy(DRAIN_MS)
  server.closeAllConnections()
  await fastify.close()
}

/** Ends the process. An ordinary exit would wait for the threads that hang, perhaps for ever. */
function exit ({ hangs }: App, code: number): void {
  if (hangs()) {
    process.kill(process.pid, 'SIGKILL')
    // The first process of a container is immune to its own signals, but not to the fault that an abort ends in.
    process.abort()
  }
  process.exit(code)
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
