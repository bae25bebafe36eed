import fs from 'node:fs'
import { Type, type Static } from '@sinclair/typebox'
import { StringEnum } from '../schemas/common.js'
import { parseParameters } from './parameters.js'
import { parseRedisUrl } from './redis.js'
import { parseTrustProxy, type TrustProxy } from './trust-proxy.js'
import { readTokensFile, type Token } from './tokens.js'

/** The environment variables, all of them. */
const Environment = Type.Object({
  ARTIFACT_ROOT: Type.String({ default: './fixtures' }),
  HOST: Type.String({ default: '127.0.0.1' }),
  PORT: Type.Integer({ minimum: 0, maximum: 65_535, default: 8080 }),
  READ_DEADLINE_MS: Type.Integer({ minimum: 100, maximum: 600_000, default: 10_000 }),
  MAX_CONCURRENT_READS: Type.Integer({ minimum: 2, maximum: 1024, default: 16 }),
  REDIS_URL: Type.Optional(Type.String()),
  CURSOR_TTL_SECONDS: Type.Integer({ minimum: 1, maximum: 3_153_600_000, default: 86_400 }),
  CURSOR_MAX: Type.Integer({ minimum: 1, default: 100_000 }),
  RATE_LIMIT_MAX: Type.Integer({ minimum: 0, default: 6000 }),
  TRUST_PROXY: Type.Optional(Type.String()),
  TOKENS_FILE: Type.Optional(Type.String()),
  LOG_LEVEL: StringEnum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], { default: 'info' })
})

/** Settings of the service. `rateLimitMax` is requests a minute and caller; 0: off. */
export interface Config {
  artifactRoot: string
  host: string
  port: number
  readDeadlineMs: number
  maxConcurrentReads: number
  redisUrl: string | null
  cursorTtlSeconds: number
  cursorMax: number
  rateLimitMax: number
  trustProxy: TrustProxy | null
  /** Null: no tokens are asked for. */
  tokens: Token[] | null
  tokensFile: string | null
  logLevel: Static<typeof Environment>['LOG_LEVEL']
}

/** Every fault of the environment at once, a line each, by the variable's name. */
export class ConfigError extends Error {
  readonly faults: string[]

  constructor (faults: string[]) {
    super(`The configuration has faults:\n${faults.map(fault => `  ${fault}`).join('\n')}`)
    this.faults = faults
  }
}

/**
 * Reads the configuration. An empty variable counts as unset.
 * @throws ConfigError
 */
export function readConfig (env: Record<string, string | undefined>): Config {
  const given = Object.keys(Environment.properties)
    .map(name => [name, env[name] ?? ''] as [string, string])
    .filter(([, value]) => value !== '')
  const faults: string[] = []
  const report = (name: string, detail: string): void => { faults.push(`${name}: ${detail}`) }
  // Each variable by itself, so that a fault in one keeps none of the others from being looked at.
  const values: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(Environment.properties)) {
    const parsed = parseParameters(Type.Object({ [name]: property }), given.filter(pair => pair[0] === name))
    Object.assign(values, parsed.values)
    for (const fault of parsed.faults) report(name, fault.detail)
  }
  const settings = values as Static<typeof Environment>
  const trustProxy = attempt(() => parseTrustProxy(settings.TRUST_PROXY), error => report('TRUST_PROXY', error))
  const tokens = attempt(() => settings.TOKENS_FILE === undefined ? null : readTokensFile(settings.TOKENS_FILE), error => report('TOKENS_FILE', error))
  if (!isFolder(settings.ARTIFACT_ROOT)) {
    report('ARTIFACT_ROOT', `\`${settings.ARTIFACT_ROOT}\` is not an existing folder.`)
  }
  attempt(() => settings.REDIS_URL === undefined || parseRedisUrl(settings.REDIS_URL), error => report('REDIS_URL', error))
  if (faults.length > 0) throw new ConfigError(faults)
  return {
    artifactRoot: settings.ARTIFACT_ROOT,
    host: settings.HOST,
    port: settings.PORT,
    readDeadlineMs: settings.READ_DEADLINE_MS,
    maxConcurrentReads: settings.MAX_CONCURRENT_READS,
    redisUrl: settings.REDIS_URL ?? null,
    cursorTtlSeconds: settings.CURSOR_TTL_SECONDS,
    cursorMax: settings.CURSOR_MAX,
    rateLimitMax: settings.RATE_LIMIT_MAX,
    trustProxy: trustProxy ?? null,
    tokens: tokens ?? null,
    tokensFile: settings.TOKENS_FILE ?? null,
    logLevel: settings.LOG_LEVEL
  }
}

function attempt<T> (make: () => T, fail: (reason: string) => void): T | undefined {
  try {
    return make()
  } catch (error) {
    fail((error as Error).message)
    return undefined
  }
}

function isFolder (path: string): boolean {
  try {
    return fs.statSync(path).isDirectory()
  } catch {
    // Not there, or not to be reached: too many links, a name that is too long, no permission.
    return false
  }
}
