import fs from 'node:fs'
import path from 'node:path'
import t, { type Test } from 'tap'
import { FIXTURES } from '../helpers/project.js'
import { ask, startService } from '../helpers/service.js'
import { pageFaults } from './response-schemas.js'

const { url } = await startService(t, { ARTIFACT_ROOT: FIXTURES })

const FILES = (fs.readdirSync(FIXTURES, { recursive: true, withFileTypes: true }))
  .filter(entry => entry.isFile())
  .map(entry => path.relative(FIXTURES, path.join(entry.parentPath, entry.name)))
const LARGE = 'reports/evaluation.json'
const MIB = 1_048_576

function encodingOf (bytes: Buffer): string {
  if (bytes.readUInt16BE(0) === 0xFEFF) return 'utf-16be'
  return bytes.readUInt16LE(0) === 0xFEFF ? 'utf-16le' : 'utf-8'
}

/** The whole text of a file, as Node's own decoder has it. */
function textOf (file: string, keepMark = false): string {
  const bytes = fs.readFileSync(path.join(FIXTURES, file))
  return new TextDecoder(bytes.length < 2 ? 'utf-8' : encodingOf(bytes), { ignoreBOM: keepMark }).decode(bytes)
}

/** Compares long texts without printing them. */
function sameText (t: Test, actual: string, expected: string, name: string): void {
  if (actual === expected) {
    t.pass(name)
    return
  }
  let at = 0
  while (actual[at] === expected[at]) at++
  t.equal(actual.slice(at, at + 80), expected.slice(at, at + 80), `${name}: from ${at} on`)
}

/** A page in either form: where it lies, its content as text, and the next. */
interface Seen { text: string, startByte: number, endByte: number, size: number, eof: boolean, next: string | null }

async function page (t: Test, target: string): Promise<Seen> {
  const { status, body, headers, text } = await ask(`${url}/${target}`)
  if (status !== 200) throw new Error(`${target}: ${text}`)
  if (body === undefined) {
    const [startByte, endByte, size] = ['start-byte', 'end-byte', 'size'].map(name => Number(headers.get(`artifact-${name}`)))
    const next = /^<(.*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1] ?? null
    return { text, startByte: startByte!, endByte: endByte!, size: size!, eof: headers.get('artifact-eof') === 'true', next }
  }
  const faults = pageFaults(body)
  if (faults.length > 0) t.fail(`${target}: ${faults.join('; ')}`)
  const lineFeed = body.unit === 'lines' && body.endsWithNewline ? '\n' : ''
  return { text: body.content + lineFeed, ...body, size: body.file.size }
}

/** Follows `next` from a page to the end: the pages tile the file, and none is over its bound. */
async function readThrough (t: Test, target: string, maxContentBytes: number): Promise<string> {
  let text = ''
  let at = 0
  let size = 0
  for (let next: string | null = target; next !== null;) {
    const seen: Seen = await page(t, next)
    if (seen.startByte !== at) t.fail(`${next}: starts at ${seen.startByte}, not ${at}`)
    if (seen.eof !== (seen.next === null)) t.fail(`${next}: eof ${seen.eof}, next ${seen.next}`)
    if (Buffer.byteLength(seen.text) > maxContentBytes) t.fail(`${next}: ${Buffer.byteLength(seen.text)} bytes`)
    text += seen.text
    at = seen.endByte
    size = seen.size
    next = seen.next
  }
  t.equal(at, size, `${target}: ends at the end`)
  return text
}

for (const format of ['json', 'text']) {
  t.test(`by lines, as ${format}`, async t => {
    for (const file of FILES.filter(file => file !== LARGE)) {
      for (const maxLines of [1, 7, 500]) {
        const target = `read?path=${file}&maxLines=${maxLines}&format=${format}`
        sameText(t, await readThrough(t, target, MIB + 1), textOf(file), target)
      }
    }
  })

  t.test(`by characters, as ${format}`, async t => {
    for (const file of FILES) {
      for (const limitChars of file === LARGE ? [32_768, 30_011] : [997, 32_768]) {
        const target = `read?path=${file}&limitChars=${limitChars}&format=${format}`
        sameText(t, await readThrough(t, target, 32_768), textOf(file), target)
      }
    }
  })

  t.test(`by bytes, as ${format}`, async t => {
    for (const file of FILES) {
      const bytes = fs.readFileSync(path.join(FIXTURES, file))
      const encoding = bytes.length < 2 ? 'utf-8' : encodingOf(bytes)
      const isBroken = file === 'text/invalid.log'
      for (const limit of file === LARGE ? [40_961, MIB] : isBroken ? [MIB] : [999, MIB]) {
        const target = `bytes?path=${file}&limit=${limit}&encoding=${encoding}&format=${format}`
        sameText(t, await readThrough(t, target, 3 * MIB), textOf(file, true), target)
      }
    }
  })
}

t.test('by bytes, verbatim', async t => {
  for (const file of FILES) {
    for (const encoding of ['base64', 'hex'] as const) {
      const pages: Buffer[] = []
      for (let next: string | null = `bytes?path=${file}&encoding=${encoding}&limit=700001`; next !== null;) {
        const { body } = await ask(`${url}/${next}`)
        t.strictSame(pageFaults(body), [])
        pages.push(Buffer.from(body.content, encoding))
        next = body.next
      }
      t.ok(Buffer.concat(pages).equals(fs.readFileSync(path.join(FIXTURES, file))), `${file} ${encoding}`)
    }
  }
})

t.test('by tail', async t => {
  for (const file of FILES) {
    let text = ''
    let endByte = 0
    for (;;) {
      const { body } = await ask(`${url}/tail?run=all&path=${file}&flush=true`, { method: 'POST' })
      t.strictSame(pageFaults(body), [])
      if (body.startByte !== endByte) t.fail(`${file}: starts at ${body.startByte}, not ${endByte}`)
      text += body.content
      endByte = body.endByte
      if (!body.more) break
    }
    sameText(t, text, textOf(file), file)
  }
})

t.test('blocks of every line of the program', async t => {
  const lines = textOf('runs/latest/app.py').split('\n')
  for (let line = 1; line < lines.length; line++) {
    for (const query of ['', '&maxLevels=1', '&maxLevels=2&includeSiblings=true&maxLines=9']) {
      const { body } = await ask(`${url}/read?path=runs/latest/app.py&aroundLine=${line}${query}`)
      t.strictSame(pageFaults(body), [])
      t.equal(body.content, lines.slice(body.startLine - 1, body.endLine).join('\n'), `${line}${query}`)
    }
  }
})
