import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { PROJECT } from '../helpers/project.js'
import { ask, makeFolder, startService } from '../helpers/service.js'

const read = (name: string): string => fs.readFileSync(path.join(PROJECT, 'deploy', name), 'utf8')

interface Panel { type: string, title: string, id: number, targets?: { expr: string }[] }
const panels: Panel[] = JSON.parse(read('grafana/dashboard.json')).panels
const alerts: { alert: string, expr: string }[] = parse(read('prometheus/alerts.yaml')).groups.flatMap((group: any) => group.rules)
const expressions = [
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ name: `panel ${title}`, expr }))),
  ...alerts.map(({ alert, expr }) => ({ name: `alert ${alert}`, expr }))
]

/** Of Prometheus itself, not of the service. */
const OWN = ['up']
const NAME = /\b(?:artifact_pager|process|nodejs)_\w+\b|\bup\b/g

/** The labels that a selector asks for, by the metric. */
function selectorsOf (expr: string): { metric: string, labels: string[] }[] {
  return [...expr.matchAll(/\b([a-z_]+)\{([^}]*)\}/g)].map(([, metric = '', selector = '']) => ({
    metric, labels: [...selector.matchAll(/(\w+)(?:=~|!~|!=|=)/g)].map(([, label = '']) => label)
  }))
}

t.test('dashboard and alerts ask for metrics and labels that there are', async t => {
  const root = makeFolder(t, { 'a.log': 'one\n' })
  const { url } = await startService(t, { ARTIFACT_ROOT: root })
  await ask(`${url}/tail?run=r&path=a.log`, { method: 'POST' })
  const { text } = await ask(`${url}/metrics`)
  const samples = text.split('\n').filter(line => line !== '' && !line.startsWith('#'))
  const labels = new Map<string, Set<string>>()
  for (const sample of samples) {
    const [, metric = '', given = ''] = /^(\w+)(?:\{(.*)\})? /.exec(sample) ?? []
    const names = labels.get(metric) ?? new Set(['job', 'instance'])
    for (const [, label = ''] of given.matchAll(/(\w+)="/g)) names.add(label)
    labels.set(metric, names)
  }
  t.ok(expressions.length > 30)
  for (const { name, expr } of expressions) {
    const metrics = [...new Set(expr.match(NAME) ?? [])]
    t.ok(metrics.length > 0, `${name} asks for something`)
    for (const metric of metrics) t.ok(OWN.includes(metric) || labels.has(metric), `${name}: there is ${metric}`)
    for (const { metric, labels: asked } of selectorsOf(expr).filter(({ metric }) => !OWN.includes(metric))) {
      t.strictSame(asked.filter(label => !labels.get(metric)?.has(label)), [], `${name}: labels of ${metric}`)
    }
  }
  const codes = new Set([...text.matchAll(/problems_total\{code="(\w+)"\}/g)].map(([, code]) => code))
  const asked = alerts.flatMap(({ expr }) => [...expr.matchAll(/code=~?"([A-Z_|]+)"/g)].flatMap(([, names = '']) => names.split('|')))
  t.strictSame(asked.filter(code => !codes.has(code)), [], 'every code that an alert asks for is counted from the start')
})

t.test('panels have an id of their own and do not overlap', async t => {
  t.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
  const taken = new Set<string>()
  for (const { title, gridPos: { x, y, w, h } } of panels as any[]) {
    t.ok(x + w <= 24, title)
    for (let column = x; column < x + w; column++) {
      for (let row = y; row < y + h; row++) {
        t.notOk(taken.has(`${column},${row}`), `${title} at ${column},${row}`)
        taken.add(`${column},${row}`)
      }
    }
  }
})

const promtool = spawnSync('promtool', ['--version']).error ? 'there is no promtool: `apt-get install prometheus`' : false

t.test('promtool takes the configuration, the rules and their tests', { skip: promtool }, async t => {
  const folder = path.join(PROJECT, 'deploy/prometheus')
  for (const args of [['check', 'config', 'prometheus.yml'], ['check', 'rules', 'alerts.yaml'], ['test', 'rules', 'alerts.test.yaml']]) {
    const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: folder, encoding: 'utf8' })
    t.equal(status, 0, `${args.join(' ')}: ${stdout}${stderr}`)
  }
})

t.test('promtool parses what the dashboard asks', { skip: promtool }, async t => {
  const rules = panels.flatMap(({ targets = [] }) => targets).map(({ expr }, index) => ({
    record: `panel:${index}`, expr: expr.replaceAll('$__rate_interval', '1m').replaceAll('$job', 'j').replaceAll('$instance', 'i')
  }))
  const file = `${makeFolder(t)}/rules.yaml`
  fs.writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
  const { status, stderr } = spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' })
  t.equal(status, 0, stderr)
})
