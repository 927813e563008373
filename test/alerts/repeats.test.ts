import t from 'tap'
import { hasExactly } from '../support/has-exactly.ts'
import { eventually } from '../support/world.ts'
import { anItem, aWebhook, openAlertedProject } from './alerting.ts'

interface Note {
  action: string
  body: string
}

async function openProject(t: Parameters<typeof openAlertedProject>[0]) {
  const world = await openAlertedProject(t)
  const { call, project } = world
  const change = (settings: object) => call('PUT', `/projects/${project.id}/alert_settings`, settings)
  const notes = async (iid = 1) => {
    const { body } = await call('GET', `/projects/${project.id}/alert_management_alerts/${iid}/notes`)

    return (body as Note[]).map(({ action, body }) => [action, body])
  }

  return { ...world, change, notes }
}

t.test('a repeated alert raises the severity and updates title and description, with notes', async t => {
  const { send, alerts, notes } = await openProject(t)
  const first = { title: 'CPU at 81 %', description: 'since 10:00', severity: 'low', fingerprint: 'cpu' }

  await send(first)
  await send(first)
  t.same(await notes(), [], 'the same again is no change')
  const response = await send({ ...first, title: 'CPU at 97 %', description: 'since 10:05', severity: 'critical' })
  t.same(response.json(), [{ iid: 1, title: 'CPU at 97 %' }])
  hasExactly(t, await alerts(), [{ title: 'CPU at 97 %', description: 'since 10:05', severity: 'critical', events: 3 }])
  t.same(await notes(), [
    ['severity', 'raised the severity from **low** to **critical**'],
    ['content', 'changed the title from **CPU at 81 %** to **CPU at 97 %** and changed the description']
  ])

  await send({ fingerprint: 'cpu' })
  await send({ ...first, title: 'CPU at 97 %', severity: 'high' })
  hasExactly(t, await alerts(), [{ title: 'CPU at 97 %', description: 'since 10:00', severity: 'critical', events: 5 }])
  t.equal((await notes()).length, 2, 'at most one note about the content in an hour, and no note without a change')

  await send({ title: 'CPU is fine', fingerprint: 'cpu', severity: 'info', end_time: '2026-11-21T11:00:00Z' })
  hasExactly(t, await alerts(), [{ title: 'CPU at 97 %', status: 'resolved' }], 'the end changes no text')
})

t.test('a missing or unrecognised severity does not raise the severity', async t => {
  const { send, alerts } = await openProject(t)

  await send({ title: 'Disk', severity: 'low', fingerprint: 'disk' })
  await send({ fingerprint: 'disk' })
  await send({ severity: 'loud', fingerprint: 'disk' })
  await send(aWebhook([anItem({ labels: { alertname: 'Net', severity: 'warning' } })]))
  await send(aWebhook([anItem({ labels: { alertname: 'Net' } })]))
  hasExactly(t, await alerts(), [
    { title: 'Disk', severity: 'low', events: 3 },
    { title: 'Net', severity: 'low', events: 2 }
  ])
  await send(aWebhook([anItem({ labels: { alertname: 'Net', severity: 'page' }, annotations: { description: 'eth0' } })]))
  hasExactly(t, (await alerts()).slice(1), [{ title: 'Net', description: 'eth0', severity: 'high', events: 3 }])
})

t.test('changes within one batch have one note each', async t => {
  const { send, alerts, notes } = await openProject(t)
  const items = ['warning', 'critical'].map(severity =>
    anItem({ labels: { alertname: 'Net', severity }, annotations: { title: severity } })
  )

  await send(aWebhook([...items, items[0]!]))
  hasExactly(t, await alerts(), [{ title: 'warning', severity: 'critical', events: 3 }])
  t.same(await notes(), [['severity', 'raised the severity from **low** to **critical**']])
})

t.test('a project can turn updates by repeated alerts off', async t => {
  const { send, alerts, notes, change } = await openProject(t)

  hasExactly(t, await change({ update_repeated_alerts: false }), { status: 200, body: { update_repeated_alerts: false } })
  await send({ title: 'CPU at 81 %', severity: 'low', fingerprint: 'cpu' })
  await send({ title: 'CPU at 97 %', severity: 'critical', fingerprint: 'cpu' })
  hasExactly(t, await alerts(), [{ title: 'CPU at 81 %', severity: 'low', events: 2 }])
  t.same(await notes(), [])
})

t.test('a raised severity opens the incident that the minimum severity prevented, unless the alert is ignored', async t => {
  const { send, change, work, call, project } = await openProject(t)
  const path = `/projects/${project.id}`

  await change({ create_incidents: true, severity_floor: 'high' })
  await work('incidents')
  for (const fingerprint of ['ignored', 'open']) await send({ title: fingerprint, severity: 'low', fingerprint })
  await call('PUT', `${path}/alert_management_alerts/1`, { status: 'ignored' })
  for (const fingerprint of ['ignored', 'open']) await send({ severity: 'critical', fingerprint })
  const incidents = async () => (await call('GET', `${path}/issues?issue_type=incident`)).body as { title: string; severity: string }[]

  await eventually(async () => (await incidents()).length > 0, 'the incident is there')
  hasExactly(t, await incidents(), [{ title: 'open', severity: 'CRITICAL' }])
  hasExactly(t, await call('GET', `${path}/alert_management_alerts/1`), { status: 200, body: { severity: 'critical', issue_iid: null } })
})
