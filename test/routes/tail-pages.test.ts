import fs from 'node:fs'
import t from 'tap'
import { makeFolder, startService } from '../helpers/service.js'
import { TailClient, holds, type Parameters } from '../helpers/tail-client.js'

const folder = makeFolder(t)
const service = await startService(t, { ARTIFACT_ROOT: folder, READ_DEADLINE_MS: '100000' })

/** What happens, in turn: bytes (in hex) are appended, or a call is made, of which the members named are looked at. */
type Event = string | [Parameters, Record<string, unknown>]
const NOTHING = { content: '', replacements: 0, more: false }
const FLUSH = { flush: true }
const END = { from: 'end' }

const STORIES: Record<string, Event[]> = {
  'flush gives what is held': [
    '41 E282', [{}, { content: 'A', endByte: 1, heldBytes: 2 }],
    [FLUSH, { content: '\uFFFD', startByte: 1, endByte: 3, replacements: 1, heldBytes: 0, seq: 2 }], [FLUSH, { ...NOTHING, seq: 2 }],
    'AC', [{}, { content: '\uFFFD', startByte: 3, endByte: 4 }]
  ],
  'flush takes the text before it too': ['41 F09F98', [FLUSH, { content: 'A\uFFFD', endByte: 4, replacements: 1 }]],
  'a replay of a flushed page stays as it was': [
    '41 E282', [{ ...FLUSH, ack: 0 }, { content: 'A\uFFFD', endByte: 3 }],
    'AC', [{ ack: 0 }, { content: 'A\uFFFD', startByte: 0, endByte: 3, replacements: 1, replayed: true, more: true }]
  ],
  'what can no longer become a character is not held': [
    'C0', [{}, { content: '\uFFFD', endByte: 1 }], 'EDA0', [{}, { content: '\uFFFD\uFFFD', startByte: 1, endByte: 3 }],
    'F5', [{}, { content: '\uFFFD' }], 'E0', [{}, { ...NOTHING, heldBytes: 1 }], '80', [{}, { content: '\uFFFD\uFFFD', replacements: 2 }]
  ],
  'a U+FFFD of the file is no replacement': ['EFBFBD 80', [{}, { content: '\uFFFD\uFFFD', replacements: 1 }]],
  'a page is at least a character': [
    'F09F9880 F09F9881 E282', [{ maxBytes: 1 }, { content: '😀', endByte: 4, more: true, heldBytes: 0, pendingBytes: 6 }],
    [{ maxBytes: 3 }, { content: '😁', endByte: 8, more: false, heldBytes: 2 }], [{ maxBytes: 1 }, NOTHING],
    [{ maxBytes: 1, ...FLUSH }, { content: '\uFFFD', endByte: 10 }]
  ],
  'a page has no more bytes of content than of the file': [
    '80 80 80 41', [{ maxBytes: 4 }, { content: '\uFFFD', endByte: 1, more: true }], [{ maxBytes: 6 }, { content: '\uFFFD\uFFFD', endByte: 3 }],
    [{ maxBytes: 1 }, { content: 'A', more: false }]
  ],
  'a mark is held until text follows': [
    'EF', [{}, { ...NOTHING, heldBytes: 1, encoding: 'utf-8' }], 'BB', [{}, { ...NOTHING, heldBytes: 2 }],
    'BF', [{}, { ...NOTHING, heldBytes: 3, pendingBytes: 3, endByte: 0, seq: 0 }], [FLUSH, NOTHING],
    'C3', [{}, { ...NOTHING, heldBytes: 4 }], 'A9', [{}, { content: 'é', startByte: 0, endByte: 5, byteCount: 5, seq: 1 }]
  ],
  'a mark counts as raw bytes': [
    'EFBBBF 41 42', [{ maxBytes: 4 }, { content: 'A', endByte: 4, more: true }], [{ maxBytes: 4 }, { content: 'B' }]
  ],
  'a mark and a character larger than the page': ['EFBBBF E282AC 42', [{ maxBytes: 2 }, { content: '€', startByte: 0, endByte: 6, more: true }]],
  'a mark in mid-file is text': ['41 EFBBBF 42', [{ maxBytes: 1 }, { content: 'A' }], [{}, { content: '\uFEFFB', startByte: 1 }]],
  'what might have been a mark': ['EFBB 41', [{}, { content: '\uFFFDA', replacements: 1, endByte: 3 }]],
  'half a mark that is flushed': [
    'FF', [FLUSH, { content: '\uFFFD', endByte: 1 }],
    'FE 4100', [{ ack: 0 }, { content: '\uFFFD', endByte: 1, replayed: true }], [{}, { content: '\uFFFDA', startByte: 1, endByte: 4, replacements: 1 }]
  ],
  'UTF-16, little end first': [
    'FFFE 41', [{}, { ...NOTHING, encoding: 'utf-16le', heldBytes: 3 }], '00 3DD8', [{}, { content: 'A', endByte: 4, heldBytes: 2 }],
    '00', [{}, { ...NOTHING, heldBytes: 3 }], 'DE', [{}, { content: '😀', startByte: 4, endByte: 8, heldBytes: 0 }],
    '00DE 3DD8 4100', [{}, { content: '\uFFFD\uFFFDA', replacements: 2 }]
  ],
  'UTF-16, big end first': [
    'FEFF 0041 D8', [{ maxBytes: 1 }, { content: 'A', startByte: 0, endByte: 4, encoding: 'utf-16be', heldBytes: 1 }],
    '3D DE00 000A', [{ maxBytes: 4 }, { content: '😀', more: true }], [{}, { content: '\n' }]
  ],
  'UTF-16 keeps to even offsets after a flush': [
    'FFFE 4100 42', [FLUSH, { content: 'A\uFFFD', endByte: 5 }],
    '00 4300', [{ maxBytes: 1 }, { content: '\uFFFD', startByte: 5, endByte: 6, more: true }], [{}, { content: 'C', endByte: 8 }]
  ],
  'a high surrogate and an odd byte are one when flushed': [
    'FFFE 3DD8 00', [{}, { ...NOTHING, heldBytes: 5 }], [FLUSH, { content: '\uFFFD', endByte: 5, replacements: 1 }],
    'DE', [{}, { content: '\uFFFD', endByte: 6 }]
  ],
  'from the end, before an incomplete character': [
    '41 F09F98', [END, { ...NOTHING, startByte: 1, endByte: 1, heldBytes: 3, seq: 0, created: true }],
    '80 42', [END, { content: '😀B', startByte: 1, seq: 1, created: false }]
  ],
  'from the end, at the end': ['41 80', [END, { ...NOTHING, endByte: 2, eof: true }], '42', [{}, { content: 'B', startByte: 2 }]],
  'from the end of a mark': ['EFBB', [END, { ...NOTHING, endByte: 0 }], 'BF41', [{}, { content: 'A', startByte: 0 }]],
  'from the end of UTF-16': [
    'FFFE 4100 3DD8 00', [END, { ...NOTHING, endByte: 4, heldBytes: 3 }], 'DE', [{}, { content: '😀', startByte: 4 }]
  ],
  'from the end of an empty file': ['', [END, { ...NOTHING, endByte: 0, eof: true }], '41', [END, { content: 'A' }]],
  'NUL and CR are text': ['00 0D 0A 0D', [{}, { content: '\0\r\n\r' }]]
}

t.test('stories of a growing file', async t => {
  for (const [index, [name, story]] of Object.entries(STORIES).entries()) {
    await t.test(name, async t => {
      const log = new TailClient(service, 'run', `${index}.log`)
      for (const event of story) {
        if (typeof event === 'string') {
          fs.appendFileSync(`${folder}/${log.path}`, Buffer.from(event.replaceAll(' ', ''), 'hex'))
        } else {
          const [parameters, expected] = event
          if (parameters.ack === undefined) {
            holds(t, await log.peek(parameters), { status: 200, body: { ...expected, cursor: null } })
          }
          holds(t, await log.post(parameters), { status: 200, body: expected }, JSON.stringify(event))
        }
      }
    })
  }
})

t.test('a page is 32 KiB at most and never splits a character', async t => {
  const text = 'é€😀x'.repeat(20_000)
  fs.writeFileSync(`${folder}/long.log`, text)
  const log = new TailClient(service, 'run', 'long.log')
  const pages: string[] = []
  for (let more = true; more;) {
    const { body } = await log.post()
    t.ok(body.byteCount <= 32_768 && (!body.more || body.byteCount > 32_764))
    t.equal(body.pendingBytes, body.file.size - body.endByte)
    pages.push(body.content)
    more = body.more
  }
  t.equal(pages.join(''), text)
  holds(t, await log.post({ maxBytes: 32_769 }), { status: 400, body: { parameter: 'maxBytes' } })
  holds(t, await log.post({ maxBytes: 0 }), { status: 400, body: { parameter: 'maxBytes' } })
})

t.test('as text, what is no content is in headers', async t => {
  fs.writeFileSync(`${folder}/text.log`, Buffer.from('41 0A 80 E2'.replaceAll(' ', ''), 'hex'))
  const log = new TailClient(service, 'run', 'text.log')
  const headersOf = ({ headers }: Awaited<ReturnType<typeof log.post>>) =>
    Object.fromEntries([...headers].filter(([name]) => name.startsWith('artifact-')))
  const shown = await log.peek({ format: 'text' })
  const first = await log.post({ format: 'text' })
  t.equal(first.text, 'A\n\uFFFD')
  t.equal(first.headers.get('content-type'), 'text/plain; charset=utf-8')
  const { 'artifact-cursor': cursor, ...facts } = headersOf(first)
  t.strictSame(facts, {
    'artifact-unit': 'tail',
    'artifact-start-byte': '0',
    'artifact-end-byte': '3',
    'artifact-size': '4',
    'artifact-eof': 'false',
    'artifact-replacements': '1',
    'artifact-seq': '1',
    'artifact-created': 'true',
    'artifact-replayed': 'false',
    'artifact-more': 'false',
    'artifact-pending-bytes': '1',
    'artifact-held-bytes': '1'
  })
  t.strictSame(headersOf(shown), facts, 'a peek has no cursor')
  fs.writeFileSync(`${folder}/text.log`, 'B')
  const reset = await log.post({ ack: cursor! }, { headers: { accept: 'text/plain' } })
  t.equal(reset.text, 'B')
  holds(t, headersOf(reset), { 'artifact-reset': 'truncated; from=3', 'artifact-seq': '2', 'artifact-more': 'false', 'artifact-eof': 'true' })
  const replayed = await log.post({ ack: cursor!, format: 'text' })
  t.strictSame(headersOf(replayed), { ...headersOf(reset), 'artifact-replayed': 'true' })
  t.equal(replayed.text, 'B')
})
