import { Type } from '@sinclair/typebox'

export const NoQuery = Type.Object({}, { additionalProperties: false })

export const Service = Type.Object({
  name: Type.String(),
  version: Type.String(),
  routes: Type.Array(Type.String()),
  limits: Type.Object({
    maxPathBytes: Type.Integer(),
    defaultLines: Type.Integer(),
    maxLines: Type.Integer(),
    maxLinePageBytes: Type.Integer(),
    maxChars: Type.Integer(),
    maxCharPageBytes: Type.Integer(),
    defaultByteWindow: Type.Integer(),
    maxByteWindow: Type.Integer(),
    maxTailBytes: Type.Integer(),
    maxWaitSeconds: Type.Integer(),
    deadlineMs: Type.Integer(),
    requestsPerMinute: Type.Integer({ description: '0: not limited' })
  }, { title: 'Limits', description: 'What a caller needs to plan its paging' })
}, { title: 'Service' })

export const Status = Type.Object({ status: Type.String() }, { title: 'Status' })
