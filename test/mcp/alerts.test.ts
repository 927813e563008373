import t, { type Test } from 'tap'
import { openAlertedProject } from '../alerts/alerting.ts'
import { connectAgent } from './agent.ts'

async function openAlertedShop(t: Test) {
  const world = await openAlertedProject(t)
  const { app, call, project, send } = world

  await world.work('incidents')
  await send({ title: 'Disk full', severity: 'high', service: 'db', hosts: ['db-1'], environment: 'production', rack: 'r7' })
  const path = `/projects/${project.id}`
  const { body: incident } = await call('POST', `${path}/alert_management_alerts/1/incident`)
  const { use } = await connectAgent(t, app)

  return { ...world, path, incident, use, project: String(project.id) }
}

t.test('an agent reads and handles alerts', async t => {
  const { call, path, project, use, incident } = await openAlertedShop(t)
  const { data: list, text } = await use('list_alerts', { project, severity: 'high' })
  const { data } = await use('get_alert', { project, alert_iid: 1 })

  t.equal(text, '- 1: Disk full [high, triggered, 1 events]')
  t.equal(list.alerts[0].title, 'Disk full')
  t.same((await use('list_alerts', { project, status: 'resolved' })).data.alerts, [])
  t.equal(data.alert.service, 'db')
  t.match(data.alert.details, '"rack": "r7"')
  t.equal(data.alert.incident, incident.iid)
  const changed = await use('update_alert', { project, alert_iid: 1, status: 'acknowledged', assignee: 'root' })

  t.equal(changed.data.alert.status, 'acknowledged')
  t.same(changed.data.alert.assignees, ['root'])
  await use('comment_on_alert', { project, alert_iid: 1, body: 'Cleaned up.' })
  const { body: alert } = await call('GET', `${path}/alert_management_alerts/1`)

  t.equal(alert.status, 'acknowledged')
  t.equal(alert.notes.at(-1).body, 'Cleaned up.')
})

t.test('an agent reads and closes incidents', async t => {
  const { call, path, project, use, incident } = await openAlertedShop(t)
  const { iid } = incident
  const { data: list } = await use('list_incidents', { project })

  t.equal(list.incidents.length, 1)
  t.equal(list.incidents[0].iid, iid)
  t.same(list.incidents[0].alert_iids, [1])
  await use('comment_on_incident', { project, incident_iid: iid, body: 'The disk was full.' })
  const { data } = await use('update_incident', { project, incident_iid: iid, state_event: 'close', assignee: 'me' })

  t.equal(data.incident.state, 'closed')
  t.same(data.incident.assignees, ['root'])
  t.equal((await call('GET', `${path}/issues/${iid}`)).body.state, 'closed')
  t.equal((await call('GET', `${path}/alert_management_alerts/1`)).body.status, 'resolved', 'closing an incident resolves its alerts')
  const { text } = await use('get_incident', { project, incident_iid: iid })

  t.match(text, 'The disk was full.')
  t.same((await use('list_incidents', { project })).data.incidents, [])
  t.equal((await use('list_incidents', { project, state: 'closed' })).data.incidents.length, 1)
})

t.test('ordinary issues are no incidents', async t => {
  const { call, path, project, use } = await openAlertedShop(t)
  const { body: issue } = await call('POST', `${path}/issues`, { title: 'Secret plan' })

  t.match((await use('get_incident', { project, incident_iid: issue.iid })).text, '404 Incident Not Found')
  t.equal((await use('update_incident', { project, incident_iid: issue.iid, state_event: 'close' })).isError, true)
  t.equal((await call('GET', `${path}/issues/${issue.iid}`)).body.state, 'opened')
})

t.test('an agent lists projects and releases', async t => {
  const { call, project, use } = await openAlertedShop(t)
  const { body } = await call('GET', `/projects/${project}`)
  const { data } = await use('list_projects', { search: body.name })

  t.same(
    data.projects.map(({ id, path }: { id: number; path: string }) => [id, path]),
    [[body.id, body.path_with_namespace]]
  )
  t.same((await use('list_releases', { project })).data, { releases: [], next_cursor: null })
})
