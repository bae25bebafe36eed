import type { ProblemData } from '../errors.js'
import type { FileAddress } from '../files/open-file.js'
import type { Root } from '../files/root.js'
import type { BlockPage, BlockQuery } from '../pages/block.js'
import type { BytesPage, BytesQuery } from '../pages/bytes.js'
import type { CharactersPage, CharactersQuery } from '../pages/characters.js'
import type { LinesPage, LinesQuery } from '../pages/lines.js'
import type { Reached } from '../pages/reading.js'
import type { TailPage, TailQuery } from '../pages/tail.js'

/** What a lane is asked to read. */
export type PageQuery =
  | { unit: 'lines', query: LinesQuery }
  | { unit: 'chars', query: CharactersQuery }
  | { unit: 'block', query: BlockQuery }
  | { unit: 'bytes', query: BytesQuery }
  | { unit: 'tail', query: TailQuery }

export type BodyFormat = 'json' | 'text'

export interface Job {
  address: FileAddress
  page: PageQuery
  /** How the content comes: escaped as the inside of a JSON string, or as it is. */
  format: BodyFormat
}

export type Page = LinesPage | CharactersPage | BlockPage | BytesPage | TailPage

export interface FileFacts { size: number, modifiedAt: string, generation: string }

/** What a lane is started with. */
export interface LaneStart {
  root: Root
  /** One 32-bit number: the id of the request that was given up. */
  givenUp: SharedArrayBuffer
  /** CLAIMS 32-bit numbers: the id of a request that may be begun or taken back, whichever comes first; else 0. */
  claims: SharedArrayBuffer
  /** Of the slots, which all lanes share. */
  memory: SharedArrayBuffer
}

export interface LaneRequest {
  /** 1 to 2^31-1 */
  id: number
  /** Which of the claims is this request's. */
  claim: number
  job: Job
  /** Of the monotonic clock, milliseconds. */
  deadlineMs: number
  /** Where the body goes, from BODY_OFFSET on, if it fits; null if all slots are taken. */
  slot: number | null
}

/** More than the requests that a lane may have at hand. */
export const CLAIMS = 64

/** Room before the body in a slot, for what the presenter puts there. */
export const BODY_OFFSET = 8192
/** Room behind the body, for what closes it. */
export const TRAILER_BYTES = 16

export interface PageAnswer {
  type: 'page'
  id: number
  page: Page
  file: FileFacts
  bytesRead: number
  bodyBytes: number
  /** The body, if it is in no slot. */
  body: ArrayBuffer | null
}

export type FinalAnswer =
  | PageAnswer
  | { type: 'problem', id: number, problem: ProblemData, bytesRead: number }
  /** A defect. */
  | { type: 'failure', id: number, error: Error, bytesRead: number }

export type LaneAnswer =
  | { type: 'ready' }
  /** A long scan goes on; so far it has come. */
  | { type: 'reached', id: number, reached: Reached }
  | FinalAnswer
