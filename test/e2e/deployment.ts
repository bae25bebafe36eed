import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Test } from 'tap'
import { PROJECT, SERVER } from '../helpers/project.js'
import { Program, answers, freePorts, listens, requirePrograms } from './programs.js'

const PREFIX = '/artifacts/'

/** A running gateway with two replicas and a Redis, as deploy/compose.yaml has them. */
export interface Deployment {
  /** Of the gateway, with the prefix and the slash at its end. */
  url: string
  /** Of each replica, without a slash at its end. */
  replicaUrls: string[]
  replicas: Program[]
  redis: Program
  gateway: Program
  /** Holds the logs. */
  folder: string
  accessLog: () => Record<string, unknown>[]
}

/**
 * Starts the built service twice, redis-server, and nginx with deploy/nginx.conf. All are gone after the test, and
 * their folder too.
 * @param root the folder that is served
 * @param env of the replicas, beside what makes them replicas
 */
export async function deploy (t: Test, root: string, env: Record<string, string> = {}): Promise<Deployment> {
  requirePrograms('nginx', 'redis-server')
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'artifact-pager-e2e-'))
  t.teardown(() => fs.rmSync(folder, { recursive: true, force: true }))
  // nginx gives up root where it has it.
  fs.chmodSync(folder, 0o755)
  const [gatewayPort = 0, redisPort = 0, ...replicaPorts] = await freePorts(4)
  const program = (name: string, options: Omit<ConstructorParameters<typeof Program>[0], 'logFile'>): Program => {
    const program = new Program({ ...options, logFile: path.join(folder, `${name}.log`) })
    t.teardown(() => program.close())
    return program
  }
  const redis = program('redis', {
    command: 'redis-server',
    args: ['--port', `${redisPort}`, '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'no'],
    probe: () => listens(redisPort)
  })
  const replicas = replicaPorts.map((port, index) => program(`replica-${index}`, {
    command: process.execPath,
    args: [SERVER],
    env: {
      ARTIFACT_ROOT: root, PORT: `${port}`, REDIS_URL: `redis://127.0.0.1:${redisPort}`, TRUST_PROXY: '1', LOG_LEVEL: 'warn', ...env
    },
    probe: () => answers(`http://127.0.0.1:${port}/readyz`)
  }))
  const gateway = program('gateway', {
    command: 'nginx',
    args: ['-e', 'stderr', '-c', writeGatewayConf(folder, gatewayPort, replicaPorts), '-g', 'daemon off;'],
    probe: () => listens(gatewayPort)
  })
  await redis.start()
  await Promise.all(replicas.map(replica => replica.start()))
  await gateway.start()
  return {
    url: `http://127.0.0.1:${gatewayPort}${PREFIX}`,
    replicaUrls: replicaPorts.map(port => `http://127.0.0.1:${port}`),
    replicas,
    redis,
    gateway,
    folder,
    accessLog: () => fs.readFileSync(path.join(folder, 'access.log'), 'utf8').trim().split('\n').map(line => JSON.parse(line))
  }
}

/** deploy/nginx.conf with our ports and folder, and nothing else changed. */
function writeGatewayConf (folder: string, port: number, replicaPorts: number[]): string {
  let conf = fs.readFileSync(path.join(PROJECT, 'deploy/nginx.conf'), 'utf8')
  const substitutions = {
    'listen 8080': `listen 127.0.0.1:${port}`,
    'replica-a:8080': `127.0.0.1:${replicaPorts[0]}`,
    'replica-b:8080': `127.0.0.1:${replicaPorts[1]}`,
    '/tmp/nginx': `${folder}/nginx`,
    '/dev/stdout': `${folder}/access.log`
  }
  for (const [from, to] of Object.entries(substitutions)) {
    if (!conf.includes(from)) throw new Error(`deploy/nginx.conf has no \`${from}\``)
    conf = conf.replaceAll(from, to)
  }
  const file = path.join(folder, 'nginx.conf')
  fs.writeFileSync(file, conf)
  return file
}
