import net from 'node:net'

const HEAD_END = '\r\n\r\n'

/**
 * One keep-alive connection that asks one thing at a time, for answers with a Content-Length. Node's own client costs
 * about as much as what is measured here.
 */
export class Client {
  #socket
  #chunks = []
  #bytes = 0
  #answer = null
  #settle = null

  static async connect (port) {
    const socket = net.connect({ port, host: '127.0.0.1', noDelay: true })
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
    return new Client(socket)
  }

  constructor (socket) {
    this.#socket = socket
    socket.on('data', chunk => this.#take(chunk))
    socket.on('error', error => this.#settle?.reject(error))
    socket.on('close', () => this.#settle?.reject(new Error('the connection was closed')))
  }

  /** The answer and how long it took, in milliseconds, to its last byte. */
  async get (path, headers = {}) {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join('')
    const started = performance.now()
    const answer = await new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
      this.#socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines}\r\n`)
    })
    return { ...answer, ms: performance.now() - started }
  }

  close () {
    this.#settle = null
    this.#socket.destroy()
  }

  #take (chunk) {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    if (this.#answer === null) {
      const bytes = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks)
      const end = bytes.indexOf(HEAD_END)
      if (end < 0) return
      this.#answer = parseHead(bytes.latin1Slice(0, end))
      this.#chunks = [bytes.subarray(end + HEAD_END.length)]
      this.#bytes -= end + HEAD_END.length
    }
    if (this.#bytes < this.#answer.length) return
    const { status, headers } = this.#answer
    const { resolve } = this.#settle
    const body = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks)
    this.#chunks = []
    this.#bytes = 0
    this.#answer = null
    this.#settle = null
    resolve({ status, headers, body })
  }
}

function parseHead (text) {
  const [first, ...lines] = text.split('\r\n')
  const headers = Object.fromEntries(lines.map(line => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  }))
  const length = Number(headers['content-length'])
  if (!Number.isInteger(length)) throw new Error(`an answer without Content-Length: ${text}`)
  return { status: Number(first.split(' ')[1]), headers, length }
}
