import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { isInstalled } from './process.mjs'

/**
 * Requests a second that a server answers on so many connections, each cycling through the requests from a place of
 * its own. By wrk, which takes little of the machine that it shares with the server; by autocannon without it.
 * @param requests `{ path, headers }` each
 */
export async function load (port, requests, { connections, seconds, folder }) {
  const run = usesWrk() ? wrk : cannon
  return run(port, requests, { connections, seconds, folder })
}

export function usesWrk () {
  return isInstalled('wrk')
}

async function wrk (port, requests, { connections, seconds, folder }) {
  const script = path.join(folder, 'load.lua')
  const lines = requests.map(({ path, headers = {} }) => {
    const pairs = Object.entries(headers).map(([name, value]) => `["${name}"]=${JSON.stringify(value)}`)
    return `  wrk.format("GET", ${JSON.stringify(path)}, {${pairs.join(',')}}),`
  })
  fs.writeFileSync(script, `
local requests, at = nil, 0
init = function () requests = {\n${lines.join('\n')}\n} end
request = function () at = at % #requests + 1; return requests[at] end
done = function (summary)
  local failed = summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.timeout
  io.write(string.format("RESULT %d %d %d\\n", summary.requests, summary.duration, failed))
end`)
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, `http://127.0.0.1:${port}/`]
  const { stdout } = await promisify(execFile)('wrk', args)
  const [, count, durationUs, failed] = /^RESULT (\d+) (\d+) (\d+)$/m.exec(stdout).map(Number)
  if (failed > 0) throw new Error(`${failed} requests failed under load`)
  return count / durationUs * 1e6
}

async function cannon (port, requests, { connections, seconds }) {
  const { default: autocannon } = await import('autocannon')
  let at = 0
  const { requests: counts, duration, non2xx, errors } = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections,
    duration: seconds,
    requests: [{ setupRequest: request => ({ ...request, ...requests[at++ % requests.length] }) }]
  })
  if (non2xx + errors > 0) throw new Error(`${non2xx + errors} requests failed under load`)
  return counts.total / duration
}
