import { Type, type Static } from '@sinclair/typebox'
import { Format, Nullable, Path, StringEnum, TOKEN_PATTERN, TextEncodingName, pageMembers } from './common.js'

export const MAX_WAIT_SECONDS = 25

const Run = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$',
  rule: 'the name of a run: a letter or digit, then up to 127 of `[A-Za-z0-9._:-]`',
  description: 'Whose cursor it is'
})

const peekMembers = {
  run: Run,
  path: Path,
  maxBytes: Type.Integer({
    minimum: 1, maximum: 32_768, default: 32_768, description: 'The most bytes of the page, as content and in the file'
  }),
  wait: Type.Integer({ minimum: 0, maximum: MAX_WAIT_SECONDS, default: 0, description: 'Seconds to wait for news if there are none' }),
  flush: Type.Boolean({ default: false, description: 'The producer is done: return what is held as U+FFFD' }),
  from: StringEnum(['start', 'end'], { default: 'start', description: 'Where a new cursor begins' }),
  format: Type.Optional(Format)
}

export const PeekQuery = Type.Object(peekMembers, { additionalProperties: false })

export const TailQuery = Type.Object({
  ...peekMembers,
  ack: Type.Optional(Type.String({
    pattern: TOKEN_PATTERN,
    rule: '`0` or the `cursor` of a page, at most 512 of `[A-Za-z0-9._-]`',
    description: 'The `cursor` of the last page the caller has, or `0`: none yet. Makes repeating the call safe'
  }))
}, { additionalProperties: false })
export type TailQuery = Static<typeof TailQuery>

export const ForgetQuery = Type.Object({ run: Run, path: Type.Optional(Path) }, { additionalProperties: false })

export const TailPage = Type.Object({
  unit: StringEnum(['tail']),
  encoding: TextEncodingName,
  ...pageMembers,
  run: Type.String(),
  seq: Type.Integer({ minimum: 0, description: 'Of this page; of the last one if this has no content' }),
  created: Type.Boolean({ description: 'There was no cursor' }),
  replayed: Type.Boolean({ description: 'The page was handed out before' }),
  byteCount: Type.Integer({ minimum: 0 }),
  more: Type.Boolean({ description: 'Another call would return content now' }),
  pendingBytes: Type.Integer({ minimum: 0, description: 'Bytes of the file behind the page' }),
  heldBytes: Type.Integer({ minimum: 0, description: 'Of those, bytes of a character that the end of file cuts' }),
  reset: Nullable(Type.Object({
    reason: StringEnum(['replaced', 'truncated', 'rewritten']),
    fromByte: Type.Integer({ minimum: 1, description: 'The position that the cursor had' })
  }, { title: 'Reset', description: 'Why the cursor restarted at byte 0' })),
  cursor: Nullable(Type.String({ description: 'For `ack`; null on GET' }))
}, { title: 'TailPage', description: 'A page of a tail' })

export const Forgotten = Type.Object({ run: Type.String(), forgotten: Type.Integer({ minimum: 0, description: 'How many cursors' }) }, { title: 'Forgotten' })
