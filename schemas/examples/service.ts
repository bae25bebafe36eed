import type { Example } from './example.js'

export const SERVICE_EXAMPLES: Example[] = [
  {
    operationId: 'service',
    name: 'service',
    summary: 'With the default configuration',
    method: 'GET',
    url: '/',
    status: 200,
    type: 'application/json',
    body: {
      name: 'artifact-pager',
      version: '1.0.0',
      routes: [
        'GET /',
        'GET /openapi.json',
        'GET /livez',
        'GET /readyz',
        'GET /metrics',
        'GET /read',
        'GET /bytes',
        'POST /tail',
        'GET /tail',
        'DELETE /tail'
      ],
      limits: {
        maxPathBytes: 4096,
        defaultLines: 200,
        maxLines: 500,
        maxLinePageBytes: 1048576,
        maxChars: 32768,
        maxCharPageBytes: 32768,
        defaultByteWindow: 40960,
        maxByteWindow: 1048576,
        maxTailBytes: 32768,
        maxWaitSeconds: 25,
        deadlineMs: 10000,
        requestsPerMinute: 6000
      }
    }
  },
  {
    operationId: 'livez',
    name: 'alive',
    summary: 'Alive',
    method: 'GET',
    url: '/livez',
    status: 200,
    type: 'application/json',
    body: { status: 'alive' }
  },
  {
    operationId: 'readyz',
    name: 'ready',
    summary: 'Ready',
    method: 'GET',
    url: '/readyz',
    status: 200,
    type: 'application/json',
    body: { status: 'ready' }
  }
]
