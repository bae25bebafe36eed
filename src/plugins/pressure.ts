import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { overloaded } from '../lanes/interruption.js'

const SAMPLE_MS = 1000
const RESOLUTION_MS = 10

/**
 * Refuses the requests of an app while the event loop is late by more than `maxDelayMs` on the average of a second.
 * Memory is not looked at: that opens a file, and would throw, from a timer, when descriptors have run out.
 */
export function refuseUnderPressure (app: FastifyInstance, maxDelayMs: number): void {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  let delayMs = 0
  delays.enable()
  const timer = setInterval(() => {
    // Without any sample (NaN) it was late all the time.
    delayMs = delays.count === 0 ? Infinity : delays.mean / 1e6 - RESOLUTION_MS
    delays.reset()
  }, SAMPLE_MS).unref()
  app.addHook('onRequest', async () => {
    if (delayMs > maxDelayMs) throw overloaded('The service does not keep up')
  })
  app.addHook('onClose', async () => {
    clearInterval(timer)
    delays.disable()
  })
}
