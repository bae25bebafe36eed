import fs from 'node:fs'
import t, { type Test } from 'tap'
import { TestRedis, eventually, redisMissing } from '../helpers/redis.js'
import { makeFolder, startService, type Service } from '../helpers/service.js'
import { TailClient } from '../helpers/tail-client.js'

const CALLERS = 8
const TEXT = 'é€😀x\n'.repeat(3000)

interface Page { seq: number, startByte: number, endByte: number, content: string, created: boolean }

/** Callers that know nothing of each other, while the file grows under them. */
async function readTogether (t: Test, services: Service[], folder: string): Promise<void> {
  const pieces = TEXT.match(/[^]{1,2000}/gu)!
  fs.writeFileSync(`${folder}/shared.log`, pieces.shift()!)
  const pages: Page[] = []
  const size = Buffer.byteLength(TEXT)
  const callers = Array.from({ length: CALLERS }, async (_, index) => {
    const client = new TailClient(services[index % services.length]!, 'shared', 'shared.log')
    for (let endByte = 0; endByte < size;) {
      const { status, body } = await client.post({ maxBytes: 301 + index })
      if (status !== 200) throw new Error(JSON.stringify(body))
      endByte = body.endByte
      if (body.content === '' && pieces.length > 0) fs.appendFileSync(`${folder}/shared.log`, pieces.shift()!)
      if (body.content !== '') pages.push(body)
    }
  })
  await Promise.all(callers)
  pages.sort((one, other) => one.seq - other.seq)
  t.strictSame(pages.map(({ seq }) => seq), pages.map((_, index) => index + 1), 'a number for each page')
  t.strictSame(pages.map(({ startByte }) => startByte), [0, ...pages.slice(0, -1).map(({ endByte }) => endByte)])
  t.equal(pages.map(({ content }) => content).join(''), TEXT)
  t.strictSame(pages.filter(({ created }) => created).map(({ seq }) => seq), [1])
}

t.test('callers of one service share a file without losing or repeating a byte', async t => {
  const folder = makeFolder(t)
  const service = await startService(t, { ARTIFACT_ROOT: folder, READ_DEADLINE_MS: '100000' })
  await readTogether(t, [service], folder)
})

t.test('callers of two services with one Redis do, too', { skip: redisMissing() }, async t => {
  const folder = makeFolder(t)
  const redis = await TestRedis.start()
  t.teardown(() => redis.close())
  const env = { ARTIFACT_ROOT: folder, READ_DEADLINE_MS: '100000', REDIS_URL: redis.url }
  const services = [await startService(t, env), await startService(t, env)]
  for (const { url } of services) {
    await eventually(async () => { if ((await fetch(`${url}/readyz`)).status !== 200) throw new Error('not ready') })
  }
  await readTogether(t, services, folder)
})
