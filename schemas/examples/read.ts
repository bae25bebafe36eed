import type { Example } from './example.js'

export const READ_EXAMPLES: Example[] = [
  {
    operationId: 'read',
    name: 'lines',
    summary: 'Three lines, and where to go on',
    method: 'GET',
    url: '/read?path=runs/latest/summary.txt&startLine=9&maxLines=3',
    status: 200,
    type: 'application/json',
    body: {
      path: 'runs/latest/summary.txt',
      unit: 'lines',
      encoding: 'utf-8',
      startByte: 240,
      endByte: 396,
      replacements: 0,
      startLine: 9,
      endLine: 11,
      lineCount: 3,
      endsWithNewline: true,
      truncated: true,
      truncatedBy: 'lines',
      nextStartLine: 12,
      totalLines: null,
      clippedLines: [],
      eof: false,
      file: { size: 681, modifiedAt: '2026-11-30T22:29:29.194Z', generation: 'xEndJrJndO1Nj31E' },
      next: 'read?path=runs/latest/summary.txt&maxLines=3&startLine=12&at=1l.12.396.xEndJrJndO1Nj31E.Ri1VlgDiq6lm9PCD.eDe5i5A0',
      content: 'Log       ci.log, 1,215 lines\nTrace     trace.ndjson, 402 spans in 51 requests, 19 with an error\nReport    2,099 cases, 1,906 passed (90.8%), p95 35,122 ms'
    }
  },
  {
    operationId: 'read',
    name: 'lastLines',
    summary: 'The last lines: the end of file is seen, and the number of lines is known',
    method: 'GET',
    url: '/read?path=runs/latest/summary.txt&startLine=18',
    status: 200,
    type: 'application/json',
    body: {
      path: 'runs/latest/summary.txt',
      unit: 'lines',
      encoding: 'utf-8',
      startByte: 532,
      endByte: 681,
      replacements: 0,
      startLine: 18,
      endLine: 19,
      lineCount: 2,
      endsWithNewline: true,
      truncated: false,
      truncatedBy: null,
      nextStartLine: null,
      totalLines: 19,
      clippedLines: [],
      eof: true,
      file: { size: 681, modifiedAt: '2026-11-30T22:29:29.194Z', generation: 'xEndJrJndO1Nj31E' },
      next: null,
      content: '  app.py line 77 raises LeaseExpired when the clock reads exactly\n  the end of the lease. The event goes back to the queue – and is applied twice.'
    }
  },
  {
    operationId: 'read',
    name: 'clippedLine',
    summary: 'A long line, clipped',
    method: 'GET',
    url: '/read?path=text/long-lines.csv&startLine=28&maxLines=1&maxLineBytes=60',
    status: 200,
    type: 'application/json',
    body: {
      path: 'text/long-lines.csv',
      unit: 'lines',
      encoding: 'utf-8',
      startByte: 7289,
      endByte: 29129,
      replacements: 0,
      startLine: 28,
      endLine: 28,
      lineCount: 1,
      endsWithNewline: true,
      truncated: true,
      truncatedBy: 'lines',
      nextStartLine: 29,
      totalLines: null,
      clippedLines: [
        {
          line: 28,
          lineBytes: 21839,
          omittedStart: 7349,
          omittedEnd: 29127,
          omittedBytes: 21779,
          next: 'bytes?path=text/long-lines.csv&offset=7349&limit=21779'
        }
      ],
      eof: false,
      file: { size: 41905, modifiedAt: '2026-11-30T22:29:29.195Z', generation: 'XEgdhkGul14UMgJS' },
      next: 'read?path=text/long-lines.csv&maxLines=1&maxLineBytes=60&startLine=29&at=1l.29.29129.XEgdhkGul14UMgJS.mjGrGj-5dmH3LrPl.br36LvwI',
      content: '27,D15,6357,"marked ""urgent""",26.43;27.99;42.92;20.96;93.4'
    }
  },
  {
    operationId: 'read',
    name: 'characters',
    summary: 'Some characters',
    method: 'GET',
    url: '/read?path=text/cjk.log&offsetChars=27&limitChars=24',
    status: 200,
    type: 'application/json',
    body: {
      path: 'text/cjk.log',
      unit: 'chars',
      encoding: 'utf-8',
      startByte: 29,
      endByte: 87,
      replacements: 0,
      offsetChars: 27,
      endChars: 51,
      charCount: 24,
      truncated: true,
      truncatedBy: 'chars',
      nextOffsetChars: 51,
      totalChars: null,
      eof: false,
      file: { size: 32937, modifiedAt: '2026-11-30T22:29:29.194Z', generation: 'XKtgn42O7G1mbGIM' },
      next: 'read?path=text/cjk.log&limitChars=24&offsetChars=51&at=1c.51.87.XKtgn42O7G1mbGIM.S9rvi3s5Srza5DWC.VdCtkJoM',
      content: '報] #001 ｶﾀｶﾅの宛名は全角に直してから'
    }
  },
  {
    operationId: 'read',
    name: 'block',
    summary: 'The function around a line',
    method: 'GET',
    url: '/read?path=runs/latest/app.py&aroundLine=90&maxLevels=1',
    status: 200,
    type: 'application/json',
    body: {
      path: 'runs/latest/app.py',
      unit: 'lines',
      encoding: 'utf-8',
      startByte: 2158,
      endByte: 2454,
      replacements: 0,
      startLine: 86,
      endLine: 95,
      lineCount: 10,
      endsWithNewline: true,
      truncated: true,
      truncatedBy: null,
      nextStartLine: 96,
      totalLines: null,
      clippedLines: [],
      aroundLine: 90,
      eof: false,
      file: { size: 3466, modifiedAt: '2026-11-30T22:29:29.194Z', generation: 'QWtz6fFFi4SZaRJS' },
      next: 'read?path=runs/latest/app.py&startLine=96&at=1l.96.2454.QWtz6fFFi4SZaRJS.XZqQ_1DsXJTjozK6.c-qwxQSH',
      content: '        self.waiting.append(event)\n\n    def give_back(self, event):\n        event.attempts += 1\n        if event.attempts < MAX_ATTEMPTS:\n            self.waiting.appendleft(event)\n\n    def lease(self):\n        event = self.waiting.popleft()\n        return Queue.Lease(self, event, self.clock())'
    }
  },
  {
    operationId: 'read',
    name: 'linesAsText',
    summary: 'Two lines as text',
    method: 'GET',
    url: '/read?path=runs/latest/summary.txt&startLine=9&maxLines=2&format=text',
    status: 200,
    type: 'text/plain',
    body: 'Log       ci.log, 1,215 lines\nTrace     trace.ndjson, 402 spans in 51 requests, 19 with an error\n'
  },
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
