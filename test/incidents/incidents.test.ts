import t, { type Test } from 'tap'
import { listUpdates } from '../../src/incidents/enqueue-updates.ts'
import { updateIncidentsOf } from '../../src/incidents/update-incidents.ts'
import { Issue } from '../../src/issues/issue.ts'
import { roster } from '../../workers/roster.ts'
import { anAlertedProject, anItem, aWebhook } from '../alerts/alerting.ts'
import { eventually, onBothBackends, type QueueKind } from '../support/world.ts'

async function anAttendedProject(t: Test, setting: Record<string, unknown>, kind: QueueKind = 'postgres') {
  const world = await anAlertedProject(t, { kind })
  const { platform, project, work, call } = world
  const columns = Object.keys(setting)

  await platform.pool.query(`INSERT INTO alert_settings (project_id, ${columns}) VALUES ($1, ${columns.map((_, n) => `$${n + 2}`)})`, [
    project.id,
    ...Object.values(setting)
  ])
  await work('incidents')
  const path = `/projects/${project.id}`

  return {
    ...world,
    path,
    incidents: async () => (await call('GET', `${path}/issues?issue_type=incident&sort=asc`)).body,
    alert: async (iid: number) => (await call('GET', `${path}/alert_management_alerts/${iid}`)).body,
    activity: async () =>
      (
        await platform.pool.query('SELECT action FROM activity_events WHERE project_id = $1 AND target_type = $2 ORDER BY id', [
          project.id,
          'Issue'
        ])
      ).rows.map(({ action }) => action),
    /** Resolves once nothing is left to do. */
    idle: () =>
      eventually(async () => {
        const counts = await platform.queues.get('incidents').getJobCounts('waiting', 'active', 'delayed')

        return Object.values(counts).every(count => count === 0)
      }, 'the follow-ups are done')
  }
}

onBothBackends(t, 'an alert becomes one incident, which is closed with it', async (t, kind) => {
  const { send, incidents, alert, activity, idle } = await anAttendedProject(
    t,
    { creates_incidents: true, closes_incidents: true, severity_floor: 'high', incident_template: '/cc the team' },
    kind
  )
  const annotations = { title: 'Slow', gitlab_incident_markdown: '![chart](https://charts/1)', team: { name: 'shop' } }
  const item = anItem({ annotations, labels: { alertname: 'X', severity: 'critical' } })

  await send(aWebhook([item, anItem({ fingerprint: 'low', labels: { alertname: 'Low', severity: 'low' } })]))
  const [incident] = await eventually(async () => ((await incidents()).length > 0 ? incidents() : undefined), 'there is an incident')
  await send(aWebhook([item]))
  await idle()

  t.equal((await incidents()).length, 1, 'one, however often it fires, and none of what is not grave enough')
  t.match(incident, { title: 'Slow', state: 'opened', severity: 'CRITICAL', alert_iids: [1], author: { username: 'alert-bot' } })
  t.match(incident.description, /\*\*Severity:\*\* critical/)
  t.match(incident.description, /\*\*team\.name:\*\* shop/)
  t.match(incident.description, /\*\*Full query:\*\* `latency > 1`/)
  t.match(incident.description, /\/cc the team\n\n---\n\n!\[chart\]\(https:\/\/charts\/1\)$/)
  t.match(await alert(1), { issue_iid: 1, notes: [{ action: 'incident', body: 'opened incident #1' }] })

  await send(aWebhook([{ ...item, status: 'resolved', endsAt: '2026-11-21T11:00:00Z' }]))
  await eventually(async () => (await incidents())[0].state === 'closed', 'it is closed')
  await idle()
  t.match(await incidents(), [{ closed_by: null }])
  t.same(await activity(), ['created', 'closed'])
})

t.test('the same news again, and at the same time, is one incident', async t => {
  const { platform, config, project, send, worker, incidents, activity } = await anAttendedProject(t, { creates_incidents: true })
  const news = { projectId: project.id, cause: 'c', triggered: [1], resolved: [] }

  await send({ title: 'Slow', fingerprint: 'slow' })
  await worker.close(5000)
  await Promise.all([1, 2, 3].map(() => updateIncidentsOf(platform.fork(), news, config)))
  await updateIncidentsOf(platform.fork(), news, config)

  t.equal((await incidents()).length, 1)
  t.same(await activity(), ['created'])
})

onBothBackends(t, 'a batch that is worked twice makes one incident', async (t, kind) => {
  const { platform, config, project, integration, worker, incidents, idle } = await anAttendedProject(t, { creates_incidents: true }, kind)
  const [receive] = roster.alerts!
  const item = {
    id: 'c0ffee'.repeat(6).slice(0, 32),
    projectId: project.id,
    integrationId: integration.id,
    receivedAt: '2026-11-21T10:00:00Z',
    body: '{"title":"Slow"}'
  }
  const context = { ...platform, config, em: platform.fork(), signal: new AbortController().signal, sendReceipt: async () => {} }

  await worker.close(5000)
  await receive!.run([item], context)
  await eventually(async () => (await incidents()).length > 0, 'there is an incident')
  await receive!.run([item], { ...context, em: platform.fork() })
  await idle()
  t.equal((await incidents()).length, 1)
})

t.test('only projects that want it hear of news', async t => {
  const { platform, project } = await anAttendedProject(t, { creates_incidents: true })
  const other = { projectId: project.id + 1, iid: 1, became: 'triggered' as const, requestId: 'b' }
  const news = (iid: number, became: 'triggered' | 'resolved') => ({ projectId: project.id, iid, became, requestId: 'a' })

  t.same(
    await listUpdates(platform.fork(), [other, news(1, 'triggered'), news(1, 'resolved'), news(2, 'triggered'), news(1, 'triggered')]),
    [{ projectId: project.id, cause: 'a', triggered: [1, 2], resolved: [1] }]
  )
  t.same(await listUpdates(platform.fork(), [other]), [])
})

t.test('an incident that is closed resolves its alerts, and one that is over when it is looked at gets none', async t => {
  const { call, path, send, incidents, alert, idle } = await anAttendedProject(t, { closes_incidents: true })

  await send({ title: 'Slow', fingerprint: 'slow' })
  await idle()
  t.same(await incidents(), [], 'nobody wants any')
  const { body: opened } = await call('POST', `${path}/alert_management_alerts/1/incident`)
  t.match(await call('POST', `${path}/alert_management_alerts/1/incident`), { status: 201, body: { iid: opened.iid } }, 'twice is once')
  t.match(opened, { issue_type: 'incident', author: { username: 'root' } })

  await call('PUT', `${path}/issues/1`, { state_event: 'close' })
  t.match(await alert(1), { status: 'resolved', ended_at: String, notes: [{}, { body: 'resolved, as its incident #1 was closed' }] })
  await call('PUT', `${path}/issues/1`, { state_event: 'reopen' })
  t.match(await alert(1), { status: 'resolved' })

  await call('PUT', `${path}/alert_management_alerts/1`, { status: 'triggered' })
  await call('PUT', `${path}/alert_management_alerts/1`, { status: 'resolved' })
  await eventually(async () => (await incidents())[0].state === 'closed', 'it is closed with its alert')
})

t.test('an alert that is over by the time gets no incident', async t => {
  const { platform, config, project, send, call, path, worker } = await anAttendedProject(t, { sends_email: false })

  await send({ title: 'Slow', fingerprint: 'slow' })
  await worker.close(5000)
  await call('PUT', `${path}/alert_management_alerts/1`, { status: 'resolved' })
  await platform.pool.query('UPDATE alert_settings SET creates_incidents = true')
  await updateIncidentsOf(platform.fork(), { projectId: project.id, cause: 'c', triggered: [1], resolved: [] }, config)
  t.equal(await platform.fork().count(Issue), 0)
})
