import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { eventually, type QueueKind, redisUrl } from '../support/world.ts'
import { anAlertedProject } from './alerting.ts'

const program = 'prometheus-alertmanager'
const skip = spawnSync(program, ['--version']).error ? 'there is no prometheus-alertmanager' : false

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

async function anAlertmanager(t: Test, url: string, key: string) {
  const folder = mkdtempSync(join(tmpdir(), 'alertmanager-'))
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`

  writeFileSync(join(folder, 'config.yml'), configuration(url, key))
  const server = spawn(program, [
    `--config.file=${join(folder, 'config.yml')}`,
    `--storage.path=${folder}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--cluster.listen-address='
  ])

  t.teardown(() => {
    server.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  await eventually(
    () =>
      fetch(`${address}/-/ready`).then(
        ({ ok }) => ok,
        () => false
      ),
    'Alertmanager is ready'
  )

  return {
    address,
    fire: async (alerts: object[]) => {
      const response = await fetch(`${address}/api/v2/alerts`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(alerts)
      })

      if (!response.ok) throw new Error(await response.text())
    }
  }
}

function freePort() {
  return new Promise<number>(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }

      server.close(() => resolve(port))
    })
  })
}

for (const kind of ['postgres', 'redis'] as QueueKind[]) {
  const why = skip || (kind === 'redis' && !redisUrl && 'there is no Redis')

  t.test(`what a real Alertmanager fires and resolves is as it says (${kind})`, { skip: why }, async t => {
    const { app, path, key, alerts } = await anAlertedProject(t, { kind, integration: { kind: 'prometheus', name: 'Metrics' } })
    const { address, fire } = await anAlertmanager(t, `${await app.listen({ port: 0, host: '127.0.0.1' })}${path}`, key)
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
    t.match(await byTitle(), {
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
    t.match(await byTitle(), {
      'Down at a': { status: 'triggered' },
      'Down at b': { status: 'resolved' },
      'Full at c': { status: 'resolved' }
    })
    t.equal((await alerts()).length, 4, 'and none is there twice')
  })
}
