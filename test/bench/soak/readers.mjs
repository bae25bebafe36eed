import assert from 'node:assert/strict'

/** Refusals that a service at its limit may give. */
const REFUSALS = ['OVERLOADED']

function random (limit) {
  return Math.floor(Math.random() * limit)
}

function pick (list) {
  return list[random(list.length)]
}

/** What a read of each unit asks for, and what must be true of its page beside its bytes. */
const READS = {
  lines: file => `read?path=${file.name}&startLine=${1 + random(file.lines + 5)}&maxLines=${1 + random(500)}`,
  chars: file => `read?path=${file.name}&offsetChars=${random(file.chars + 5)}&limitChars=${1 + random(32_768)}`,
  block: file => `read?path=${file.name}&aroundLine=${1 + random(file.lines)}&maxLevels=${random(3)}&maxLines=${1 + random(300)}`,
  bytes: file => `bytes?path=${file.name}&offset=${random(file.bytes.length + 5)}&limit=${1 + random(200_000)}`
}

/** Reads a page of any unit in any form, and the next; every body is compared with the file. */
export async function readPages ({ request, files, count }) {
  const file = pick([...files.values()])
  const unit = pick(Object.keys(READS))
  const format = pick(['json', 'text'])
  let target = `${READS[unit](file)}&format=${format}`
  for (let page = 0, endByte = null; page < 3 && target !== null; page++) {
    const answer = await request(`/${target}`)
    if (isRefused(answer, count)) return
    assert.equal(answer.status, 200, `${target}: ${answer.status} ${answer.bytes}`)
    const facts = format === 'json' ? answer.body : factsOf(answer.headers)
    checkContent(file, format, answer, facts, target)
    if (endByte !== null && unit !== 'bytes') assert.equal(facts.startByte, endByte, `${target} starts where the page before ended`)
    endByte = facts.endByte
    target = linkOf(answer.headers)
    count('pages')
  }
}

function checkContent (file, format, { body, bytes }, { startByte, endByte }, target) {
  const raw = file.bytes.subarray(startByte, endByte)
  if (format === 'text') {
    assert.ok(bytes.equals(raw), `${target}: other bytes than [${startByte}, ${endByte})`)
    return
  }
  const text = raw.toString()
  const content = body.unit === 'lines' && body.endsWithNewline ? `${body.content}\n` : body.content
  assert.ok(content === text, `${target}: other text than [${startByte}, ${endByte})`)
  if (body.unit === 'chars') assert.equal(body.charCount, [...text].length, target)
}

function factsOf (headers) {
  return { startByte: Number(headers['artifact-start-byte']), endByte: Number(headers['artifact-end-byte']) }
}

function linkOf ({ link }) {
  return link === undefined ? null : /^<(.*)>; rel="next"$/.exec(link)[1]
}

export function isRefused ({ status, body }, count) {
  if (status !== 503 || !REFUSALS.includes(body?.code)) return false
  count('refused')
  return true
}

/** Leaves before the answer, or in the middle of it. */
export async function abort ({ request, files, count }) {
  const file = files.get('mixed.log')
  await request(`/read?path=${file.name}&startLine=${file.lines - 10}`, { abortAfterMs: random(15) })
  count('aborted')
}

const ERRORS = [
  ['/read?path=missing', 404, 'FILE_NOT_FOUND'],
  ['/read?path=../x', 400, 'INVALID_PATH'],
  ['/read?path=/etc/passwd', 403, 'PATH_OUTSIDE_ROOT'],
  ['/read?path=mixed.log&startLine=0', 400, 'INVALID_REQUEST'],
  ['/read?path=.', 400, 'INVALID_PATH'],
  ['/read?path=wide.csv&startLine=1&at=1l.2', 400, 'INVALID_REQUEST'],
  ['/read?path=mixed.log&aroundLine=9999999', 422, 'READ_LIMIT_EXCEEDED'],
  ['/nothing', 404, 'ROUTE_NOT_FOUND']
]

export async function err ({ request, count }) {
  const [target, status, code] = pick(ERRORS)
  const answer = await request(target)
  if (isRefused(answer, count)) return
  assert.equal(answer.status, status, target)
  assert.equal(answer.body.code, code, target)
  count('errors as expected')
}

export async function probe ({ request, count }) {
  assert.equal((await request('/livez')).status, 200)
  const { status, bytes } = await request('/metrics')
  assert.equal(status, 200)
  assert.match(bytes.toString(), /artifact_pager_lanes/)
  count('probes')
}
