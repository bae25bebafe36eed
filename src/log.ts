import fs from 'node:fs'
import { errnoOf } from './files/system.js'

/** Lines are written together: a call of its own for each costs as much as reading a small page. */
const WRITE_CHARS = 4096
const WRITE_WITHIN_MS = 100
/** A pipe that does not block is full: its reader may make room at any time. */
const POLL_MS = 10
/** After a write failed for another reason, it is not tried again before this. */
const RETRY_AFTER_MS = 1000
/** Where nobody takes them, lines beyond this are dropped. */
const MAX_WAITING_CHARS = 16_777_216

/**
 * Writes log lines to a descriptor. Nothing waits for whoever takes them: while they cannot be written (the disk is
 * full, the pipe's reader stalls), the service goes on, and can end.
 */
export class LogStream {
  private readonly fd: number
  private waiting = ''
  private dropped = 0
  private timer: NodeJS.Timeout | null = null
  /** What is being written, or will be tried again. */
  private chunk: Buffer | null = null
  /** The system has the write, and may keep it. */
  private inFlight = false

  constructor (fd: number) {
    this.fd = fd
    process.once('exit', () => this.writeRest())
  }

  write (line: string): void {
    if (this.waiting.length >= MAX_WAITING_CHARS) {
      this.dropped++
      return
    }
    this.waiting += line
    this.flushSoon()
  }

  /** Begins to write what waits, unless a write is under way: then it follows that. */
  flush (): void {
    if (this.timer !== null) clearTimeout(this.timer)
    this.timer = null
    if (this.chunk !== null || this.waiting === '') return
    this.chunk = this.takeWaiting()
    this.tryChunk()
  }

  private flushSoon (): void {
    if (this.chunk !== null || this.waiting === '') return
    if (this.waiting.length >= WRITE_CHARS) this.flush()
    else this.timer ??= setTimeout(() => this.flush(), WRITE_WITHIN_MS).unref()
  }

  private tryChunk (): void {
    this.inFlight = true
    fs.write(this.fd, this.chunk!, (error, written) => {
      this.inFlight = false
      if (error !== null) {
        const retryAfterMs = errnoOf(error) === 'EAGAIN' ? POLL_MS : RETRY_AFTER_MS
        setTimeout(() => this.tryChunk(), retryAfterMs).unref()
        return
      }
      this.chunk = this.chunk!.subarray(written)
      if (this.chunk.length > 0) return this.tryChunk()
      this.chunk = null
      this.flushSoon()
    })
  }

  private takeWaiting (): Buffer {
    const told = this.dropped === 0
      ? ''
      : `${JSON.stringify({ level: 40, time: Date.now(), pid: process.pid, msg: `${this.dropped} log lines were dropped` })}\n`
    const taken = Buffer.from(this.waiting + told)
    this.waiting = ''
    this.dropped = 0
    return taken
  }

  /** At the end of the process, once: a write that hangs or fails now would hang or fail again. */
  private writeRest (): void {
    if (this.inFlight) return
    try {
      let rest = Buffer.concat([this.chunk ?? Buffer.alloc(0), this.takeWaiting()])
      while (rest.length > 0) rest = rest.subarray(fs.writeSync(this.fd, rest))
    } catch {}
  }
}

export const standardOutput = new LogStream(1)
