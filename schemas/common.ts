import { Type, type TUnsafe } from '@sinclair/typebox'

/** One of some strings. */
export function StringEnum<const T extends string[]> (
  values: T, options: Record<string, unknown> = {}
): TUnsafe<T[number]> {
  return Type.Unsafe<T[number]>({ type: 'string', enum: values, ...options })
}

export function Nullable<T extends import('@sinclair/typebox').TSchema> (schema: T) {
  return Type.Union([schema, Type.Null()])
}

export const TOKEN_PATTERN = '^[A-Za-z0-9._-]{1,512}$'

export const Path = Type.String({
  description: 'A POSIX path relative to the root, or an absolute path beneath it. At most 4,096 bytes and 64 components of at most 255 bytes; no `..`, no NUL, no trailing slash.',
  rule: 'the path of a file, relative to the root'
})

export const Format = StringEnum(['json', 'text'], {
  description: '`text`: the body is the page\'s text and the metadata is in headers. Without it, `Accept` decides.'
})

export const File = Type.Object({
  size: Type.Integer({ minimum: 0, description: 'The extent of this read: the size at the open, in bytes' }),
  modifiedAt: Type.String({ format: 'date-time' }),
  generation: Type.String({ description: 'Opaque; changes when the name comes to hold another file' })
}, { title: 'File' })

export const TextEncodingName = StringEnum(['utf-8', 'utf-16le', 'utf-16be'])

/** What every page has. */
export const pageMembers = {
  path: Type.String({ description: 'The normalised path, relative to the root' }),
  content: Type.String(),
  startByte: Type.Integer({ minimum: 0, description: 'First raw byte of the file that `content` represents' }),
  endByte: Type.Integer({ minimum: 0, description: 'Exclusive' }),
  eof: Type.Boolean({ description: 'The page reaches the end of the extent' }),
  replacements: Type.Integer({ minimum: 0, description: 'U+FFFD that decoding inserted into `content`' }),
  file: File
}

export const Next = Nullable(Type.String({ description: 'Relative URL of the next page' }))
