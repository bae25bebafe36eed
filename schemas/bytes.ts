import { Type } from '@sinclair/typebox'
import { Format, Next, Nullable, Path, StringEnum, pageMembers } from './common.js'

export const DEFAULT_BYTE_WINDOW = 40_960
const Encoding = ['utf-8', 'utf-16le', 'utf-16be', 'base64', 'hex'] as const

export const BytesQuery = Type.Object({
  path: Path,
  offset: Type.Optional(Type.Integer({ minimum: 0, description: 'The first raw byte. Default 0' })),
  limit: Type.Optional(Type.Integer({
    minimum: 1, maximum: 1_048_576, description: `Bytes of the window. Default ${DEFAULT_BYTE_WINDOW}`
  })),
  encoding: Type.Optional(StringEnum([...Encoding], { description: 'How to show the bytes. Default utf-8' })),
  format: Type.Optional(Format)
}, { additionalProperties: false })

export const BytesPage = Type.Object({
  unit: StringEnum(['bytes']),
  encoding: StringEnum([...Encoding]),
  ...pageMembers,
  offset: Type.Integer({ minimum: 0, description: 'As asked for' }),
  limit: Type.Integer({ minimum: 1, description: 'As asked for' }),
  byteCount: Type.Integer({ minimum: 0 }),
  trimmedStart: Type.Integer({ minimum: 0, description: 'Bytes at the start that belong to a character which the edge cuts' }),
  trimmedEnd: Type.Integer({ minimum: 0, maximum: 3 }),
  nextOffset: Nullable(Type.Integer({ minimum: 1 })),
  truncated: Type.Boolean({ description: 'Not `eof`' }),
  next: Next
}, { title: 'BytesPage', description: 'A window of bytes' })
