import t from 'tap'
import { sendRaw } from '../helpers/raw-http.js'
import { eventually } from '../helpers/redis.js'
import { ask, makeFolder, startService } from '../helpers/service.js'
import { connectBare, headOf } from '../helpers/sockets.js'

const MIB = 1_048_576
const lines = Array.from({ length: 100 }, (_, number) => `line ${number + 1}\n`)
const root = makeFolder(t, { 'big.log': Buffer.alloc(MIB, 'x'), 'lines.log': lines.join(''), 'empty.log': '' })
const { url, port } = await startService(t, { ARTIFACT_ROOT: root })

async function metric (name: string): Promise<number> {
  const { text } = await ask(`${url}/metrics`)
  return Number(new RegExp(`^artifact_pager_${name} (\\d+)$`, 'm').exec(text)?.[1])
}

async function becomes (name: string, isRight: (value: number) => boolean): Promise<void> {
  await eventually(async () => {
    const value = await metric(name)
    if (!isRight(value)) throw new Error(`${name} is ${value}`)
  })
}

const last = (target: string): string => headOf(target).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')

t.test('requests that come together are answered each with its own, in their order', async t => {
  const targets = lines.map((_, number) => `/read?path=lines.log&startLine=${number + 1}&maxLines=1&format=text`)
  const answers = await sendRaw(port, targets.map(target => headOf(target)).join('') + last('/livez'))
  t.strictSame(answers.slice(0, -1).map(({ body }) => body), lines)
  t.match(answers.at(-1), { status: 200 })
})

t.test('a later request is begun when an earlier one is through', async t => {
  const tail = headOf('/tail?run=one&path=lines.log&maxBytes=7&format=text', 'POST')
  const answers = await sendRaw(port, tail + tail + headOf('/nowhere') + tail + last('/'))
  t.strictSame(answers.map(({ status }) => status), [200, 200, 404, 200, 200])
  t.strictSame([0, 1, 3].map(index => answers[index]!.headers['artifact-seq']), ['1', '2', '3'])
  t.equal([0, 1, 3].map(index => answers[index]!.body).join(''), lines.slice(0, 3).join(''))
})

t.test('more requests than may wait end the connection, and whatever it waits for', async t => {
  const wait = headOf('/tail?run=three&path=empty.log&wait=25', 'POST')
  const { received, closed } = await connectBare(t, port, wait + headOf('/livez').repeat(5000))
  t.ok(await closed < 10_000)
  t.equal(received(), '')
  await becomes('tail_waiters', value => value === 0)
})

t.test('as many as may wait are all answered, again and again', async t => {
  const { socket, received } = await connectBare(t, port)
  for (let round = 1; round <= 5; round++) {
    socket.write(headOf('/read?path=lines.log&maxLines=1&format=text') + headOf('/livez').repeat(100))
    await eventually(async () => {
      const answers = received().split('HTTP/1.1 200 OK').length - 1
      if (answers !== round * 101) throw new Error(`${answers} answers`)
    })
  }
  t.equal(received().split('{"status":"alive"}').length - 1, 500)
})

t.test('a client that does not read holds one page, and none once it is gone', async t => {
  // Twice as long as its window: in memory of its own, which is counted.
  const page = headOf('/bytes?path=big.log&limit=1048576&encoding=hex')
  for (let round = 0; round < 3; round++) {
    const { socket, closed } = await connectBare(t, port)
    socket.pause()
    socket.write(page.repeat(64))
    await becomes('unsent_bytes', value => value > 2 * MIB && value < 3 * MIB)
    socket.destroy()
    await closed
    await becomes('unsent_bytes', value => value === 0)
  }
  t.equal((await ask(`${url}/read?path=lines.log`)).status, 200)
})

t.test('nothing waits for news for a client that is gone', async t => {
  const { socket } = await connectBare(t, port, headOf('/tail?run=two&path=empty.log&wait=25', 'POST').repeat(5))
  await becomes('tail_waiters', value => value === 1)
  socket.destroy()
  await becomes('tail_waiters', value => value === 0)
  t.pass()
})
