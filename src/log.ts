import fs from 'node:fs'

/** Lines are written together: a call of its own for each costs as much as reading a small page. */
const WRITE_BYTES = 4096
const WRITE_WITHIN_MS = 100
/** After a write failed, it is not tried again before this. */
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
    if (this.waiting.length >= WRITE_BYTES) this.flush()
    else this.timer ??= setTimeout(() => this.flush(), WRITE_WITHIN_MS).unref()
  }

  /** Begins to write what waits, unless a write is under way: then that is followed by the next. */
  flush (): void {
    if (this.chunk !== null || this.waiting === '') return
    if (this.timer !== null) clearTimeout(this.timer)
    this.timer = null
    this.chunk = this.takeWaiting()
    this.tryChunk()
  }

  private tryChunk (): void {
    this.inFlight = true
    fs.write(this.fd, this.chunk!, (error, written) => {
      this.inFlight = false
      this.chunk = this.chunk!.subarray(written ?? 0)
      if (error !== null) {
        setTimeout(() => this.tryChunk(), RETRY_AFTER_MS).unref()
      } else if (this.chunk.length > 0) {
        this.tryChunk()
      } else {
        this.chunk = null
        if (this.timer === null) this.flush()
      }
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
