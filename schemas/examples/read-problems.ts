import type { Example } from './example.js'

export const READ_PROBLEM_EXAMPLES: Example[] = [
  {
    operationId: 'read',
    name: 'unitsMixed',
    summary: 'Parameters of two units',
    method: 'GET',
    url: '/read?path=runs/latest/ci.log&startLine=1&limitChars=80',
    status: 400,
    type: 'application/problem+json',
    body: {
      type: 'urn:artifact-pager:problem:invalid-request',
      title: 'Invalid request',
      status: 400,
      detail: '`startLine` does not go with a read by characters; ask for one unit at a time.',
      code: 'INVALID_REQUEST',
      requestId: '51ac9833-1e99-4d3b-812e-00f4246fa223',
      parameter: 'startLine'
    }
  },
  {
    operationId: 'read',
    name: 'parentFolder',
    summary: 'A path that climbs',
    method: 'GET',
    url: '/read?path=runs/../../etc/passwd',
    status: 400,
    type: 'application/problem+json',
    body: {
      type: 'urn:artifact-pager:problem:invalid-path',
      title: 'Invalid path',
      status: 400,
      detail: '`path` must not hold a `..` component; name the file from the root.',
      code: 'INVALID_PATH',
      requestId: 'aea19868-7852-4837-8384-72093b44c3f2',
      parameter: 'path'
    }
  },
  {
    operationId: 'read',
    name: 'outsideRoot',
    summary: 'An absolute path that is not beneath the root',
    method: 'GET',
    url: '/read?path=/etc/passwd',
    status: 403,
    type: 'application/problem+json',
    body: {
      type: 'urn:artifact-pager:problem:path-outside-root',
      title: 'Path outside the root',
      status: 403,
      detail: 'This absolute path is not beneath the root; give a path relative to the root.',
      code: 'PATH_OUTSIDE_ROOT',
      requestId: '1af82b53-ab5e-46ca-9d85-1721f575eb25'
    }
  },
  {
    operationId: 'read',
    name: 'missing',
    summary: 'No such file',
    method: 'GET',
    url: '/read?path=runs/latest/missing.log',
    status: 404,
    type: 'application/problem+json',
    body: {
      type: 'urn:artifact-pager:problem:file-not-found',
      title: 'File not found',
      status: 404,
      detail: 'There is no such file; check `path`, which counts from the root.',
      code: 'FILE_NOT_FOUND',
      requestId: 'c4d3d028-ebac-4cce-8fcb-ed0534b58b27'
    }
  },
  {
    operationId: 'read',
    name: 'lineTooLong',
    summary: 'A line over 1 MiB: `next` pages through its bytes',
    method: 'GET',
    url: '/read?path=reports/evaluation.json',
    status: 422,
    type: 'application/problem+json',
    body: {
      type: 'urn:artifact-pager:problem:read-limit-exceeded',
      title: 'Read limit exceeded',
      status: 422,
      detail: 'Line 1 alone is over 1,048,576 bytes of content; follow `next` to page through its bytes, or clip it with `maxLineBytes`.',
      code: 'READ_LIMIT_EXCEEDED',
      requestId: '0a618c7c-ba48-4058-9e21-a6774e1a4486',
      reason: 'line-too-long',
      line: 1,
      startByte: 0,
      next: 'bytes?path=reports/evaluation.json&offset=0'
    }
  },
  {
    operationId: 'read',
    name: 'lineOutOfRange',
    summary: 'A line that is not there',
    method: 'GET',
    url: '/read?path=runs/latest/app.py&aroundLine=5000',
    status: 422,
    type: 'application/problem+json',
    body: {
      type: 'urn:artifact-pager:problem:read-limit-exceeded',
      title: 'Read limit exceeded',
      status: 422,
      detail: 'There is no line 5000: the file has 135. Ask for a line in that range.',
      code: 'READ_LIMIT_EXCEEDED',
      requestId: 'b59ea282-f9d4-4452-997a-c781de3df9ec',
      reason: 'line-out-of-range',
      totalLines: 135
    }
  },
  {
    operationId: 'read',
    name: 'folder',
    summary: 'A folder',
    method: 'GET',
    url: '/read?path=runs/latest',
    status: 422,
    type: 'application/problem+json',
    body: {
      type: 'urn:artifact-pager:problem:not-a-file',
      title: 'Not a regular file',
      status: 422,
      detail: 'This is a folder, a FIFO, a socket or a device; only regular files can be read.',
      code: 'NOT_A_FILE',
      requestId: 'ad489fbd-e720-4561-b9d0-0595f670f81c'
    }
  }
]
