import { Type, type Static } from '@sinclair/typebox'
import { Format, Next, Nullable, Path, StringEnum, TOKEN_PATTERN, TextEncodingName, pageMembers } from './common.js'

export const MAX_LINES = 500
export const DEFAULT_LINES = 200

/** All units of `/read` in one: which parameters go together is for the route. */
export const ReadQuery = Type.Object({
  path: Path,
  startLine: Type.Optional(Type.Integer({ minimum: 1, description: 'By lines: the first line. Default 1' })),
  maxLines: Type.Optional(Type.Integer({
    minimum: 1, maximum: MAX_LINES, description: `By lines and around a line: the most lines. Default ${DEFAULT_LINES}`
  })),
  maxLineBytes: Type.Optional(Type.Integer({
    minimum: 1, maximum: 1_048_576, description: 'By lines: clip longer lines at this many raw bytes'
  })),
  offsetChars: Type.Optional(Type.Integer({ minimum: 0, description: 'By characters: the first. Default 0' })),
  limitChars: Type.Optional(Type.Integer({
    minimum: 1, maximum: 32_768, description: 'By characters: the most. Default 32,768'
  })),
  aroundLine: Type.Optional(Type.Integer({ minimum: 1, description: 'The block of code around this line' })),
  maxLevels: Type.Optional(Type.Integer({
    minimum: 0, description: 'Around a line: levels of indent to go out; 0: to the margin. Default 0'
  })),
  includeSiblings: Type.Optional(Type.Boolean({ description: 'Around a line: blocks beside it too. Default false' })),
  includeHeader: Type.Optional(Type.Boolean({ description: 'Around a line: comments above it too. Default true' })),
  at: Type.Optional(Type.String({
    pattern: TOKEN_PATTERN,
    rule: 'a token from a `next` link, at most 512 of `[A-Za-z0-9._-]`',
    description: 'From a `next` link, with `startLine` or `offsetChars`: where the scan for the start may begin'
  })),
  format: Type.Optional(Format)
}, { additionalProperties: false })
export type ReadQuery = Static<typeof ReadQuery>

const ClippedLine = Type.Object({
  line: Type.Integer({ minimum: 1 }),
  lineBytes: Type.Integer({ minimum: 1 }),
  omittedStart: Type.Integer({ minimum: 0 }),
  omittedEnd: Type.Integer({ minimum: 0, description: 'Inclusive' }),
  omittedBytes: Type.Integer({ minimum: 1 }),
  next: Type.String({ description: 'The `/bytes` URL of the omitted part' })
}, { title: 'ClippedLine', description: 'A line of which a part was left out; offsets are raw bytes of the file' })

export const LinesPage = Type.Object({
  unit: StringEnum(['lines']),
  encoding: TextEncodingName,
  ...pageMembers,
  startLine: Type.Integer({ minimum: 1 }),
  endLine: Type.Integer({ minimum: 0 }),
  lineCount: Type.Integer({ minimum: 0, maximum: MAX_LINES }),
  endsWithNewline: Type.Boolean({ description: 'The last returned line had its line feed' }),
  truncated: Type.Boolean({ description: 'A further line exists' }),
  truncatedBy: Nullable(StringEnum(['lines', 'bytes'])),
  nextStartLine: Nullable(Type.Integer({ minimum: 2 })),
  totalLines: Nullable(Type.Integer({ minimum: 1, description: 'When this read has seen the end of file' })),
  clippedLines: Type.Array(ClippedLine),
  aroundLine: Type.Optional(Type.Integer({ minimum: 1, description: 'On a block' })),
  next: Next
}, { title: 'LinesPage', description: 'A page of lines' })

export const CharactersPage = Type.Object({
  unit: StringEnum(['chars']),
  encoding: TextEncodingName,
  ...pageMembers,
  offsetChars: Type.Integer({ minimum: 0 }),
  endChars: Type.Integer({ minimum: 0, description: 'Exclusive' }),
  charCount: Type.Integer({ minimum: 0, maximum: 32_768 }),
  truncated: Type.Boolean(),
  truncatedBy: Nullable(StringEnum(['chars', 'bytes'])),
  nextOffsetChars: Nullable(Type.Integer({ minimum: 1 })),
  totalChars: Nullable(Type.Integer({ minimum: 0, description: 'When this read has seen the end of file' })),
  next: Next
}, { title: 'CharactersPage', description: 'A page of characters' })
