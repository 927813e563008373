import { spawnSync } from 'node:child_process'
import t from 'tap'
import { listen } from '../support/listen.ts'
import { eventually, type QueueKind, redisUrl } from '../support/world.ts'
import { openAlertedProject } from './alerting.ts'
import { missing, openAlertmanager } from './servers.ts'

const skip = missing('prometheus-alertmanager')

/** As its recipe has it, once with each way to bring the key. */
function configuration(url: string, key: string) {
  const receivers = { bearer: `authorization: { credentials: ${key} }`, basic: `basic_auth: { username: any, password: ${key} }` }

  return `
route:
  receiver: bearer
  group_by: [alertname]
  group_wait: 50ms
  group_interval: 300ms
  routes: [{ matchers: ['via="basic"'], receiver: basic }]
receivers:
${Object.entries(receivers)
  .map(([name, http]) => `- { name: ${name}, webhook_configs: [{ url: '${url}', send_resolved: true, http_config: { ${http} } }] }`)
  .join('\n')}
`
}

for (const kind of ['postgres', 'redis'] as QueueKind[]) {
  const why = skip || (kind === 'redis' && !redisUrl && 'there is no Redis')

  t.test(`a real Alertmanager fires and resolves alerts (${kind})`, { skip: why }, async t => {
    const { app, path, key, alerts } = await openAlertedProject(t, { kind, integration: { kind: 'prometheus', name: 'Metrics' } })
    const url = `${await listen(app)}${path}`
    const { address, fire } = await openAlertmanager(t, configuration(url, key))
    const startsAt = new Date(Date.now() - 60_000).toISOString()
    const aFiring = (alertname: string, instance: string, via: string) => ({
      labels: { alertname, instance, via, severity: 'warning' },
      annotations: { summary: `${alertname} at ${instance}` },
      generatorURL: 'http://prometheus:9090/graph?g0.expr=up+%3D%3D+0',
      startsAt
    })
    const firing = [aFiring('Down', 'a', 'bearer'), aFiring('Down', 'b', 'bearer'), aFiring('Full', 'c', 'basic')]

    await fire(firing)
    spawnSync('amtool', [
      '--alertmanager.url',
      address,
      'alert',
      'add',
      'ByHand',
      'via=bearer',
      'severity=info',
      '--annotation=summary=By hand'
    ])
    await eventually(async () => (await alerts()).length === 4, 'all four are there')

    const byTitle = async () => Object.fromEntries((await alerts()).map(alert => [alert.title, alert]))
    t.hasStrict(await byTitle(), {
      'Down at a': {
        status: 'triggered',
        severity: 'low',
        startedAt: new Date(startsAt),
        monitoringTool: 'Prometheus',
        metricExpression: 'up == 0'
      },
      'Down at b': { status: 'triggered' },
      'Full at c': { status: 'triggered' },
      'By hand': { status: 'triggered', severity: 'info', endedAt: null }
    })

    await fire(firing.slice(1).map(alert => ({ ...alert, endsAt: new Date().toISOString() })))
    await eventually(async () => (await alerts()).filter(({ status }) => status === 'resolved').length === 2, 'two are over')
    t.hasStrict(await byTitle(), {
      'Down at a': { status: 'triggered' },
      'Down at b': { status: 'resolved' },
      'Full at c': { status: 'resolved' }
    })
    t.equal((await alerts()).length, 4, 'and none is there twice')
  })
}
