import { createHash } from 'node:crypto'
import t from 'tap'
import { customFields } from '#alerts/parse/custom-fields.ts'
import { applyMapping } from '#alerts/parse/mapping.ts'
import { parsePayload } from '#alerts/parse/parse-payload.ts'
import type { ParseOptions } from '#alerts/parse/parsed-alert.ts'
import { payloadReader } from '#alerts/parse/payload-reader.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { anItem, aWebhook, type Item } from './alerting.ts'

const receivedAt = new Date('2026-11-21T12:00:00Z')
const read = (payload: unknown, given: Partial<ParseOptions> = {}) =>
  parsePayload(JSON.stringify(payload), { receivedAt, mapping: {}, isFingerprinting: true, ...given })
const readOne = (payload: unknown, given: Partial<ParseOptions> = {}) => read(payload, given).alerts[0]!
const readItem = (members: Item, given: Partial<ParseOptions> = {}) => readOne(aWebhook([anItem(members)]), given)
const sha1 = (text: string) => createHash('sha1').update(text).digest('hex')

t.test('a generic payload sets every attribute, and none is required', async t => {
  const payload = {
    title: 'Down',
    description: 'The shop is down.',
    start_time: '2026-11-21T12:00:00+02:00',
    service: 'shop',
    monitoring_tool: 'Uptime',
    hosts: ['a', 'b'],
    severity: 'HIGH',
    service_environment_name: 'production',
    fingerprint: 'shop-down',
    region: { name: 'eu', zones: [1, 2] }
  }

  hasExactly(t, readOne(payload), {
    kind: 'generic',
    title: 'Down',
    description: 'The shop is down.',
    startedAt: new Date('2026-11-21T10:00:00Z'),
    endedAt: undefined,
    service: 'shop',
    monitoringTool: 'Uptime',
    hosts: ['a', 'b'],
    severity: 'high',
    environment: 'production',
    fingerprint: sha1('shop-down'),
    payload: JSON.stringify(payload)
  })
  t.same(customFields('generic', JSON.stringify(payload)), { region: payload.region })
  hasExactly(t, readOne({}), { title: 'New: Alert', startedAt: receivedAt, severity: 'critical', hosts: [], fingerprint: undefined })
  t.equal(readOne({ gitlab_environment_name: 'staging' }).environment, 'staging')
})

t.test('labels are read from each form in which senders give them, the usual ones first', async t => {
  const labels = (payload: object) => readOne(payload).labels

  t.same(labels({ labels: { zone: 'a', team: 'blue' }, cluster: 'eu' }), ['cluster=eu', 'team=blue', 'zone=a'])
  t.same(labels({ tags: ['env:prod', 'urgent'], labels: [{ name: 'host', value: 'db-1' }] }), ['host=db-1', 'env=prod', 'tags=urgent'])
  t.same(labels({ team: { name: 'blue' }, labels: { a: null, b: '' }, title: 'Down' }), [])
  t.same(readItem({ labels: { job: 'node', alertname: 'Down' } }).labels, ['alertname=Down', 'job=node'])
  t.equal(labels({ labels: Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`l${n}`, 'x'.repeat(1000)])) }).length, 50)
  t.equal(labels({ labels: { a: 'x'.repeat(1000) } })[0]!.length, 255)
})

t.test('the runbook is read from the names that rules of Prometheus and webhooks give it', async t => {
  t.equal(readItem({ annotations: { runbook_url: 'https://wiki/a' } }).runbook, 'https://wiki/a')
  t.equal(readItem({ annotations: { runbook: 'see the wiki' } }).runbook, 'see the wiki')
  t.equal(readOne({ runbook_url: 'https://wiki/b' }).runbook, 'https://wiki/b')
  t.equal(readOne({ runbook_url: 'javascript:alert(1)' }).runbook, undefined)
})

t.test('times are accepted in many formats', async t => {
  const times: [unknown, string][] = [
    ['2026-11-21T10:00:00Z', '2026-11-21T10:00:00.000Z'],
    ['2026-11-21T10:00:00.123456789+05:30', '2026-11-21T04:30:00.123Z'],
    ['2026-11-21 10:00:00 -0800', '2026-11-21T18:00:00.000Z'],
    ['2026-11-21 10:00:00 UTC', '2026-11-21T10:00:00.000Z'],
    ['2026-11-21T10:00:00', '2026-11-21T10:00:00.000Z'],
    ['2026-11-21T10:00:00.000+0000', '2026-11-21T10:00:00.000Z'],
    [' 2026-11-21 ', '2026-11-21T00:00:00.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['20261121T100000Z', '2026-11-21T10:00:00.000Z'],
    ['20261121T100000.5+0200', '2026-11-21T08:00:00.500Z'],
    ['20261121T1000Z', '2026-11-21T10:00:00.000Z'],
    ['20261121T100000', '2026-11-21T10:00:00.000Z'],
    ['20261121', '2026-11-21T00:00:00.000Z'],
    ['2026/11/21', '2026-11-21T00:00:00.000Z'],
    ['2026/11/21 10:00:00', '2026-11-21T10:00:00.000Z'],
    ['2026/11/21 10:00:00 +0100', '2026-11-21T09:00:00.000Z'],
    ['2026.11.21', '2026-11-21T00:00:00.000Z'],
    ['2026.11.21 10:00:00', '2026-11-21T10:00:00.000Z'],
    ['Sat, 21 Nov 2026 10:00:00 GMT', '2026-11-21T10:00:00.000Z'],
    ['Sat, 21 Nov 2026 10:00:00 +0100', '2026-11-21T09:00:00.000Z'],
    ['21 Nov 2026 10:00:00 +0000', '2026-11-21T10:00:00.000Z'],
    ['1 Nov 2026 10:00 -0130', '2026-11-01T11:30:00.000Z'],
    ['21 Nov 2026 10:00:00 +0000 (UTC)', '2026-11-21T10:00:00.000Z'],
    ['Sat Nov 21 2026 11:00:00 GMT+0100 (Central European Standard Time)', '2026-11-21T10:00:00.000Z'],
    [1795255200, '2026-11-21T10:00:00.000Z'],
    [1795255200.5, '2026-11-21T10:00:00.500Z'],
    [1795255200000, '2026-11-21T10:00:00.000Z'],
    [1795255200000000, '2026-11-21T10:00:00.000Z'],
    [1795255200000000000, '2026-11-21T10:00:00.000Z'],
    ['1795255200', '2026-11-21T10:00:00.000Z'],
    ['1795255200000', '2026-11-21T10:00:00.000Z'],
    ['1795255200.25', '2026-11-21T10:00:00.250Z']
  ]

  for (const [given, expected] of times) {
    t.equal(readOne({ end_time: given }).endedAt?.toISOString(), expected, JSON.stringify(given))
    t.equal(readOne({ start_time: given }).startedAt.toISOString(), expected)
  }
})

t.test('an end time that is unreadable or impossible resolves at the time of receipt', async t => {
  const unreadable = [
    'soon',
    '2026-02-29T10:00:00Z',
    '2026-02-30',
    '2026/13/01',
    '2026.00.10',
    '2026-04-00',
    '20260431T100000Z',
    '31 Apr 2026 10:00:00 +0000',
    'Sat, 21 Foo 2026 10:00:00 GMT',
    '2026-11-21T24:30:00Z',
    '2026-11-21T10:60:00Z',
    '2026-11-21T10:00:61Z',
    '99999-01-01T00:00:00Z',
    'x'.repeat(1000),
    1e300,
    true,
    { at: 1 },
    ['soon']
  ]

  for (const end of unreadable) {
    t.same(readOne({ end_time: end }).endedAt, receivedAt, JSON.stringify(end).slice(0, 50))
    t.same(readOne({ start_time: end }).startedAt, receivedAt)
  }
  t.same(readOne({ over: 'soon' }, { mapping: { end_time: [['over']] } }).endedAt, receivedAt)
  t.same(readItem({ over: 'soon' }, { mapping: { end_time: [['over']] } }).endedAt, receivedAt)
})

t.test('an empty end time and a placeholder for "never" do not resolve', async t => {
  for (const end of ['0001-01-01T00:00:00Z', '0000-00-00 00:00:00', '1970-01-01T00:00:00Z', 0, '0', -1, '', ' ', null, false, []]) {
    t.equal(readOne({ end_time: end }).endedAt, undefined, JSON.stringify(end))
    t.same(readOne({ start_time: end }).startedAt, receivedAt)
    t.equal(readItem({ over: end }, { mapping: { end_time: [['over']] } }).endedAt, undefined)
  }
})

t.test('long texts are truncated, and values of the wrong type are converted where possible', async t => {
  const long = readOne({
    title: 'x'.repeat(500),
    description: `${'x'.repeat(998)}🔥🔥`,
    service: 's'.repeat(101),
    monitoring_tool: 'm'.repeat(101),
    hosts: ['h'.repeat(200), [['i'.repeat(100)], 'j'], 'k']
  })

  t.equal(long.title, `${'x'.repeat(199)}…`)
  t.equal(long.description, `${'x'.repeat(998)}…`, 'not through the middle of a character')
  t.equal(long.service!.length, 100)
  t.equal(long.monitoringTool!.length, 100)
  t.same(
    long.hosts.map(host => host.length),
    [200, 55]
  )
  hasExactly(t, readOne({ title: 5, service: true, hosts: 'one' }), { title: '5', service: 'true', hosts: ['one'] })
  hasExactly(t, readOne({ title: { a: 1 }, severity: 5, hosts: { a: 1 }, service: ['x'] }), {
    title: 'New: Alert',
    severity: 'critical',
    hosts: [],
    service: undefined
  })
  t.equal(readOne({ title: ' a\0b\ud800 ' }).title, 'ab\ufffd')
})

t.test('severities have synonyms only in metrics payloads, and unknown ones are critical', async t => {
  const synonyms = {
    critical: ['critical', 's1', 'p1', 'emergency', 'fatal', 'none of these', undefined],
    high: ['high', 's2', 'p2', 'major', 'page'],
    medium: ['medium', 's3', 'p3', 'error', 'alert'],
    low: ['low', 's4', 'p4', 'warn', 'warning'],
    info: ['info', 's5', 'p5', 'debug', 'information', 'notice'],
    unknown: ['unknown']
  }

  for (const [severity, names] of Object.entries(synonyms)) {
    for (const name of names) t.equal(readItem({ labels: { alertname: 'a', severity: name?.toUpperCase() } }).severity, severity)
    t.equal(readOne({ severity: names[0]!.toUpperCase() }).severity, severity)
    t.equal(readOne({ severity: names[1] ?? 'unknown' }).severity, names[1] ? 'critical' : 'unknown')
  }
})

t.test('generic alerts are grouped by fingerprint, or by content without times and hosts', async t => {
  const fingerprint = (payload: Item, given = {}) => readOne(payload, given).fingerprint

  t.equal(fingerprint({ fingerprint: 'a' }), sha1('a'))
  t.equal(fingerprint({ fingerprint: ['a'] }), sha1('a'))
  t.equal(fingerprint({ fingerprint: ['a', ['b', 1]] }), sha1('["a","b","1"]'))
  t.not(fingerprint({ fingerprint: ['ab', 'c'] }), fingerprint({ fingerprint: ['a', 'bc'] }))
  t.equal(fingerprint({ fingerprint: 'a', title: 'x' }), fingerprint({ fingerprint: 'a', title: 'y' }))
  t.equal(
    fingerprint({ title: 'x', a: { b: 1, c: 2 } }),
    fingerprint({ a: { c: 2, b: 1 }, title: 'x', hosts: 'h', start_time: 1, end_time: 2 })
  )
  t.not(fingerprint({ title: 'x' }), fingerprint({ title: 'y' }))
  t.equal(fingerprint({ fingerprint: ' ', title: 'x' }), fingerprint({ fingerprint: [], title: 'x', service: null }), 'blank is none')
  t.equal(fingerprint({ hosts: 'h', start_time: 1 }), undefined, 'nothing is said')
  t.equal(fingerprint({ title: 'x' }, { isFingerprinting: false }), undefined)
  t.equal(fingerprint({ fingerprint: 'a' }, { isFingerprinting: false }), sha1('a'))
})

t.test('numbers beyond 2^53 keep their digits', async t => {
  const parse = (text: string) => parsePayload(text, { receivedAt, mapping: {}, isFingerprinting: true }).alerts[0]!
  const [one, other] = ['12345678901234567890', '12345678901234567891']
  const item = (id: string) => JSON.stringify(aWebhook([anItem({ id: 0 })])).replace('"id":0', `"id":${id}`)

  t.equal(parse(`{"fingerprint":${one}}`).fingerprint, sha1(one))
  t.not(parse(`{"title":"x","id":${one}}`).fingerprint, parse(`{"title":"x","id":${other}}`).fingerprint)
  t.equal(parse(`{"title":"x","id":[-${one}]}`).fingerprint, parse(`{"id":[-${one}],"title":"x"}`).fingerprint)
  t.equal(parse(`{"title":${one}}`).title, one)
  t.same(parse(`{"end_time":1795255200123456789}`).endedAt, new Date('2026-11-21T10:00:00.123Z'))
  t.same(customFields('generic', `{"id":${other},"small":9007199254740991,"ratio":0.12345678901234566}`), {
    id: other,
    small: 9007199254740991,
    ratio: 0.12345678901234566
  })
  t.match(parse(item(other)).payload, `"id":"${other}"`)
})

t.test('a mapping reads other members, and falls back to the standard ones', async t => {
  const mapping = {
    title: [
      ['event', 'name'],
      ['monitors', 0, 'name']
    ],
    end_time: [['recovered_at']],
    severity: [['priority']],
    hosts: [['node']],
    fingerprint: [['event', 'id']]
  }
  const down = { monitors: [{ name: 'Shop' }], event: { name: ' ', id: 7 }, priority: 'P3', node: 'a', title: 'not this', end_time: 1 }

  hasExactly(t, readOne(down, { mapping }), { title: 'Shop', severity: 'medium', hosts: ['a'], fingerprint: sha1('7') })
  t.same(readOne({ ...down, recovered_at: '2026-11-21T10:00:00Z' }, { mapping }).endedAt, new Date('2026-11-21T10:00:00Z'))
  t.hasStrict(readOne({ title: 'Usual', severity: 'low' }, { mapping }), { title: 'Usual', severity: 'low' })
  t.same(applyMapping({ title: [['c'], ['a', 0, 'b']], service: [['a', 1], ['toString']] }, payloadReader({ a: [{ b: 0 }], c: null })), {
    title: 0
  })

  const { fingerprint, ...unnamed } = mapping
  const one = readOne({ a: 1, node: 'a', recovered_at: '2026-11-21' }, { mapping: unnamed })

  t.equal(
    one.fingerprint,
    readOne({ a: 1, node: 'b' }, { mapping: unnamed }).fingerprint,
    'when and where, by their mapped names, do not tell them apart'
  )
})

t.test('each item of a metrics payload is an alert with all its attributes', async t => {
  const item = anItem({
    labels: { alertname: 'HighLatency', severity: 'page', service_environment_name: 'production' },
    annotations: {
      title: 'Slow',
      summary: 'slower than usual',
      description: 'p99 is 3 s',
      runbook: 'https://wiki/slow',
      service_incident_markdown: '## Look here',
      service_y_label: 'seconds',
      impact: { customers: ['all'] }
    }
  })

  t.hasStrict(readOne(aWebhook([item])), {
    kind: 'metrics',
    title: 'Slow',
    description: 'p99 is 3 s',
    startedAt: new Date('2026-11-21T10:00:00.123Z'),
    endedAt: undefined,
    monitoringTool: 'Prometheus',
    severity: 'high',
    environment: 'production',
    runbook: 'https://wiki/slow',
    metricExpression: 'latency > 1',
    yLabel: 'seconds',
    incidentMarkdown: '## Look here',
    payload: JSON.stringify(item)
  })
  t.same(customFields('metrics', JSON.stringify(item)), { summary: 'slower than usual', impact: { customers: ['all'] } })

  t.equal(readItem({ annotations: { summary: 'Slower' } }).title, 'Slower')
  t.hasStrict(readItem({}), { title: 'HighLatency', yLabel: 'HighLatency' })
  const byOtherNames = { gitlab_incident_markdown: 'md', gitlab_y_label: 'y' }
  t.hasStrict(readItem({ annotations: byOtherNames, labels: { alertname: 'a', gitlab_environment_name: 'staging' } }), {
    incidentMarkdown: 'md',
    yLabel: 'y',
    environment: 'staging'
  })
  t.equal(read(aWebhook([anItem(), anItem(), anItem()])).alerts.length, 3)
  t.same(read(aWebhook([])), { alerts: [], skipped: [] })
  for (const version of ['constructor', { toString: 1 }, '2'])
    t.equal(readOne({ ...aWebhook([]), version }).kind, 'generic', String(Object.keys(version)))
})

t.test('a metrics item is resolved by its status, or without one by an end time in the past', async t => {
  const end = (members: Item) => readItem(members).endedAt?.toISOString()

  t.equal(end({ status: 'firing', endsAt: '2026-11-21T11:00:00Z' }), undefined)
  t.equal(end({ status: 'resolved', endsAt: '2026-11-21T11:00:00Z' }), '2026-11-21T11:00:00.000Z')
  t.equal(end({ status: 'resolved' }), receivedAt.toISOString())
  t.equal(end({ status: undefined, endsAt: '2026-11-21T11:00:00Z' }), '2026-11-21T11:00:00.000Z')
  t.equal(end({ status: undefined, endsAt: '2026-11-21T13:00:00Z' }), undefined, 'it is expected to end')
  t.equal(end({ status: undefined }), undefined)
})

t.test('the fingerprint of a metrics item is made from its name and start time', async t => {
  const fingerprint = (members: Item) => readItem(members).fingerprint
  const unnamed = { fingerprint: undefined }

  t.equal(fingerprint({}), sha1('c0ffee0123456789/2026-11-21T10:00:00.123456789Z'))
  t.equal(fingerprint({}), fingerprint({ status: 'resolved', endsAt: '2026-11-21T11:00:00Z' }))
  t.not(fingerprint({}), fingerprint({ startsAt: '2026-11-21T10:00:01Z' }))
  t.equal(fingerprint(unnamed), sha1('2026-11-21T10:00:00.123456789Z/HighLatency/latency > 1'))
  t.not(fingerprint(unnamed), fingerprint({ ...unnamed, generatorURL: 'nonsense' }))
})

t.test('items without a title or a start time are skipped with a reason', async t => {
  const items = [anItem({ labels: {} }), anItem(), anItem({ startsAt: 'soon' }), null, 'text', anItem({ annotations: null, labels: [] })]
  const { alerts, skipped } = read(aWebhook(items as Item[]))

  t.equal(alerts.length, 1)
  t.same(
    skipped.map(({ position }) => position),
    [0, 2, 3, 4, 5]
  )
  t.match(skipped, [{ reason: /title/ }, { reason: /startsAt/ }, { reason: /object/ }, { reason: /object/ }, { reason: /title/ }])
})

t.test('a mapping reads from the items of a metrics payload and from around them', async t => {
  const mapping = { service: [['labels', 'job']], hosts: [['alerts', 3, 'labels', 'instance']], monitoring_tool: [['receiver']] }
  const labels = { alertname: 'a', job: 'shop', instance: 'a:9100' }

  hasExactly(t, readItem({ labels }, { mapping }), { service: 'shop', hosts: ['a:9100'], monitoringTool: 'tocsin' })
})

t.test("Grafana's webhook is a metrics payload, and an incomplete one is a generic alert", async t => {
  const grafana = {
    ...aWebhook([
      {
        status: 'firing',
        labels: { alertname: 'TestAlert', grafana_folder: 'Shop' },
        annotations: { summary: 'Notification test' },
        startsAt: '2026-11-21T10:00:00.000000001Z',
        endsAt: '0001-01-01T00:00:00Z',
        generatorURL: 'https://grafana/alerting/grafana/abc/view',
        fingerprint: '57c6d9296de2ad39',
        silenceURL: 'https://grafana/alerting/silence/new',
        dashboardURL: '',
        panelURL: '',
        values: { A: 1 },
        valueString: "[ metric='foo' labels={instance=bar} value=10 ]"
      }
    ]),
    version: '1',
    orgId: 1,
    title: '[FIRING:1]',
    state: 'alerting',
    message: '**Firing**'
  }

  t.hasStrict(readOne(grafana), { kind: 'metrics', title: 'Notification test', monitoringTool: 'Grafana', metricExpression: undefined })
  t.hasStrict(readOne({ ...grafana, version: '2' }), { kind: 'generic', title: '[FIRING:1]' })
  for (const name of Object.keys(aWebhook([])).filter(name => name !== 'truncatedAlerts')) {
    const { [name]: _left, ...rest } = aWebhook([anItem()]) as Item

    t.equal(readOne(rest).kind, 'generic', `without ${name}`)
  }
})
