import { Type } from '@sinclair/typebox'

/** RFC 9457. Codes have further members of their own. */
export const Problem = Type.Object({
  type: Type.String({ description: '`urn:artifact-pager:problem:<code in lower case, with hyphens>`' }),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String({ description: 'What to do instead' }),
  code: Type.String(),
  requestId: Type.String({ description: 'As in `X-Request-Id`' }),
  parameter: Type.Optional(Type.String({ description: 'The parameter that breaks its rule' })),
  reason: Type.Optional(Type.String({ description: '`line-too-long`, `line-out-of-range` or `deadline`' })),
  line: Type.Optional(Type.Integer()),
  startByte: Type.Optional(Type.Integer()),
  endByte: Type.Optional(Type.Integer()),
  seq: Type.Optional(Type.Integer()),
  totalLines: Type.Optional(Type.Integer()),
  reached: Type.Optional(Type.Object({
    line: Type.Optional(Type.Integer()), char: Type.Optional(Type.Integer()), byte: Type.Integer()
  })),
  next: Type.Optional(Type.String({ description: 'Where to go on' }))
}, { title: 'Problem', description: 'RFC 9457. Codes have members of their own', additionalProperties: true })
