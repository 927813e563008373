import { createServer } from 'node:http'
import t, { type Test } from 'tap'
import { recipesFor } from '#pages/alert-integrations/connect/recipes.ts'
import { listen } from '../support/listen.ts'
import { eventually, type QueueKind, redisUrl } from '../support/world.ts'
import { openAlertedProject } from './alerting.ts'
import { freePort, missing, openAlertmanager, openPrometheus } from './servers.ts'

const names = 25
const instances = 20

/** A project with a metrics integration, and what its recipe page says, with the waits made short. */
async function openRecipe(t: Test, kind: QueueKind) {
  const world = await openAlertedProject(t, { kind, integration: { kind: 'prometheus', name: 'Metrics' } })
  const url = `${await listen(world.app)}${world.path}`
  const blocks = recipesFor('prometheus', { url, key: world.key }).flatMap(({ blocks }) => blocks)
  const text = (name: string) => blocks.find(block => block.name.startsWith(name))!.text

  return {
    ...world,
    alertmanager: text('alertmanager.yml').replace('10s', '100ms').replace('1m', '300ms').replace('4h', '1s'),
    prometheus: text('prometheus.yml'),
    rules: text('tocsin.rules.yml').replace('2m', '0s')
  }
}

for (const kind of ['postgres', 'redis'] as QueueKind[]) {
  const noRedis = kind === 'redis' && !redisUrl && 'there is no Redis'

  t.test(
    `500 alerts are as Alertmanager says, through a restart and repeats (${kind})`,
    { skip: missing('prometheus-alertmanager') || noRedis },
    async t => {
      const { alertmanager, alerts, platform, project } = await openRecipe(t, kind)
      const { fire, active, restart } = await openAlertmanager(t, alertmanager)
      const startsAt = new Date(Date.now() - 60_000).toISOString()
      const all = Array.from({ length: names * instances }, (_, n) => {
        const labels = { alertname: `Rule ${n % names}`, instance: `host-${n}`, severity: 'critical' }

        return { labels, annotations: { title: `${labels.alertname} at ${labels.instance}` }, startsAt }
      })
      const over = (given: typeof all) => given.map(alert => ({ ...alert, endsAt: new Date().toISOString() }))
      const isAsItSays = async () => {
        const firing = (await active()).map(({ labels }) => `${labels.alertname} at ${labels.instance}`).sort()
        const triggeredTitles = (await alerts()).filter(({ status }) => status === 'triggered').map(({ title }) => title)

        return JSON.stringify(triggeredTitles.sort()) === JSON.stringify(firing) && firing.length
      }
      const events = async () => {
        const { rows } = await platform.pool.query('SELECT sum(events)::int AS events FROM alerts WHERE project_id = $1', [project.id])

        return rows[0].events as number
      }

      await fire(all)
      t.ok(await eventually(async () => (await isAsItSays()) === 500, 'all fire'))
      await fire(over(all.slice(0, 200)))
      t.ok(await eventually(async () => (await isAsItSays()) === 300, 'some are over'))

      const before = await events()
      await restart()
      await fire(all.slice(200))
      t.ok(await eventually(async () => (await events()) >= before + 300, 'the other alerts are sent again'))
      t.equal(await isAsItSays(), 300)

      await fire(all.slice(0, 50))
      t.ok(await eventually(async () => (await isAsItSays()) === 350, 'some come back'))
      await fire(over(all))
      t.ok(
        await eventually(
          async () => (await isAsItSays()) === 0 && (await alerts()).every(({ status }) => status === 'resolved'),
          'all are over'
        )
      )

      const found = await alerts()
      t.equal(new Set(found.map(({ iid }) => iid)).size, found.length)
      t.equal(found.at(-1)?.iid, found.length, 'numbered without a gap')
      t.equal(new Set(found.map(({ title }) => title)).size, 500)
    }
  )
}

t.test(
  'a rule of a real Prometheus is an alert, until what it watches is up',
  { skip: missing('prometheus', 'prometheus-alertmanager') },
  async t => {
    const { alertmanager, prometheus, rules, alerts } = await openRecipe(t, 'postgres')
    const { address } = await openAlertmanager(t, alertmanager)
    const port = await freePort()

    await openPrometheus(t, {
      'tocsin.rules.yml': rules,
      'prometheus.yml': `global: { scrape_interval: 300ms, scrape_timeout: 200ms, evaluation_interval: 300ms }
scrape_configs: [{ job_name: shop, static_configs: [{ targets: ['127.0.0.1:${port}'] }] }]
${prometheus.replace('localhost:9093', new URL(address).host)}`
    })
    const [alert] = await eventually(async () => ((await alerts()).length > 0 ? alerts() : undefined), 'it fires')
    t.hasStrict(alert, {
      title: `127.0.0.1:${port} is down`,
      description: 'shop has not answered for two minutes.',
      status: 'triggered',
      severity: 'critical',
      metricExpression: 'up == 0',
      runbook: 'https://example.com/runbooks/instance-down'
    })

    const shop = createServer((_request, response) => response.end('requests_total 1\n')).listen(port, '127.0.0.1')

    t.teardown(() => shop.close())
    t.ok(await eventually(async () => (await alerts())[0]?.status === 'resolved', 'it is over'))
    t.equal((await alerts()).length, 1)
  }
)
