import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import type { CursorCalls } from '../cursors/store.js'
import { PROBLEMS, type ProblemCode } from '../errors.js'
import { DIFFERENCES } from '../files/position.js'
import type { LanePool } from '../lanes/pool.js'
import type { TailPage } from '../pages/tail.js'

const PREFIX = 'artifact_pager_'
const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const STORE_BUCKETS = [0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 1]
/** Sums of other default metrics, and gauges, which are not to be called totals: `promtool check metrics` objects. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total']

interface RequestSeries { seconds: Histogram.Internal<string>, returned: Counter.Internal, scanned: Counter.Internal }

/** What is measured. No label holds a path, a run or a token. */
export class Metrics {
  readonly registry = new Registry()
  private readonly requests = this.histogram('request_duration_seconds', 'Time to answer a request', ['route', 'unit', 'status'], REQUEST_BUCKETS)
  private readonly returned = this.counter('response_bytes_total', 'Bytes of response bodies', ['unit'])
  private readonly scanned = this.counter('read_bytes_total', 'Bytes read from the storage, scanned ones included', ['unit'])
  private readonly problems = this.counter('problems_total', 'Refusals and failures by code', ['code'])
  private readonly resets = this.counter('tail_resets_total', 'Tails that restarted at byte 0', ['reason'])
  private readonly held = this.counter('tail_held_bytes_total', 'Bytes of cut characters that pages left for later', [])
  private readonly store = this.histogram('cursor_store_duration_seconds', 'Time of a call to the cursor store', ['operation'], STORE_BUCKETS)
  private readonly storeErrors = this.counter('cursor_store_errors_total', 'Calls that the cursor store failed', ['operation'])

  private readonly series = new Map<string, RequestSeries>()

  constructor () {
    collectDefaultMetrics({ register: this.registry })
    for (const name of MISNAMED) this.registry.removeSingleMetric(name)
    // From 0 on: of a counter that appears as 1, Prometheus sees no increase, and no alert for a first defect fires.
    for (const code of Object.keys(PROBLEMS)) this.problems.inc({ code }, 0)
    for (const operation of ['load', 'save', 'forget', 'ping']) this.storeErrors.inc({ operation }, 0)
    for (const reason of DIFFERENCES) this.resets.inc({ reason }, 0)
  }

  /** Registers gauges that look when they are scraped. */
  watch (pool: LanePool, cursors: () => number | undefined, waiting: () => number): void {
    this.gauge('lanes', 'Threads that read, by what they are at', ['state'], gauge => {
      const { lanes, busy, stuck } = pool.figures
      gauge.set({ state: 'idle' }, lanes - busy)
      gauge.set({ state: 'busy' }, busy - stuck)
      gauge.set({ state: 'stuck' }, stuck)
    })
    this.gauge('reads_queued', 'Reads that wait for a lane', [], gauge => gauge.set(pool.figures.queued))
    this.gauge('unsent_bytes', 'Bytes of bodies beyond those in slots that callers have not taken yet', [], gauge => gauge.set(pool.figures.unsentBytes))
    this.gauge('tail_waiters', 'Calls that wait for news of a file', [], gauge => gauge.set(waiting()))
    if (cursors() === undefined) return
    this.gauge('tail_cursors', 'Cursors in memory', [], gauge => gauge.set(cursors() ?? 0))
  }

  problem (code: ProblemCode): void {
    this.problems.inc({ code })
  }

  tailPage ({ reset, heldBytes }: TailPage): void {
    if (reset !== null) this.resets.inc({ reason: reset.reason })
    this.held.inc(heldBytes)
  }

  /** The same store, measured. */
  measured (store: CursorCalls): CursorCalls {
    const timed = async <T>(operation: string, call: () => Promise<T>): Promise<T> => {
      const end = this.store.startTimer({ operation })
      try {
        return await call()
      } catch (error) {
        this.storeErrors.inc({ operation })
        throw error
      } finally {
        end()
      }
    }
    return {
      load: key => timed('load', () => store.load(key)),
      save: (key, expected, next) => timed('save', () => store.save(key, expected, next)),
      forget: key => timed('forget', () => store.forget(key)),
      ping: () => timed('ping', () => store.ping())
    }
  }

  readonly plugin = fp(async (app: FastifyInstance) => {
    app.addHook('onResponse', (request, reply, done) => {
      const { unit = 'none', bytesRead, code } = request.outcome
      const series = this.seriesOf(request.routeOptions.url ?? 'unknown', unit, String(reply.statusCode))
      series.seconds.observe(reply.elapsedTime / 1000)
      series.returned.inc(Number(reply.getHeader('content-length') ?? 0))
      series.scanned.inc(bytesRead)
      if (code !== undefined) this.problem(code)
      done()
    })
  }, { name: 'metrics', dependencies: ['outcome'] })

  /** The series of a kind of request, kept at hand: to find them by their labels costs more than to count. */
  private seriesOf (route: string, unit: string, status: string) {
    const key = `${route} ${unit} ${status}`
    const known = this.series.get(key)
    if (known !== undefined) return known
    const series: RequestSeries = {
      seconds: this.requests.labels({ route, unit, status }),
      returned: this.returned.labels({ unit }),
      scanned: this.scanned.labels({ unit })
    }
    this.series.set(key, series)
    return series
  }

  private histogram<T extends string> (name: string, help: string, labelNames: T[], buckets: number[]): Histogram<T> {
    return new Histogram({ name: PREFIX + name, help, labelNames, buckets, registers: [this.registry] })
  }

  private counter<T extends string> (name: string, help: string, labelNames: T[]): Counter<T> {
    return new Counter({ name: PREFIX + name, help, labelNames, registers: [this.registry] })
  }

  private gauge<T extends string> (
    name: string, help: string, labelNames: T[], collect: (gauge: Gauge<T>) => void
  ): void {
    const registers = [this.registry]
    const gauge: Gauge<T> = new Gauge({
      name: PREFIX + name, help, labelNames, registers, collect: () => collect(gauge)
    })
  }
}
