import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * The connections of a server, and how many responses are under way on each: asked for, and not yet taken over by the
 * kernel to the last byte. Node counts a connection as idle, and closes it, when a response is written, though a slow
 * client may have read none of it.
 */
export class Connections {
  private readonly underWay = new Map<Socket, number>()
  private ending = false

  constructor (server: Server) {
    server.on('connection', socket => {
      this.underWay.set(socket, 0)
      socket.once('close', () => this.underWay.delete(socket))
    })
    server.on('request', ({ socket }, response) => {
      this.add(socket, 1)
      if (this.ending) response.shouldKeepAlive = false
      response.once('close', () => this.add(socket, -1))
    })
  }

  /** A response is under way. */
  get busy (): boolean {
    return [...this.underWay.values()].some(count => count > 0)
  }

  /** Ends the connections that are idle, and the others as soon as they are. */
  end (): void {
    this.ending = true
    for (const [socket, count] of this.underWay) if (count === 0) socket.destroy()
  }

  private add (socket: Socket, change: number): void {
    const count = this.underWay.get(socket)
    if (count === undefined) return
    this.underWay.set(socket, count + change)
    if (this.ending && count + change === 0) socket.destroySoon()
  }
}
