import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { FileAddress } from '../files/open-file.js'
import { parseRequestPath, toPath } from '../files/request-path.js'
import type { Root } from '../files/root.js'
import { Deadline } from '../lanes/deadline.js'
import type { Job } from '../lanes/messages.js'
import type { LanePool } from '../lanes/pool.js'
import type { ReadResult } from '../lanes/task.js'
import { scopeDepthOf } from '../tokens.js'

/** The file that a request is about. */
export interface RequestedFile {
  /** Normalised, relative to the root. */
  path: string
  /** @throws Problem PERMISSION_DENIED if the caller's token may not read it */
  address: () => FileAddress
}

declare module 'fastify' {
  interface FastifyRequest {
    /** When this request must be settled. */
    deadline: Deadline
    /** @throws Problem INVALID_PATH, PATH_OUTSIDE_ROOT */
    fileAt (path: string): RequestedFile
    /** Reads a page on a lane, under the request's deadline; gives it up if the caller goes. */
    readPage (job: Job, reply: FastifyReply): Promise<ReadResult>
  }
}

export interface ReaderOptions { root: Root, pool: LanePool, deadlineMs: number }

export const reader = fp<ReaderOptions>(async (app: FastifyInstance, { root, pool, deadlineMs }) => {
  app.decorateRequest('deadline')
  app.addHook('onRequest', (request, _reply, done) => {
    request.deadline = new Deadline(deadlineMs)
    done()
  })

  app.decorateRequest('fileAt', function (this: FastifyRequest, path: string): RequestedFile {
    const components = parseRequestPath(path, root.names)
    const normalised = toPath(components)
    this.outcome.path = normalised
    const address = (): FileAddress => ({ components, scopeDepth: scopeDepthOf(components, this.caller.token) })
    return { path: normalised, address }
  })

  app.decorateRequest('readPage', async function (this: FastifyRequest, job: Job, { raw }: FastifyReply) {
    this.outcome.unit = job.page.unit
    const read = pool.read(job, this.deadline)
    if (raw.destroyed) read.giveUp()
    raw.once('close', read.giveUp)
    try {
      const result = await read.result
      const { startByte, endByte } = result.page
      Object.assign(this.outcome, { startByte, endByte })
      return result
    } finally {
      raw.off('close', read.giveUp)
      this.outcome.bytesRead += read.bytesRead
    }
  })
}, { name: 'reader', dependencies: ['outcome'] })
