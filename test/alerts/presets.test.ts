import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import type { Alert } from '#alerts/alert.ts'
import { readMapping } from '#alerts/integrations/read-mapping.ts'
import { parsePayload } from '#alerts/parse/parse-payload.ts'
import { findPreset, mappingWith, presets, senderOf } from '#alerts/presets/presets.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { aWebhook, type Item, openAlertedProject } from './alerting.ts'

const folder = new URL('payloads/', import.meta.url)
const payload = (sender: string, step: string) => readFileSync(new URL(`${sender}/${step}.json`, folder), 'utf8')

/** The alert that each sender's payloads have to make, and when it ends. Values after the colon are those after the repetition. */
const senders: Record<string, { preset?: string; fired: Partial<Alert>; repeated?: Partial<Alert>; endedAt: string }> = {
  alertmanager: {
    fired: { title: '/dev/sda1 on db-1 will be full in four hours', severity: 'low', monitoringTool: 'Prometheus' },
    endedAt: '2026-11-21T10:12:30.123Z'
  },
  azure: {
    fired: {
      title: 'WCUS-R2-Gen2',
      description: 'CPU of the build agent',
      severity: 'low',
      hosts: ['wcus-r2-gen2'],
      service: 'Platform',
      startedAt: new Date('2026-11-21T10:00:24.371Z'),
      monitoringTool: 'Azure Monitor'
    },
    endedAt: '2026-11-21T10:20:16.224Z'
  },
  'cloudwatch-eventbridge': {
    preset: 'cloudwatch',
    fired: {
      title: 'ServerCpuTooHigh',
      severity: 'critical',
      service: 'AWS/EC2',
      startedAt: new Date('2026-11-21T10:00:00Z'),
      monitoringTool: 'Amazon CloudWatch'
    },
    endedAt: '2026-11-21T10:20:00.000Z'
  },
  'cloudwatch-sns': {
    preset: 'cloudwatch',
    fired: { title: 'QueueTooLong', severity: 'critical', service: 'AWS/SQS', startedAt: new Date('2026-11-21T10:00:00Z') },
    endedAt: '2026-11-21T10:20:00.000Z'
  },
  datadog: {
    fired: { title: 'CPU is high on web-3', severity: 'high', hosts: ['web-3'], startedAt: new Date('2026-11-21T10:00:00Z') },
    endedAt: '2026-11-21T11:20:00.000Z'
  },
  gcp: {
    fired: {
      title: 'Busy machines: CPU utilization above 80 %',
      description: 'CPU utilization for internal-project gke-cluster-1 is above the threshold of 0.8 with a value of 0.91.',
      severity: 'medium',
      hosts: ['gke-cluster-1-16-default-pool-e2df4cbd-dgp3'],
      service: 'VM Instance',
      startedAt: new Date('2026-11-21T10:00:00Z')
    },
    repeated: { description: 'CPU utilization for internal-project gke-cluster-1 is above the threshold of 0.8 with a value of 0.93.' },
    endedAt: '2026-11-21T11:00:00.000Z'
  },
  grafana: {
    fired: { title: 'p95 of the checkout is above 2 s', severity: 'high', monitoringTool: 'Grafana' },
    endedAt: '2026-11-21T10:15:00.000Z'
  },
  'grafana-8': {
    fired: {
      title: 'Mail queue alert',
      description: 'The queue of the mailer is growing.',
      severity: 'critical',
      monitoringTool: 'Grafana'
    },
    endedAt: 'receipt'
  },
  icinga2: {
    fired: {
      title: 'Disk /var on db-2.example.com is WARNING',
      severity: 'medium',
      service: 'Disk /var',
      hosts: ['db-2', '10.0.0.12'],
      startedAt: new Date('2026-11-21T10:00:00.417Z')
    },
    repeated: { title: 'Disk /var on db-2.example.com is CRITICAL', severity: 'critical' },
    endedAt: '2026-11-21T11:00:00.500Z'
  },
  'new-relic': {
    fired: {
      title: "shop query result is > 1.0 for 1 minutes on 'Server Low Storage'",
      description: 'Server Low Storage (Golden Signals)',
      severity: 'critical',
      service: 'Golden Signals',
      hosts: ['shop', 'mail'],
      startedAt: new Date('2026-11-21T10:00:00.352Z')
    },
    endedAt: '2026-11-21T11:00:00.699Z'
  },
  opsgenie: {
    fired: {
      title: 'Checkout fails',
      description: 'Three of five test orders failed.',
      severity: 'high',
      service: 'checkout',
      startedAt: new Date('2026-11-21T10:00:00.123Z')
    },
    endedAt: '2026-11-21T11:00:00.000Z'
  },
  pagerduty: {
    fired: {
      title: 'A little bump in the road',
      description: 'Incident 2: https://acme.pagerduty.com/incidents/PGR0VU2',
      severity: 'critical',
      service: 'API Service',
      startedAt: new Date('2026-11-21T10:00:00Z')
    },
    endedAt: '2026-11-21T10:45:00.300Z'
  },
  prometheus: {
    fired: {
      title: 'Instance db-1:9100 is down',
      severity: 'critical',
      metricExpression: 'up{job="node"} == 0',
      monitoringTool: 'Prometheus'
    },
    endedAt: '2026-11-21T10:17:11.042Z'
  },
  sentry: {
    fired: {
      title: 'ReferenceError: heck is not defined',
      description: 'pay(checkout)',
      severity: 'high',
      environment: 'production',
      startedAt: new Date('2026-11-21T10:00:00.912Z')
    },
    endedAt: 'receipt'
  },
  'sentry-metric-alert': {
    preset: 'sentry',
    fired: { title: 'Too many errors', severity: 'medium', service: 'shop', startedAt: new Date('2026-11-21T10:00:00Z') },
    repeated: { severity: 'critical' },
    endedAt: '2026-11-21T10:40:00.000Z'
  },
  'uptime-kuma': {
    fired: {
      title: 'Web shop is down',
      description: 'connect ECONNREFUSED 203.0.113.7:443',
      severity: 'critical',
      service: 'Web shop',
      hosts: ['https://shop.example.com'],
      startedAt: new Date('2026-11-21T10:00:00.417Z')
    },
    endedAt: '2026-11-21T10:07:00.118Z'
  },
  zabbix: {
    fired: {
      title: 'High CPU utilization (over 90% for 5m)',
      severity: 'low',
      service: 'Databases',
      hosts: ['db-2'],
      monitoringTool: 'Zabbix'
    },
    repeated: { severity: 'high' },
    endedAt: 'receipt'
  }
}

t.test('every sender fires, repeats and recovers with its preset', async t => {
  const { call, app, project, platform, alerts } = await openAlertedProject(t)

  for (const [sender, { preset = sender, fired, repeated, endedAt }] of Object.entries(senders)) {
    const { status, body: integration } = await call('POST', `/projects/${project.id}/alert_integrations`, { name: sender, preset })
    const send = async (step: string) => {
      const { pathname } = new URL(integration.url)
      const headers = { authorization: `Bearer ${integration.token}`, 'content-type': 'application/json' }

      return (await app.inject({ method: 'POST', url: pathname, payload: payload(sender, step), headers })).json()
    }
    const sentAlerts = async () => (await alerts()).filter(({ integrationId }) => integrationId === integration.id)

    t.equal(status, 201, sender)
    t.equal(integration.preset, preset)
    t.equal((await send('recover')).length, 0, `${sender}: a recovery opens no alert`)
    t.equal((await send('fire')).length, 1)
    hasExactly(t, await sentAlerts(), [{ ...fired, status: 'triggered', events: 1, endedAt: null }], `${sender} fires`)
    t.equal((await send('repeat')).length, 1)
    hasExactly(t, await sentAlerts(), [{ ...fired, ...repeated, status: 'triggered', events: 2 }], `${sender} repeats`)
    t.equal((await send('recover')).length, 1)
    const [alert] = await sentAlerts()
    hasExactly(t, await sentAlerts(), [{ ...fired, ...repeated, status: 'resolved', events: 2 }], `${sender} recovers`)
    if (endedAt === 'receipt') t.same(alert!.endedAt, alert!.updatedAt)
    else t.equal(alert!.endedAt?.toISOString(), endedAt)
    t.same(await send('recover'), [], `${sender}: a second recovery changes nothing`)
  }
  const { rows } = await platform.pool.query('SELECT count(*)::int AS count FROM alerts')
  t.same(rows, [{ count: Object.keys(senders).length }])
})

t.test('the labels of a metrics alert are its service, environment, hosts and runbook', async t => {
  const labels = {
    alertname: 'HighLatency',
    service: 'checkout',
    environment: 'production',
    cluster: 'eu-1',
    namespace: 'shop',
    instance: 'web-1:9100'
  }
  const item = {
    status: 'firing',
    labels,
    annotations: { runbook_url: 'https://wiki.example.com/latency' },
    startsAt: '2026-11-21T10:00:00Z',
    endsAt: '0001-01-01T00:00:00Z'
  }

  for (const preset of ['alertmanager', 'grafana', 'prometheus']) {
    const parse = (item: object) =>
      parsePayload(JSON.stringify(aWebhook([item as Item])), {
        receivedAt: new Date(),
        mapping: mappingWith(preset, {}),
        isFingerprinting: true
      }).alerts

    hasExactly(t, parse(item), [
      {
        title: 'HighLatency',
        service: 'checkout',
        environment: 'production',
        hosts: ['web-1:9100'],
        runbook: 'https://wiki.example.com/latency'
      }
    ])
    t.same(parse(item)[0]!.labels.slice(0, 4), ['alertname=HighLatency', 'cluster=eu-1', 'namespace=shop', 'instance=web-1:9100'])
    hasExactly(t, parse({ ...item, labels: { ...labels, environment: undefined } }), [{ environment: 'eu-1' }])
  }
})

t.test('no payload of a sender is a misfit for its own preset, and each is one for that of another kind', t => {
  for (const [sender, { preset = sender }] of Object.entries(senders)) {
    for (const step of ['fire', 'recover']) {
      const read = (kind: 'http' | 'prometheus', name: string | null) =>
        parsePayload(payload(sender, step), { receivedAt: new Date(), mapping: {}, isFingerprinting: true, sender: senderOf(kind, name) })
          .misfit
      const isMetrics = findPreset(preset)!.kind === 'prometheus'

      t.equal(read('http', preset), undefined, `${sender} ${step}`)
      t.equal(read('http', null), undefined, `${sender} ${step} without a preset`)
      if (isMetrics) t.same(read('http', 'pagerduty'), { missing: [], readAs: 'alertmanager' }, sender)
      else t.equal(read('prometheus', null)?.readAs, 'json', sender)
    }
  }
  t.end()
})

t.test('every preset has payloads, and a mapping that the API accepts', async t => {
  const tested = Object.entries(senders).map(([sender, { preset = sender }]) => preset)

  t.same(readdirSync(folder).sort(), Object.keys(senders).sort())
  t.same([...new Set(tested)].sort(), presets.map(({ name }) => name).sort())
  for (const { name, mapping } of presets) t.same(readMapping(mapping), mapping, name)
})

t.test('notifications that are neither an occurrence nor a recovery are skipped', async t => {
  const skipped: [string, string, (text: string) => string][] = [
    ['zabbix', 'zabbix', text => text.replace('"event_update_status": "0"', '"event_update_status": "1"')],
    ['uptime-kuma', 'uptime-kuma', text => text.replace('"status": 0', '"status": 2')],
    ['uptime-kuma', 'uptime-kuma', text => text.replace('"status": 0', '"status": 3')],
    ['cloudwatch', 'cloudwatch-eventbridge', text => text.replace('"value": "ALARM"', '"value": "INSUFFICIENT_DATA"')],
    ['cloudwatch', 'cloudwatch-eventbridge', text => text.replace('Alarm State Change', 'Alarm Configuration Change')],
    ['cloudwatch', 'cloudwatch-sns', text => text.replace('NewStateValue\\":\\"ALARM', 'NewStateValue\\":\\"INSUFFICIENT_DATA')],
    ['pagerduty', 'pagerduty', text => text.replace('incident.triggered', 'incident.acknowledged')],
    ['opsgenie', 'opsgenie', text => text.replace('"Create"', '"Acknowledge"')],
    ['icinga2', 'icinga2', text => text.replace('PROBLEM', 'ACKNOWLEDGEMENT')],
    ['sentry', 'sentry', text => text.replace('"triggered"', '"assigned"')],
    ['grafana-8', 'grafana-8', text => text.replace('"alerting"', '"paused"')],
    ['new-relic', 'new-relic', text => text.replace('ACTIVATED', 'ACKNOWLEDGED')]
  ]

  for (const [preset, sender, change] of skipped) {
    const text = payload(sender, 'fire')
    const parse = (text: string) =>
      parsePayload(text, { receivedAt: new Date(), mapping: mappingWith(preset, {}), isFingerprinting: true }).alerts.length

    t.not(change(text), text)
    t.same([parse(text), parse(change(text))], [1, 0], sender)
  }
})

t.test('raw messages of SNS, test notifications of Uptime Kuma and former payloads of New Relic are alerts', async t => {
  const parse = (preset: string, text: string) =>
    parsePayload(text, { receivedAt: new Date(), mapping: mappingWith(preset, {}), isFingerprinting: true }).alerts
  const raw = (step: string) => JSON.parse(payload('cloudwatch-sns', step)).Message
  const former = (state: string) =>
    JSON.stringify({
      current_state: state,
      incident_id: 163450695,
      condition_name: 'All',
      details: 'It failed',
      severity: 'CRITICAL',
      timestamp: 1795255200876
    })

  hasExactly(t, parse('cloudwatch', raw('fire')), [{ title: 'QueueTooLong', endedAt: undefined }])
  hasExactly(t, parse('cloudwatch', raw('recover')), [{ endedAt: new Date('2026-11-21T10:20:00Z') }])
  hasExactly(t, parse('uptime-kuma', '{"heartbeat": null, "monitor": null, "msg": "Tocsin Testing"}'), [
    { title: 'Tocsin Testing', endedAt: undefined }
  ])
  hasExactly(t, parse('new-relic', former('open')), [{ title: 'All', description: 'It failed', severity: 'critical', endedAt: undefined }])
  hasExactly(t, parse('new-relic', former('closed')), [{ endedAt: new Date('2026-11-21T10:00:00.876Z') }])
})

t.test("an integration's own mapping overrides the preset, and the preset can be changed and removed", async t => {
  const { call, project, app, alerts } = await openAlertedProject(t)
  const path = `/projects/${project.id}/alert_integrations`
  const { body: integration } = await call('POST', path, { name: 'AM', preset: 'alertmanager' })

  hasExactly(t, integration, { type: 'prometheus', preset: 'alertmanager', payload_attribute_mappings: {} })
  hasExactly(t, await call('POST', path, { name: 'AM', preset: 'alertmanager', type: 'http' }), { status: 201, body: { type: 'http' } })
  t.match(await call('POST', path, { name: 'AM', preset: 'pigeon' }), { status: 400, body: { error: /preset/ } })
  const title = { title: [['event', 'data', 'number']] }
  hasExactly(t, await call('PUT', `${path}/${integration.id}`, { preset: 'pagerduty', payload_attribute_mappings: title }), {
    status: 200,
    body: { preset: 'pagerduty', payload_attribute_mappings: title }
  })
  const send = (step: string) =>
    app.inject({
      method: 'POST',
      url: new URL(integration.url).pathname,
      payload: payload('pagerduty', step),
      headers: { authorization: `Bearer ${integration.token}` }
    })

  t.same((await send('fire')).json(), [{ iid: 1, title: '2' }])
  await send('recover')
  hasExactly(t, await alerts(), [{ title: '2', service: 'API Service', status: 'resolved' }])
  hasExactly(t, await call('PUT', `${path}/${integration.id}`, { preset: null }), { status: 200, body: { preset: null } })
  t.same((await send('recover')).json(), [{ iid: 2, title: '2' }], 'without the preset, a recovery is an alert')
})
