import net from 'node:net'

export interface RawAnswer {
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  body: string
  /** The body parsed, if it is JSON. */
  json: any
}

/**
 * Sends bytes as they are on a connection of its own, and gives every answer on it, up to the end of the connection.
 * Ask for `Connection: close`, or end the writing side with `half: true`.
 */
export async function sendRaw (
  port: number, request: string | Buffer, options: { half?: boolean } = {}
): Promise<RawAnswer[]> {
  const socket = net.connect({ port, host: '127.0.0.1' })
  socket.write(request)
  if (options.half === true) socket.end()
  const chunks: Buffer[] = []
  socket.on('data', chunk => chunks.push(chunk))
  socket.setTimeout(30_000, () => socket.destroy(new Error('no end of the connection within 30 s')))
  await new Promise<void>((resolve, reject) => {
    socket.on('close', () => resolve())
    // A server that closes with bytes of the request unread resets the connection: what it said counts.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (!['ECONNRESET', 'EPIPE'].includes(error.code ?? '')) reject(error)
    })
  })
  return parseAnswers(Buffer.concat(chunks))
}

/** A request without a body. */
export async function requestRaw (
  port: number, method: string, target: string, headers: string[] = []
): Promise<RawAnswer> {
  const head = [`${method} ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers]
  const answers = await sendRaw(port, `${head.join('\r\n')}\r\n\r\n`)
  if (answers.length !== 1) throw new Error(`${answers.length} answers`)
  return answers[0]!
}

/** Splits what came on a connection into answers; their length must be given, or end with the connection. */
function parseAnswers (bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = []
  for (let rest = bytes; rest.length > 0;) {
    const headEnd = rest.indexOf('\r\n\r\n')
    if (headEnd < 0) throw new Error(`no end of a head in ${JSON.stringify(rest.toString('latin1'))}`)
    const [statusLine = '', ...lines] = rest.toString('latin1', 0, headEnd).split('\r\n')
    const headers = Object.fromEntries(lines.map(line => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }))
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1])
    const bodyStart = headEnd + 4
    const length = status < 200 ? 0 : Number(headers['content-length'] ?? rest.length - bodyStart)
    // The answer to HEAD tells the length of what it leaves out.
    const body = rest.toString('utf8', bodyStart, Math.min(bodyStart + length, rest.length))
    const json = headers['content-type']?.includes('json') && body !== '' ? JSON.parse(body) : undefined
    answers.push({ status, headers, body, json })
    rest = rest.subarray(bodyStart + length)
  }
  return answers
}
