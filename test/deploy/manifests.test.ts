import fs from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { parse, parseDocument } from 'yaml'
import { readConfig } from '../../src/config.js'
import { MAX_WAIT_SECONDS } from '../../schemas/tail.js'
import { PROJECT } from '../helpers/project.js'

const folder = path.join(PROJECT, 'deploy')
const read = (name: string): string => fs.readFileSync(path.join(folder, name), 'utf8')
const nginx = read('nginx.conf')
const compose = parse(read('compose.yaml'), { merge: true })
const kubernetes = (name: string): any => parse(read(`kubernetes/${name}.yaml`))
const pod = kubernetes('deployment').spec.template.spec
/** SIGTERM to the end of the process, as the contract has it. */
const SHUTDOWN_SECONDS = 15

t.test('every YAML file parses, and none repeats a key', async t => {
  const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => /\.ya?ml$/.test(name))
  t.ok(files.length >= 12)
  for (const file of files) {
    const { errors, warnings } = parseDocument(read(file), { merge: true })
    t.strictSame([...errors, ...warnings], [], file)
  }
})

t.test('the kustomization names every manifest', async t => {
  const names = fs.readdirSync(path.join(folder, 'kubernetes')).filter(name => name !== 'kustomization.yaml')
  t.strictSame([...kubernetes('kustomization').resources].sort(), names.sort())
})

t.test('what a container may', async t => {
  for (const [name, service] of Object.entries<any>(compose.services)) {
    t.equal(service.read_only, true, `${name}: read-only root`)
    t.strictSame(service.cap_drop, ['ALL'], `${name}: no capabilities`)
    t.strictSame(service.security_opt, ['no-new-privileges:true'], name)
    for (const volume of service.volumes ?? []) t.match(volume, /:ro$/, `${name}: ${volume}`)
  }
  const [{ securityContext, volumeMounts, resources }] = pod.containers
  t.strictSame(securityContext, {
    allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] }
  })
  t.match(pod.securityContext, { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
  t.ok(volumeMounts.every(({ readOnly }: any) => readOnly))
  t.ok(resources.limits.memory && resources.requests.cpu)
})

t.test('times that must be in order', async t => {
  const seconds = (directive: string): number => Number(new RegExp(`^ *${directive} (\\d+)s;`, 'm').exec(nginx)?.[1])
  const { readDeadlineMs } = readConfig({ ARTIFACT_ROOT: '.' })
  t.ok(seconds('proxy_read_timeout') > readDeadlineMs / 1000 + MAX_WAIT_SECONDS, 'the service answers before the gateway gives up')
  t.ok(seconds('proxy_next_upstream_timeout') < seconds('proxy_read_timeout'), 'a silent replica is not followed by another')
  const pause = Number(pod.containers[0].lifecycle.preStop.exec.command[1])
  t.ok(pod.terminationGracePeriodSeconds >= pause + SHUTDOWN_SECONDS)
  for (const name of ['replica-a', 'replica-b']) t.ok(parseInt(compose.services[name].stop_grace_period) > SHUTDOWN_SECONDS)
})

t.test('settings are settings of the service', async t => {
  for (const settings of [compose.services['replica-a'].environment, kubernetes('configmap').data]) {
    const given = Object.fromEntries(Object.entries<string>(settings).map(([name, value]) => [name, value.replace(/^\$\{\w+:-(.*)\}$/, '$1')]))
    const config = readConfig({ ...given, ARTIFACT_ROOT: '.' })
    t.strictSame(config.trustProxy, { hops: 1 })
    const known = fs.readFileSync(path.join(PROJECT, 'src/config.ts'), 'utf8')
    for (const name of Object.keys(settings)) t.match(known, new RegExp(`^  ${name}: \\w`, 'm'), name)
  }
})

t.test('probes and names agree', async t => {
  const [{ livenessProbe, readinessProbe, startupProbe, ports }] = pod.containers
  t.equal(livenessProbe.httpGet.path, '/livez')
  t.equal(startupProbe.httpGet.path, '/livez')
  t.equal(readinessProbe.httpGet.path, '/readyz')
  const labels = kubernetes('deployment').spec.template.metadata.labels
  t.match(labels, kubernetes('service').spec.selector)
  t.match(labels, kubernetes('poddisruptionbudget').spec.selector.matchLabels)
  t.match(labels, kubernetes('networkpolicy').spec.podSelector.matchLabels)
  t.equal(kubernetes('service').spec.ports[0].targetPort, ports[0].name)
  for (const name of ['replica-a', 'replica-b']) {
    t.ok(nginx.includes(`server ${name}:8080 `), `the gateway knows ${name}`)
    t.ok(read('prometheus/prometheus.yml').includes(`${name}:8080`), `Prometheus knows ${name}`)
  }
})
