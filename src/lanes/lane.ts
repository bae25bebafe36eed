import { parentPort, workerData } from 'node:worker_threads'
import { createKernel } from '../text/create-kernel.js'
import { PAGE_BUFFER_BYTES } from '../pages/reading.js'
import type { LaneAnswer, LaneRequest, LaneStart } from './messages.js'
import { serve, type LaneTools } from './serve.js'
import { slotsOf } from './slots.js'

/** The thread of a lane: one read at a time, from open to close. */
const port = parentPort!
const { root, givenUp, claims, memory } = workerData as LaneStart
const givenUpId = new Int32Array(givenUp)
const claimIds = new Int32Array(claims)
const tools: LaneTools = {
  root,
  slots: slotsOf(memory),
  kernel: createKernel(),
  output: Buffer.allocUnsafeSlow(PAGE_BUFFER_BYTES),
  isGivenUp: id => Atomics.load(givenUpId, 0) === id,
  tell: (id, reached) => port.postMessage({ type: 'reached', id, reached } satisfies LaneAnswer)
}

port.on('message', (request: LaneRequest) => {
  // Taken back, and perhaps given to another lane.
  if (Atomics.compareExchange(claimIds, request.claim, request.id, 0) !== request.id) return
  const answer = serve(request, tools)
  port.postMessage(answer, answer.type === 'page' && answer.body !== null ? [answer.body] : [])
})
port.postMessage({ type: 'ready' } satisfies LaneAnswer)
