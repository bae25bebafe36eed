import { Problem } from '../errors.js'
import { openFile, type FileSeams, type OpenFile } from '../files/open-file.js'
import type { Root } from '../files/root.js'
import { readBlock } from '../pages/block.js'
import { readBytes } from '../pages/bytes.js'
import { readCharacters } from '../pages/characters.js'
import { readLines } from '../pages/lines.js'
import type { Reached, Reading } from '../pages/reading.js'
import { readTail } from '../pages/tail.js'
import type { Kernel } from '../text/kernel.js'
import { putBody } from './body.js'
import { monotonicMs } from './clock.js'
import { CallerGone, deadlineExceeded, deadlineInScan } from './interruption.js'
import type { BodyFormat, FinalAnswer, Job, LaneRequest, Page } from './messages.js'

/** A scan that takes longer tells how far it has come, this often. */
const TELL_EVERY_MS = 100

export interface LaneTools {
  root: Root
  slots: readonly Uint8Array[]
  kernel: Kernel
  output: Buffer
  /** Whether the request with this id was given up. */
  isGivenUp: (id: number) => boolean
  /** Tells how far the scan of a request has come. */
  tell: (id: number, reached: Reached) => void
  seams?: FileSeams
}

/** Serves one request from open to close. Does not throw. */
export function serve (request: LaneRequest, tools: LaneTools): FinalAnswer {
  const { id, job } = request
  let bytesRead = 0
  try {
    const { kernel, output } = tools
    const slot = request.slot === null ? null : tools.slots[request.slot]!
    const checkpoint = checkpointOf(request, tools)
    checkpoint()
    const file = openFile(tools.root, job.address, tools.seams)
    try {
      const page = readPage(file, job, { kernel, output, checkpoint })
      const content = bodyOf(page, job.format, output)
      const { bodyBytes, body } = putBody(content, job.format, slot, kernel)
      const facts = { size: file.extent, modifiedAt: file.modifiedAt, generation: file.identity }
      return { type: 'page', id, page, file: facts, bytesRead: file.bytesRead, bodyBytes, body }
    } finally {
      bytesRead = file.bytesRead
      file.close()
    }
  } catch (error) {
    if (error instanceof Problem) {
      const { code, detail, members } = error
      return { type: 'problem', id, problem: { code, detail, members }, bytesRead }
    }
    return { type: 'failure', id, error: error as Error, bytesRead }
  }
}

function readPage (file: OpenFile, { page, format }: Job, reading: Reading): Page {
  switch (page.unit) {
    case 'lines': return readLines(file, page.query, reading, format === 'text')
    case 'chars': return readCharacters(file, page.query, reading)
    case 'block': return readBlock(file, page.query, reading)
    case 'bytes': return readBytes(file, page.query, reading)
    case 'tail': return readTail(file, page.query, reading)
  }
}

/** The content; as text, with the last line's line feed, so that pages concatenate. */
function bodyOf (page: Page, format: BodyFormat, output: Buffer): Buffer {
  const lineFeed = format === 'text' && page.unit === 'lines' && page.endsWithNewline ? 1 : 0
  return output.subarray(0, page.contentBytes + lineFeed)
}

function checkpointOf ({ id, deadlineMs }: LaneRequest, tools: LaneTools): Reading['checkpoint'] {
  let toldMs = monotonicMs()
  return reached => {
    if (tools.isGivenUp(id)) throw new CallerGone()
    const nowMs = monotonicMs()
    if (nowMs >= deadlineMs) throw reached === undefined ? deadlineExceeded() : deadlineInScan(reached())
    if (reached !== undefined && nowMs - toldMs >= TELL_EVERY_MS) {
      toldMs = nowMs
      tools.tell(id, reached())
    }
  }
}
