import { once } from 'node:events'
import net from 'node:net'
import type { Test } from 'tap'

/** A bare connection, destroyed after the test. */
export interface BareSocket {
  socket: net.Socket
  /** What came so far. */
  received: () => string
  /** Resolves to the milliseconds from its opening to its close. */
  closed: Promise<number>
}

/** Connects and sends bytes as they are. Errors end the connection and are told by `closed` alone. */
export async function connectBare (t: Test, port: number, send = ''): Promise<BareSocket> {
  const socket = net.connect({ port, host: '127.0.0.1' })
  t.teardown(() => socket.destroy())
  socket.on('error', () => {})
  const startMs = performance.now()
  const closed = new Promise<number>(resolve => socket.once('close', () => resolve(performance.now() - startMs)))
  const chunks: Buffer[] = []
  socket.on('data', chunk => chunks.push(chunk))
  await once(socket, 'connect')
  if (send !== '') socket.write(send)
  return { socket, received: () => Buffer.concat(chunks).toString('latin1'), closed }
}

/** The head of a request on a connection that stays open. */
export function headOf (target: string, method = 'GET'): string {
  return `${method} ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`
}
