import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import path from 'node:path'
import readline from 'node:readline'

/** The filesystem server of the Model Context Protocol over a folder: `readText(file, { head } or { tail })`. */
export async function startMcp (folder) {
  const require = createRequire(import.meta.url)
  const entry = path.join(path.dirname(require.resolve('@modelcontextprotocol/server-filesystem/package.json')), 'dist/index.js')
  const child = spawn(process.execPath, [entry, folder], { stdio: ['pipe', 'pipe', 'ignore'] })
  process.once('exit', () => child.kill('SIGKILL'))
  const waiting = new Map()
  readline.createInterface({ input: child.stdout }).on('line', line => {
    const { id, result, error } = JSON.parse(line)
    waiting.get(id)?.(error === undefined ? result : Promise.reject(new Error(error.message)))
  })
  let lastId = 0
  const send = message => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const call = (method, params) => new Promise(resolve => {
    const id = ++lastId
    waiting.set(id, resolve)
    send({ id, method, params })
  })
  await call('initialize', {
    protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'bench', version: '1' }
  })
  send({ method: 'notifications/initialized' })
  return {
    async readText (file, part) {
      const started = performance.now()
      const { content, isError } = await call('tools/call', { name: 'read_text_file', arguments: { path: file, ...part } })
      if (isError) throw new Error(content[0].text)
      return { text: content[0].text, ms: performance.now() - started }
    },
    stop: () => { child.kill('SIGKILL') }
  }
}
