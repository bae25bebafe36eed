import type { Test } from 'tap'
import { Problem } from '../../src/errors.js'

/** What a store says when it cannot tell, and that it tells nothing of where its server is. */
export async function rejectsUnavailable (t: Test, answer: Promise<unknown>, redis: { url: string }): Promise<void> {
  const error = await answer.then(() => null, (error: unknown) => error)
  if (!(error instanceof Problem)) {
    t.fail('must reject with a Problem', { error })
    return
  }
  t.equal(error.code, 'CURSOR_STORE_UNAVAILABLE')
  t.match(error.detail, /`ack`/)
  t.notOk(error.detail.includes(new URL(redis.url).host))
  t.ok(error.cause instanceof Error && !('command' in error.cause), 'the cause bears no arguments')
}
