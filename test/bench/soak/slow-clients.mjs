import assert from 'node:assert/strict'
import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const PAGES = 8
/** More than the kernel's buffers hold. */
const UNREAD_PAGES = 64
const PAGE_BYTES = 1_048_576
const SIP_MS = 20
/** The kernel's table changes while it is read: a connection may be missed once. */
const ABSENT_LOOKS = 4

function ask (port, name, pages) {
  const socket = net.connect({ host: '127.0.0.1', port })
  socket.on('error', () => {})
  const head = `GET /bytes?path=${name}&limit=${PAGE_BYTES}&format=text HTTP/1.1\r\nHost: localhost\r\n\r\n`
  socket.pause()
  socket.write(head.repeat(pages))
  return socket
}

/** Takes several big pages in small sips, and compares them with the file. */
export async function sip ({ port, files, count }) {
  const file = files.get('wide.csv')
  const socket = ask(port, file.name, PAGES)
  const chunks = []
  let received = 0
  while (received < PAGES * PAGE_BYTES && !socket.destroyed) {
    const chunk = socket.read()
    if (chunk === null) {
      await sleep(SIP_MS)
      continue
    }
    chunks.push(chunk)
    received += chunk.length
    await sleep(SIP_MS)
  }
  socket.destroy()
  const answer = Buffer.concat(chunks)
  const start = answer.indexOf('\r\n\r\n') + 4
  const page = answer.subarray(start, start + PAGE_BYTES - 1)
  if (answer.toString('latin1', 0, 12) === 'HTTP/1.1 503') return count('refused')
  assert.ok(file.bytes.subarray(0, page.length).equals(page), 'a slow reader gets other bytes')
  count('slow reads')
}

/** Never reads. Resolves to the milliseconds after which the service closed the connection, or null after `limitMs`. */
export async function neverRead ({ port, files }, limitMs) {
  const startMs = performance.now()
  const socket = ask(port, files.get('wide.csv').name, UNREAD_PAGES)
  await once(socket, 'connect')
  const { localPort } = socket
  try {
    let absent = 0
    while (performance.now() - startMs < limitMs) {
      await sleep(500)
      absent = isHeld(port, localPort) ? 0 : absent + 1
      if (absent === ABSENT_LOOKS) return performance.now() - startMs
    }
    return null
  } finally {
    socket.destroy()
  }
}

/**
 * Whether the service's end of a connection is still its own. The client's end tells nothing: the close stands behind
 * what it does not read.
 */
function isHeld (port, clientPort) {
  const hex = number => number.toString(16).toUpperCase().padStart(4, '0')
  const ends = new RegExp(`^\\s*\\d+: [0-9A-F]{8}:${hex(port)} [0-9A-F]{8}:${hex(clientPort)} `)
  const line = fs.readFileSync('/proc/net/tcp', 'latin1').split('\n').find(line => ends.test(line))
  return line !== undefined && line.trim().split(/\s+/)[9] !== '0'
}
