import { spawn } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { START_FLAGS } from '../start-flags.mjs'

const HERE = path.dirname(fileURLToPath(import.meta.url))
const SERVICE = path.resolve(HERE, '../../../dist/src/server.js')
const START_WITHIN_MS = 15_000
const running = new Set()
process.once('exit', () => { for (const child of running) child.kill('SIGKILL') })

/** A server in a process of its own: `port`, `pid`, `stop()`. */
async function start (command, makeArgs, makeEnv = () => ({})) {
  const port = await freePort()
  const child = spawn(command, makeArgs(port), {
    env: { ...process.env, ...makeEnv(port) }, stdio: ['ignore', 'ignore', 'inherit']
  })
  running.add(child)
  const ended = new Promise(resolve => child.once('exit', resolve)).then(() => running.delete(child))
  await answering(port, child)
  return { port, pid: child.pid, stop: () => { child.kill('SIGTERM'); return ended } }
}

/** The service as it is shipped, but for the rate limit; its log goes to /dev/null. */
export function startService (root) {
  if (!fs.existsSync(SERVICE)) throw new Error('there is no dist/: `npm run build` first')
  return start(process.execPath, () => [...START_FLAGS, SERVICE], port => ({
    NODE_ENV: 'production', ARTIFACT_ROOT: root, HOST: '127.0.0.1', PORT: String(port), RATE_LIMIT_MAX: '0', LOG_LEVEL: 'info'
  }))
}

/** A script of ../servers, given a port and arguments. */
export function startBaseline (script, ...args) {
  const file = path.resolve(HERE, '../servers', script)
  return start(process.execPath, port => [file, String(port), ...args], () => ({ NODE_ENV: 'production' }))
}

/** nginx, one worker, serving a folder; null where it is not installed. */
export async function startNginx (root) {
  if (!isInstalled('nginx')) return null
  // Beside the files, so that it goes when they go.
  const folder = fs.mkdtempSync(path.join(root, 'nginx-'))
  const file = path.join(folder, 'nginx.conf')
  return start('nginx', port => {
    fs.writeFileSync(file, `
      ${process.getuid() === 0 ? 'user root;' : ''}
      daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr crit;
      events { worker_connections 256; }
      http {
        access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000;
        client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder};
        uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
        server { listen 127.0.0.1:${port}; root ${root}; }
      }`)
    return ['-e', 'stderr', '-p', folder, '-c', file]
  })
}

export function isInstalled (command) {
  return process.env.PATH.split(':').some(folder => fs.existsSync(path.join(folder, command)))
}

async function freePort () {
  const server = net.createServer()
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  await new Promise(resolve => server.close(resolve))
  return port
}

async function answering (port, child) {
  const giveUpAt = performance.now() + START_WITHIN_MS
  while (performance.now() < giveUpAt) {
    if (child.exitCode !== null) throw new Error(`${child.spawnargs.join(' ')} ended at once`)
    const isThere = await fetch(`http://127.0.0.1:${port}/livez`).then(response => response.text(), () => null)
    if (isThere !== null) return
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  throw new Error(`${child.spawnargs.join(' ')} does not answer`)
}
