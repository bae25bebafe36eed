import { Client } from '../drivers/client.mjs'
import { forgetPeak, peakMib, residentMib } from '../drivers/memory.mjs'
import { startService } from '../drivers/process.mjs'
import { slice, warm } from '../files.mjs'
import { median, quantile, target } from '../statistics.mjs'

const GIB = 2 ** 30
const MARKED_LINE = 8_000_000
const SMALL_LINES = 20
/** Small reads before anything is measured, so that code is compiled and heaps have their size. */
const WARM_READS = 5000
const IDLE_READS = 3000
const FAR_LINES = 100

/** What a scan through gigabytes costs those who read beside it, and in memory. */
export async function scan ({ files, rounds }) {
  const gib = files.log('deep.log', GIB, [MARKED_LINE])
  const huge = files.repeated('huge.log', gib, 4)
  const large = files.repeated('large.log', gib, 2)
  const small = files.log('small.log', 1_000_000)
  warm(huge)
  warm(large)
  const beside = await measureBeside(files.folder, huge, small, rounds)
  const memory = await measureEnds(files.folder, large)
  return report(beside, memory)
}

async function measureBeside (folder, huge, small, rounds) {
  const service = await startService(folder)
  const reader = await Client.connect(service.port)
  const scanner = await Client.connect(service.port)
  await readSmall(reader, small, count => count < WARM_READS)
  const figures = { idleP99: [], besideP99: [], scanMs: [], reads: [] }
  const beforeMib = residentMib(service.pid)
  forgetPeak(service.pid)
  for (let round = 0; round < rounds; round++) {
    figures.idleP99.push(quantile(await readSmall(reader, small, count => count < IDLE_READS), 0.99))
    let isScanning = true
    const far = readEnd(scanner, huge).finally(() => { isScanning = false })
    const times = await readSmall(reader, small, () => isScanning)
    figures.scanMs.push(await far)
    figures.besideP99.push(quantile(times, 0.99))
    figures.reads.push(times.length)
  }
  const peak = peakMib(service.pid)
  reader.close()
  scanner.close()
  await service.stop()
  return { ...figures, beforeMib, peakMib: peak }
}

/** Reads at the two ends of a file in a process that has read little else: the most that it grows by. */
async function measureEnds (folder, large) {
  const service = await startService(folder)
  const client = await Client.connect(service.port)
  await readSmall(client, { ...large, lines: 10_000 }, count => count < 100)
  const beforeMib = residentMib(service.pid)
  forgetPeak(service.pid)
  await getLines(client, large, 1)
  await readEnd(client, large)
  const growthMib = peakMib(service.pid) - beforeMib
  client.close()
  await service.stop()
  return growthMib
}

async function readSmall (client, small, goesOn) {
  const times = []
  while (goesOn(times.length)) {
    times.push(await getLines(client, small, 1 + times.length * 7 % (small.lines - SMALL_LINES)))
  }
  return times
}

async function getLines (client, { name, file }, startLine, maxLines = SMALL_LINES) {
  const url = `/read?path=${name}&startLine=${startLine}&maxLines=${maxLines}`
  const { status, body, ms } = await client.get(url)
  const { content, startByte, endByte, lineCount } = JSON.parse(body)
  if (status !== 200 || lineCount !== maxLines || !slice(file, startByte, endByte).equals(Buffer.from(`${content}\n`))) {
    throw new Error(`a wrong answer to ${url} (${status})`)
  }
  return ms
}

function readEnd (client, file) {
  return getLines(client, file, file.lines - FAR_LINES + 1, FAR_LINES)
}

function report (beside, endsGrowthMib) {
  const [idle, p99] = [median(beside.idleP99), median(beside.besideP99)]
  return {
    title: 'a far line of a 4 GiB log (1 GiB of text, four times over, in real blocks), and small reads beside it',
    notes: ['Resident memory is VmRSS and its peak VmHWM. Each page is compared with the file.'],
    figures: [
      { what: 'the scan', value: median(beside.scanMs), unit: 'ms' },
      { what: 'small reads during a scan', value: median(beside.reads), unit: '' },
      { what: `${SMALL_LINES} lines of a small file, p99, no scan`, value: idle, unit: 'ms' },
      { what: `${SMALL_LINES} lines of a small file, p99, during the scan`, value: p99, unit: 'ms' },
      { what: 'resident before the scans', value: beside.beforeMib, unit: 'MiB' },
      { what: 'resident at most', value: beside.peakMib, unit: 'MiB' }
    ],
    targets: [
      target('resident memory grows by, during scans', beside.peakMib - beside.beforeMib, '<', 32, 'MiB'),
      target('resident memory in all', beside.peakMib, '<', 120, 'MiB'),
      target('p99 of small reads during the scan (3 ms, or 3 x that without)', p99, '<', Math.max(3, 3 * idle), 'ms'),
      target('resident memory grows by, 2 GiB file at line 1 and at its end', endsGrowthMib, '<', 32, 'MiB')
    ]
  }
}
