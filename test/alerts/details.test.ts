import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { readDetails } from '#alerts/details/read-details.ts'
import { parsePayload } from '#alerts/parse/parse-payload.ts'
import { presets } from '#alerts/presets/presets.ts'

const folder = new URL('payloads/', import.meta.url)
const options = { receivedAt: new Date('2026-11-21T10:00:00Z'), mapping: {}, isFingerprinting: true }

/** Read as intake stores it. */
function detailsOf(sender: string) {
  const [alert] = parsePayload(readFileSync(new URL(`${sender}/fire.json`, folder), 'utf8'), options).alerts

  return readDetails(alert!.kind, alert!.payload)
}

t.test('labels and links are read from the payloads of every sender', async t => {
  const source = (url: string) => ({ kind: 'source', url })
  const expected: Record<string, { labels: string[]; links: object[] }> = {
    alertmanager: {
      labels: ['alertname=DiskWillFillSoon', 'device=/dev/sda1', 'severity=warning', 'team=storage'],
      links: [source('http://vmalert.example.com/alert?id=7')]
    },
    azure: { labels: ['ResourceId=3efad9dc-3d50-4eac-9c87-8b3fd6f97e4e'], links: [] },
    'cloudwatch-eventbridge': { labels: ['InstanceId=i-12345678901234567'], links: [] },
    'cloudwatch-sns': { labels: ['QueueName=orders'], links: [] },
    datadog: {
      labels: ['env=production', 'host=web-3', 'tags=monitor'],
      links: [source('https://app.datadoghq.eu/monitors/14712390?group=host%3Aweb-3')]
    },
    gcp: {
      labels: [
        'team=platform',
        'instance_id=11223344',
        'project_id=internal-project',
        'zone=us-central1-c',
        'instance_name=gke-cluster-1-16-default-pool-e2df4cbd-dgp3'
      ],
      links: [source('https://console.cloud.google.com/monitoring/alerting/incidents/0.opqiw61fsv7p?project=internal-project')]
    },
    grafana: {
      labels: ['alertname=High latency', 'grafana_folder=Shop', 'severity=high'],
      links: [
        { kind: 'dashboard', url: 'https://grafana.example.com/d/k2h1?orgId=1' },
        { kind: 'panel', url: 'https://grafana.example.com/d/k2h1?orgId=1&viewPanel=4' },
        source('https://grafana.example.com/alerting/grafana/fdx8k2h1/view?orgId=1'),
        {
          kind: 'silence',
          url: 'https://grafana.example.com/alerting/silence/new?alertmanager=grafana&matcher=alertname%3DHigh+latency'
        }
      ]
    },
    'grafana-8': { labels: ['team=mail'], links: [source('https://grafana.example.com/d/mail/mailer?tab=alert&viewPanel=4&orgId=1')] },
    icinga2: { labels: [], links: [] },
    'new-relic': {
      labels: [],
      links: [
        source('https://radar-api.service.newrelic.com/accounts/4420147/issues/c5faa7e6-7b54-402d-af79-f99601e0278c?notifier=WEBHOOK')
      ]
    },
    opsgenie: { labels: ['tags=shop', 'tags=production', 'region=eu'], links: [] },
    pagerduty: { labels: [], links: [source('https://acme.pagerduty.com/incidents/PGR0VU2')] },
    sentry: {
      labels: ['browser=Chrome 119.0', 'environment=production', 'level=error'],
      links: [source('https://sentry.io/organizations/acme/issues/1170820242/events/e4874d664c3540c1a32eab185f12c5ab/')]
    },
    'sentry-metric-alert': { labels: [], links: [source('https://sentry.io/organizations/acme/alerts/rules/details/7/?alert=1')] },
    'uptime-kuma': { labels: ['tags=production'], links: [source('https://shop.example.com')] },
    zabbix: { labels: ['scope=performance'], links: [] }
  }

  for (const sender of readdirSync(folder).filter(name => name !== 'prometheus')) {
    const { labels, links } = detailsOf(sender)

    t.same({ labels: labels.map(pair => pair.join('=')), links }, expected[sender], sender)
  }
  t.ok(
    presets.every(({ name }) => readdirSync(folder).some(sender => sender.startsWith(name))),
    'every preset has a payload'
  )
})

t.test('only web addresses are links, whichever member names them', async t => {
  const read = (payload: object) => readDetails('generic', JSON.stringify(payload)).links

  for (const url of ['javascript:alert(1)', 'data:text/html,x', '//example.com', 'https://', ' ', 7, { a: 1 }, ['https://x.example']])
    t.same(read({ runbook: url, link: url }), [], String(url))
  t.same(read({ runbook: 'see the wiki', runbook_url: 'https://wiki.example.com/a' }), [
    { kind: 'runbook', url: 'https://wiki.example.com/a' }
  ])
})

t.test('all other members are fields, with their paths and without what the page shows elsewhere', async t => {
  const payload = {
    title: 'Disk full',
    hosts: ['db-1'],
    region: 'eu',
    empty: '',
    nothing: null,
    checks: [{ name: 'disk', free: 0 }],
    text: '{"nested": true}',
    link: 'https://example.com/1',
    labels: { team: 'storage', owner: { name: 'Ann' } },
    annotations: { hint: 'Delete old logs.' }
  }
  const { fields, labels, annotations } = readDetails('generic', JSON.stringify(payload))

  t.same(fields, [
    ['region', 'eu'],
    ['checks[0].name', 'disk'],
    ['checks[0].free', '0'],
    ['text.nested', 'true']
  ])
  t.same(labels, [
    ['team', 'storage'],
    ['owner', '{"name":"Ann"}']
  ])
  t.same(annotations, [['hint', 'Delete old logs.']])
})
