import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { anItem, aWebhook, type Item, openAlertedProject } from '../alerts/alerting.ts'
import { aMember } from '../notifications/people.ts'
import { eventually } from '../support/world.ts'
import { prove } from './prove.ts'
import { alertIntake } from './statements/endpoints.ts'
import { genericAlert, metricsAlert, severities } from './statements/resources.ts'

const world = await openAlertedProject(t)
const { call, project, send, work } = world
const alertsPath = `/projects/${project.id}/alert_management_alerts`
let number = 0

await call('PUT', `/projects/${project.id}/alert_settings`, { create_incidents: true })
await work('incidents')

/** The alert that a payload makes. */
async function receive(payload: Item) {
  const again = { 'idempotency-key': randomUUID() }
  const receipt = await eventually(async () => {
    const answer = await send(payload, again)

    // On a busy machine, the first receipt may come late.
    return answer.statusCode !== 202 && answer
  }, 'the receipt')
  const [{ iid }] = receipt.json()

  return (await call('GET', `${alertsPath}/${iid}`)).body
}

function receiveGeneric(members: Item) {
  return receive({ title: `Alert ${++number}`, ...members })
}

/** The alert that an item of a metrics webhook makes. */
function receiveItem(members: Item, annotations: Item = {}, labels: Item = {}) {
  const fingerprint = String(++number)

  return receive(aWebhook([anItem({ fingerprint, annotations, labels: { alertname: 'HighLatency', ...labels }, ...members })]))
}

function isNow(time: string) {
  return Math.abs(Date.parse(time) - Date.now()) < 60_000
}

prove(t, genericAlert, {
  title: async t => {
    t.equal((await receiveGeneric({ title: 'Disk full' })).title, 'Disk full')
    t.equal((await receive({ service: 'untitled' })).title, 'New: Alert')
  },
  description: async t => t.equal((await receiveGeneric({ description: '95 %' })).description, '95 %'),
  start_time: async t => {
    t.equal((await receiveGeneric({ start_time: '2026-01-02T03:04:05Z' })).started_at, '2026-01-02T03:04:05.000Z')
    t.ok(isNow((await receiveGeneric({})).started_at))
  },
  end_time: async t => {
    const { iid, title } = await receiveGeneric({ end_time: null })
    const end_time = '2026-11-21T10:00:00Z'

    await send({ title, end_time })
    t.hasStrict((await call('GET', `${alertsPath}/${iid}`)).body, { status: 'resolved', ended_at: '2026-11-21T10:00:00.000Z' })
  },
  service: async t => t.equal((await receiveGeneric({ service: 'shop' })).service, 'shop'),
  monitoring_tool: async t => t.equal((await receiveGeneric({ monitoring_tool: 'Nagios' })).monitoring_tool, 'Nagios'),
  hosts: async t => {
    t.same((await receiveGeneric({ hosts: 'web-1' })).hosts, ['web-1'])
    t.same((await receiveGeneric({ hosts: ['web-1', 'web-2'] })).hosts, ['web-1', 'web-2'])
  },
  severity: async t => {
    for (const severity of ['critical', 'high', 'medium', 'low', 'info', 'unknown'])
      t.equal((await receiveGeneric({ severity: severity.toUpperCase() })).severity, severity)
    t.equal((await receiveGeneric({})).severity, 'critical')
    t.equal((await receiveGeneric({ severity: 'dire' })).severity, 'critical')
  },
  fingerprint: async t => {
    const { iid } = await receiveGeneric({ fingerprint: ['disk', 'web-1'] })

    t.hasStrict(await receiveGeneric({ fingerprint: ['disk', 'web-1'] }), { iid, event_count: 2 })
    const title = 'The same'
    const first = await receive({ title, start_time: '2026-01-01', hosts: ['a'] })

    t.hasStrict(await receive({ title, start_time: '2026-01-02', hosts: ['b'] }), { iid: first.iid, event_count: 2 })
  },
  service_environment_name: async t => {
    t.hasStrict(await receiveGeneric({ service_environment_name: 'production' }), { environment: { name: 'production' } })
    t.hasStrict(await receiveGeneric({ gitlab_environment_name: 'staging' }), { environment: { name: 'staging' } })
  },
  'any other key': async t => {
    t.hasStrict((await receiveGeneric({ rack: { row: 7, cooled: true } })).details, { rack: { row: 7, cooled: true } })
  },
  'alert record': async t => {
    const [record] = (await send({ title: 'A record' })).json()

    t.same(record, { iid: record.iid, title: 'A record' })
    t.type(record.iid, 'number')
  }
})

prove(t, metricsAlert, {
  'required attributes': async t => {
    const items = ['a', 'b', 'c'].map(fingerprint => anItem({ fingerprint, labels: { alertname: fingerprint } }))

    t.equal((await send(aWebhook(items))).json().length, 3)
    for (const name of Object.keys(aWebhook([])).filter(name => name !== 'truncatedAlerts')) {
      const { [name]: _without, ...rest } = aWebhook(items) as Item

      t.equal((await send(rest)).json().length, 1, `without ${name} it is one alert of the other kind`)
    }
  },
  title: async t => {
    t.equal((await receiveItem({}, { title: 'T', summary: 'S' })).title, 'T')
    t.equal((await receiveItem({}, { summary: 'S' })).title, 'S')
    t.equal((await receiveItem({})).title, 'HighLatency')
  },
  startsAt: async t => {
    t.equal((await receiveItem({ startsAt: '2026-01-02T03:04:05Z' })).started_at, '2026-01-02T03:04:05.000Z')
    t.same((await send(aWebhook([anItem({ startsAt: undefined })]))).json(), [], 'an item without a start is no alert')
  },
  'annotations/description': async t => t.equal((await receiveItem({}, { description: 'Slow' })).description, 'Slow'),
  'annotations/service_incident_markdown': async t => {
    const { iid } = await receiveItem({}, { title: 'Charted', service_incident_markdown: '**a chart**' })
    const incident = await eventually(async () => {
      const { body } = await call('GET', `/projects/${project.id}/issues?issue_type=incident&search=Charted`)

      return body[0]
    }, `alert ${iid} has an incident`)

    t.match(incident.description, '**a chart**')
  },
  'annotations/runbook': async t => t.equal((await receiveItem({}, { runbook: 'https://r.example' })).runbook, 'https://r.example'),
  endsAt: async t => {
    const fingerprint = 'ending'
    const [{ iid }] = (await send(aWebhook([anItem({ fingerprint, status: undefined })]))).json()

    await send(aWebhook([anItem({ fingerprint, status: undefined, endsAt: '2026-11-21T11:00:00Z' })]))
    t.hasStrict((await call('GET', `${alertsPath}/${iid}`)).body, { status: 'resolved', ended_at: '2026-11-21T11:00:00.000Z' })
  },
  'g0.expr': async t => t.equal((await receiveItem({})).metric_expression, 'latency > 1'),
  'labels/service_environment_name': async t => {
    t.hasStrict(await receiveItem({}, {}, { service_environment_name: 'production' }), { service_environment_name: 'production' })
  },
  'labels/severity': async t => {
    t.equal((await receiveItem({}, {}, { severity: 'warning' })).severity, 'low')
    t.equal((await receiveItem({})).severity, 'critical')
  },
  status: async t => {
    const { iid } = await receiveItem({ fingerprint: 'by status' })

    await send(aWebhook([anItem({ fingerprint: 'by status', status: 'resolved', labels: { alertname: 'HighLatency' } })]))
    t.equal((await call('GET', `${alertsPath}/${iid}`)).body.status, 'resolved')
  },
  'annotations/service_y_label': async t => {
    t.equal((await receiveItem({}, { service_y_label: 'Milliseconds', title: 'T' })).service_y_label, 'Milliseconds')
    t.equal((await receiveItem({}, { title: 'T' })).service_y_label, 'T')
    t.equal((await receiveItem({})).service_y_label, 'HighLatency')
  },
  'extra keys': async t => {
    const { details } = await receiveItem({ elsewhere: 'ignored' }, { team: { name: 'shop' } })

    t.same(details, { team: { name: 'shop' } })
  }
})

const accepted = (severity: string, names: string[]) => async (t: Test) => {
  for (const name of names.flatMap(name => [name, name.toUpperCase()]))
    t.equal((await receiveItem({}, {}, { severity: name })).severity, severity, name)
}

prove(t, severities, {
  critical: accepted('critical', ['critical', 's1', 'p1', 'emergency', 'fatal']),
  high: accepted('high', ['high', 's2', 'p2', 'major', 'page']),
  medium: accepted('medium', ['medium', 's3', 'p3', 'error', 'alert']),
  low: accepted('low', ['low', 's4', 'p4', 'warn', 'warning']),
  info: accepted('info', ['info', 's5', 'p5', 'debug', 'information', 'notice'])
})

const integrations = `/projects/${project.id}/alert_integrations`

prove(t, alertIntake, {
  URL: async t => {
    const { body } = await call('POST', integrations, { name: 'Metrics', type: 'prometheus' })

    t.match(body.url, /\/prometheus\/alerts\/notify(\/.*)?\.json$|alerts\/notify\.json$/)
    const answer = await send({ title: 'At its URL' }, { authorization: `Bearer ${body.token}` }, new URL(body.url).pathname)

    t.equal(answer.statusCode, 200)
  },
  body: async t => {
    t.equal((await send({ title: 'Generic' })).statusCode, 200)
    t.equal((await send(aWebhook([anItem({ fingerprint: 'metrics' })]))).statusCode, 200)
    t.equal((await send('neither')).statusCode, 400)
  },
  response: async t => {
    const answer = await send({ title: 'Answered' })

    t.equal(answer.statusCode, 200)
    t.hasStrict(answer.json(), [{ title: 'Answered' }])
  },
  roles: async t => {
    const developer = await aMember(world, project.id, 'dora', 30)
    const maintainer = await aMember(world, project.id, 'mia', 40)
    const { body: made } = await maintainer.call('POST', integrations, { name: 'Made by Mia' })

    t.ok(made.id)
    t.equal((await developer.call('POST', integrations, { name: 'No' })).status, 403)
    t.equal((await developer.call('POST', `${integrations}/${made.id}/test`, { payload: { title: 'A test' } })).status, 200)
    t.equal((await developer.call('POST', `${integrations}/${made.id}/test`, { payload: 'no JSON' })).status, 400)
  },
  integrations: async t => {
    for (const body of [{ name: 'One' }, { name: 'Two' }, { name: 'P', type: 'prometheus', api_url: 'https://p.example' }])
      t.equal((await call('POST', integrations, body)).status, 201, body.name)
  },
  'end time of a mapping': async t => {
    const payload_attribute_mappings = { title: [['what']], end_time: [['over']] }
    const { body } = await call('POST', integrations, { name: 'Mapped', payload_attribute_mappings })
    const post = (payload: Item) => send(payload, { authorization: `Bearer ${body.token}` }, new URL(body.url).pathname)
    const [{ iid }] = (await post({ what: 'Mapped' })).json()

    await post({ what: 'Mapped', over: '2026-11-21T10:00:00Z' })
    t.equal((await call('GET', `${alertsPath}/${iid}`)).body.status, 'resolved')
  }
})
