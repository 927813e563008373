import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import t from 'tap'
import { Heartbeat } from '#platform/observability/heartbeat.ts'
import { openRegistry } from '#platform/observability/metrics.ts'
import { workerMetrics } from '#platform/observability/worker-metrics.ts'
import { openApp } from '../support/world.ts'

const folder = join(import.meta.dirname, '../../docs/monitoring')
const rules = (load(readFileSync(join(folder, 'alerts.yml'), 'utf8')) as { groups: { rules: { alert: string; expr: string }[] }[] }).groups
const dashboard = JSON.parse(readFileSync(join(folder, 'grafana.json'), 'utf8')) as {
  panels: { id: number; title: string; targets: { expr: string }[] }[]
}
const promtool = !spawnSync('promtool', ['--version']).error

t.test('the alert rules and the dashboard name metrics that exist', async t => {
  const { app, platform } = await openApp(t)
  const registry = openRegistry('worker')
  const heartbeat = new Heartbeat(platform.pool, registry, platform.log, { name: 'worker.1', role: 'worker', queues: ['errors'] })

  workerMetrics(registry)
  await heartbeat.beat()
  const { body } = await app.inject({ url: '/-/metrics' })
  const declared = new Map([...body.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => [name!, type!]))
  const expressions = [
    ...rules.flatMap(({ rules }) => rules.map(({ alert, expr }) => ({ of: alert, expr }))),
    ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ of: title, expr })))
  ]

  t.ok(expressions.length > 30)
  for (const { of, expr } of expressions) {
    for (const [name] of expr.matchAll(/\b(tocsin|process|nodejs)_\w+/g)) t.ok(isDeclared(declared, name), `${of}: ${name}`)
  }
  await heartbeat.stop()
})

t.test('a total is a counter, and nothing else ends like one', async t => {
  const { app } = await openApp(t)
  const { body } = await app.inject({ url: '/-/metrics' })
  const own = [...body.matchAll(/^# TYPE (tocsin_\w+) (\w+)$/gm)].map(([, name, type]) => ({ name: name!, type: type! }))

  t.ok(own.length > 10)
  for (const { name, type } of own) t.equal(type === 'counter', name.endsWith('_total'), `${name} is a ${type}`)
})

t.test('panels of the dashboard have ids of their own', async t => {
  t.equal(new Set(dashboard.panels.map(({ id }) => id)).size, dashboard.panels.length)
})

t.test('promtool accepts the alert rules', { skip: !promtool && 'promtool is not installed' }, async t => {
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', join(folder, 'alerts.yml')], { encoding: 'utf8' })

  t.equal(status, 0, `${stdout}${stderr}`)
})

/** Of a histogram, its parts. */
function isDeclared(declared: Map<string, string>, name: string) {
  return declared.has(name) || declared.get(name.replace(/_(bucket|sum|count)$/, '')) === 'histogram'
}
