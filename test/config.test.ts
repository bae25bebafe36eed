import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import net from 'node:net'
import t from 'tap'
import { ConfigError, readConfig } from '../src/config.js'
import { SERVER } from './helpers/project.js'
import { makeFolder } from './helpers/service.js'

const ROOT = makeFolder(t, { 'a.log': 'one\n', 'tokens.json': '[]' })

function faultsOf (env: Record<string, string>): string[] {
  try {
    readConfig({ ARTIFACT_ROOT: ROOT, ...env })
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
}

const DEFAULTS = {
  host: '127.0.0.1',
  port: 8080,
  readDeadlineMs: 10_000,
  redisUrl: null,
  cursorTtlSeconds: 86_400,
  cursorMax: 100_000,
  rateLimitMax: 6000,
  trustProxy: null,
  tokens: null,
  tokensFile: null,
  logLevel: 'info'
}

t.test('defaults, with variables unset or empty', async t => {
  const unset = readConfig({ ARTIFACT_ROOT: ROOT })
  t.match(unset, { ...DEFAULTS, artifactRoot: ROOT })
  t.ok(unset.maxConcurrentReads >= 2)
  const names = ['HOST', 'PORT', 'READ_DEADLINE_MS', 'MAX_CONCURRENT_READS', 'REDIS_URL', 'CURSOR_TTL_SECONDS', 'CURSOR_MAX', 'RATE_LIMIT_MAX', 'TRUST_PROXY', 'TOKENS_FILE', 'LOG_LEVEL']
  t.strictSame(readConfig({ ARTIFACT_ROOT: ROOT, ...Object.fromEntries(names.map(name => [name, ''])) }), unset)
  t.equal(readConfig({}).artifactRoot, './fixtures', 'from the folder of the project')
  t.equal(readConfig({ ARTIFACT_ROOT: '' }).artifactRoot, './fixtures')
})

t.test('other variables are nobody\'s business', async t => {
  t.strictSame(faultsOf({ PATH: '/bin', ROOT: '/nonsense', port: 'x' }), [])
})

const VALUES: Record<string, { good: string[], bad: string[] }> = {
  ARTIFACT_ROOT: { good: [ROOT, `${ROOT}/.`], bad: [`${ROOT}/missing`, `${ROOT}/a.log`, `${ROOT}/a.log/x`, '/dev/null', 'x'.repeat(5000)] },
  PORT: { good: ['0', '1', '65535'], bad: ['65536', '-1', '0x50', '080', '8e3', ' 80', '80 ', 'http', '1.5'] },
  READ_DEADLINE_MS: { good: ['100', '600000'], bad: ['99', '600001', '1e3', '10s', 'Infinity'] },
  MAX_CONCURRENT_READS: { good: ['2', '16'], bad: ['1', '0', '-2', 'many', '2.0'] },
  REDIS_URL: { good: ['redis://localhost:6379', 'rediss://user:pass@redis.example:6380/1'], bad: ['localhost:6379', 'http://localhost', 'nonsense'] },
  CURSOR_TTL_SECONDS: { good: ['1', '86400'], bad: ['0', '-1', '1h', '01'] },
  CURSOR_MAX: { good: ['1', '9007199254740991'], bad: ['0', '9007199254740992', '1e6'] },
  RATE_LIMIT_MAX: { good: ['0', '1', '100000'], bad: ['-1', 'off', '00', '+5'] },
  TRUST_PROXY: { good: ['0', '1', '10.0.0.1', '10.0.0.0/8, ::1', 'fd00::/8', '::ffff:10.0.0.0/104'], bad: ['true', '01', '1000', '-1', '10.0.0.0/33', '::/129', '10.0.0', 'proxy.example', '10.0.0.1,', '10.0.0.0/08x', '1.2.3.4/'] },
  LOG_LEVEL: { good: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], bad: ['INFO', 'verbose', '30'] },
  TOKENS_FILE: { good: [], bad: [`${ROOT}/missing.json`, ROOT, `${ROOT}/a.log`, `${ROOT}/tokens.json`] }
}

for (const [name, { good, bad }] of Object.entries(VALUES)) {
  t.test(name, async t => {
    for (const value of good) t.strictSame(faultsOf({ [name]: value }), [], `${value} is good`)
    for (const value of bad) {
      const faults = faultsOf({ [name]: value })
      t.equal(faults.length, 1, `${value.slice(0, 40)} is a fault`)
      t.match(faults[0], new RegExp(`^${name}: .`), 'by its name')
    }
  })
}

t.test('a password in a URL is not told', async t => {
  t.notMatch(faultsOf({ REDIS_URL: 'http://user:hunter2@redis' }).join(), /hunter2/)
})

t.test('all faults at once', async t => {
  const env = Object.fromEntries(Object.entries(VALUES).map(([name, { bad }]) => [name, bad[0]!]))
  const faults = faultsOf(env)
  t.strictSame(faults.map(fault => fault.split(':')[0]).sort(), Object.keys(VALUES).sort())
  t.match(new ConfigError(faults).message, faults.join('\n  '))
})

t.test('a port that is taken', async t => {
  const other = net.createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  t.teardown(() => { other.close() })
  const { port } = other.address() as net.AddressInfo
  const env = { PATH: process.env.PATH, ARTIFACT_ROOT: makeFolder(t), PORT: String(port), LOG_LEVEL: 'silent' }
  const { status, stderr } = spawnSync(process.execPath, [SERVER], { env, encoding: 'utf8', timeout: 60_000 })
  t.equal(status, 1)
  t.match(stderr, `PORT: cannot listen on port ${port} of 127.0.0.1 (EADDRINUSE); set another PORT or HOST.`)
  t.notMatch(stderr, /\bat .*:\d+:\d+/, 'no stack')
})

t.test('the process tells all and exits with 1', async t => {
  const env = { PATH: process.env.PATH, ARTIFACT_ROOT: '/nonsense', PORT: 'http', LOG_LEVEL: 'loud', TRUST_PROXY: 'all' }
  const { status, stderr, stdout } = spawnSync(process.execPath, [SERVER], { env, encoding: 'utf8', timeout: 60_000 })
  t.equal(status, 1)
  for (const name of ['ARTIFACT_ROOT', 'PORT', 'LOG_LEVEL', 'TRUST_PROXY']) t.match(stderr, new RegExp(`^ *${name}: `, 'm'))
  t.equal(stdout, '')
  t.notMatch(stderr, /\bat .*:\d+:\d+/, 'no stack')
})
