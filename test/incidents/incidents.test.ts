import { Registry } from 'prom-client'
import t, { type Test } from 'tap'
import { incidentUpdatesOf } from '#incidents/incident-updates.ts'
import { updateIncidentsOf } from '#incidents/update-incidents.ts'
import { Issue } from '#issues/issue.ts'
import { workerMetrics } from '#platform/observability/worker-metrics.ts'
import { rosterOf } from '../../workers/roster.ts'
import { anItem, aWebhook, openAlertedProject, whileLocked } from '../alerts/alerting.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { eventually, onBothBackends, type QueueKind } from '../support/world.ts'

async function openProjectWithSettings(t: Test, settings: Record<string, unknown>, kind: QueueKind = 'postgres') {
  const world = await openAlertedProject(t, { kind })
  const { platform, project, work, call } = world
  const values = { project_id: project.id, ...settings }
  const columns = Object.keys(values)

  await platform.pool.query(
    `INSERT INTO alert_settings (${columns}) SELECT ${columns} FROM json_populate_record(NULL::alert_settings, $1)`,
    [JSON.stringify(values)]
  )
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
    /** Resolves when the queue is empty. */
    idle: () =>
      eventually(async () => {
        const counts = await platform.queues.get('incidents').getJobCounts('waiting', 'active', 'delayed')

        return Object.values(counts).every(count => count === 0)
      }, 'the follow-ups are done')
  }
}

onBothBackends(t, 'an alert opens one incident, which is closed with it', async (t, kind) => {
  const { send, incidents, alert, activity, idle } = await openProjectWithSettings(
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

  t.equal((await incidents()).length, 1, 'one incident per alert, none below the minimum severity')
  hasExactly(t, incident, { title: 'Slow', state: 'opened', severity: 'CRITICAL', alert_iids: [1], author: { username: 'alert-bot' } })
  t.match(incident.description, /\*\*Severity:\*\* critical/)
  t.match(incident.description, /\*\*team\.name:\*\* shop/)
  t.match(incident.description, /\*\*Full query:\*\* `latency > 1`/)
  t.match(incident.description, /\/cc the team\n\n---\n\n!\[chart\]\(https:\/\/charts\/1\)$/)
  hasExactly(t, await alert(1), { issue_iid: 1, notes: [{ action: 'incident', body: 'opened incident #1' }] })

  await send(aWebhook([{ ...item, status: 'resolved', endsAt: '2026-11-21T11:00:00Z' }]))
  await eventually(async () => (await incidents())[0].state === 'closed', 'it is closed')
  await idle()
  hasExactly(t, await incidents(), [{ closed_by: null }])
  t.same(await activity(), ['created', 'closed'])
})

t.test('repeated and concurrent updates open one incident', async t => {
  const { platform, config, project, send, worker, incidents, activity } = await openProjectWithSettings(t, { creates_incidents: true })
  const update = { projectId: project.id, cause: 'c', triggered: [1], resolved: [] }

  await send({ title: 'Slow', fingerprint: 'slow' })
  await worker.close(5000)
  await Promise.all([1, 2, 3].map(() => updateIncidentsOf(platform.fork(), update, config)))
  await updateIncidentsOf(platform.fork(), update, config)

  t.equal((await incidents()).length, 1)
  t.same(await activity(), ['created'])
})

onBothBackends(t, 'a batch that is processed twice opens one incident', async (t, kind) => {
  const { platform, config, project, integration, worker, incidents, idle } = await openProjectWithSettings(
    t,
    { creates_incidents: true },
    kind
  )
  const [receive] = rosterOf([]).alerts!
  const item = {
    id: 'c0ffee'.repeat(6).slice(0, 32),
    projectId: project.id,
    integrationId: integration.id,
    receivedAt: '2026-11-21T10:00:00Z',
    body: '{"title":"Slow"}'
  }
  const context = {
    ...platform,
    config,
    em: platform.fork(),
    signal: new AbortController().signal,
    metrics: workerMetrics(new Registry()),
    sendReceipt: async () => {}
  }

  await worker.close(5000)
  await receive!.run([item], context)
  await eventually(async () => (await incidents()).length > 0, 'there is an incident')
  await receive!.run([item], { ...context, em: platform.fork() })
  await idle()
  t.equal((await incidents()).length, 1)
})

t.test('only projects whose settings ask for follow-ups get them', async t => {
  const { platform, project } = await openProjectWithSettings(t, { creates_incidents: true })
  const other = { projectId: project.id + 1, iid: 1, became: 'triggered' as const, requestId: 'b' }
  const update = (iid: number, became: 'triggered' | 'resolved') => ({ projectId: project.id, iid, became, requestId: 'a' })

  t.same(
    await incidentUpdatesOf(platform.fork(), [
      other,
      update(1, 'triggered'),
      update(1, 'resolved'),
      update(2, 'triggered'),
      update(1, 'triggered')
    ]),
    [{ projectId: project.id, cause: 'a', triggered: [1, 2], resolved: [1] }]
  )
  t.same(await incidentUpdatesOf(platform.fork(), [other]), [])
})

t.test('closing an incident resolves its alerts, and resolving the alert closes the incident', async t => {
  const { call, path, send, incidents, alert, idle } = await openProjectWithSettings(t, { closes_incidents: true })

  await send({ title: 'Slow', fingerprint: 'slow' })
  await idle()
  t.same(await incidents(), [], 'not enabled')
  const { body: opened } = await call('POST', `${path}/alert_management_alerts/1/incident`)
  t.hasStrict(await call('POST', `${path}/alert_management_alerts/1/incident`), { status: 201, body: { iid: opened.iid } }, 'twice is once')
  t.hasStrict(opened, { issue_type: 'incident', author: { username: 'root' } })

  await call('PUT', `${path}/issues/1`, { state_event: 'close' })
  const resolved = await alert(1)
  hasExactly(t, resolved, { status: 'resolved', notes: [{}, { body: 'resolved, as its incident #1 was closed' }] })
  t.type(resolved.ended_at, 'string')
  await call('PUT', `${path}/issues/1`, { state_event: 'reopen' })
  t.hasStrict(await alert(1), { status: 'resolved' })

  await call('PUT', `${path}/alert_management_alerts/1`, { status: 'triggered' })
  await call('PUT', `${path}/alert_management_alerts/1`, { status: 'resolved' })
  await eventually(async () => (await incidents())[0].state === 'closed', 'it is closed with its alert')
})

t.test('a resolved alert gets no incident', async t => {
  const { platform, config, project, send, call, path, worker } = await openProjectWithSettings(t, { sends_email: false })

  await send({ title: 'Slow', fingerprint: 'slow' })
  await worker.close(5000)
  await call('PUT', `${path}/alert_management_alerts/1`, { status: 'resolved' })
  await platform.pool.query('UPDATE alert_settings SET creates_incidents = true')
  await updateIncidentsOf(platform.fork(), { projectId: project.id, cause: 'c', triggered: [1], resolved: [] }, config)
  t.equal(await platform.fork().count(Issue), 0)
})

t.test('opening an incident waits for a lock on the alert', async t => {
  const { platform, call, path, send } = await openProjectWithSettings(t, {})

  await send({ title: 'Slow', fingerprint: 'slow' })
  const open = () => call('POST', `${path}/alert_management_alerts/1/incident`)

  t.equal((await whileLocked(platform.pool, 'SELECT FROM alerts WHERE iid = 1 FOR UPDATE', open)).status, 201)
})

t.test('alerts at the minimum severity open an incident, those below do not', async t => {
  const { platform, config, project, send, worker, incidents } = await openProjectWithSettings(t, {
    creates_incidents: true,
    severity_floor: 'medium'
  })
  const update = { projectId: project.id, cause: 'c', triggered: [1, 2], resolved: [] }

  await send({ title: 'At the minimum', severity: 'medium' })
  await send({ title: 'Below', severity: 'low' })
  await worker.close(5000)
  await updateIncidentsOf(platform.fork(), update, config)

  t.same(
    (await incidents()).map(({ title }: { title: string }) => title),
    ['At the minimum']
  )
})

t.test('a change of title leaves the alerts of an incident unresolved', async t => {
  const { call, path, send, alert } = await openProjectWithSettings(t, {})

  await send({ title: 'Slow', fingerprint: 'slow' })
  await call('POST', `${path}/alert_management_alerts/1/incident`)
  t.equal((await call('PUT', `${path}/issues/1`, { title: 'Slow checkout' })).body.state, 'opened')
  t.equal((await alert(1)).status, 'triggered')
})

t.test('an incident stays open while one of its alerts is unresolved', async t => {
  const { platform, config, project, call, path, send, worker, incidents } = await openProjectWithSettings(t, { closes_incidents: true })

  await send({ title: 'Slow', fingerprint: 'slow' })
  await send({ title: 'Down', fingerprint: 'down' })
  await worker.close(5000)
  const { body: issue } = await call('POST', `${path}/alert_management_alerts/1/incident`)

  await platform.pool.query('UPDATE alerts SET issue_id = $1', [issue.id])
  await platform.pool.query(`UPDATE alerts SET status = 'resolved' WHERE iid = 1`)
  await updateIncidentsOf(platform.fork(), { projectId: project.id, cause: 'a', triggered: [], resolved: [1] }, config)
  t.equal((await incidents())[0].state, 'opened')

  await platform.pool.query(`UPDATE alerts SET status = 'ignored' WHERE iid = 2`)
  await updateIncidentsOf(platform.fork(), { projectId: project.id, cause: 'b', triggered: [], resolved: [1] }, config)
  t.equal((await incidents())[0].state, 'opened', 'an ignored alert is unresolved')

  await platform.pool.query(`UPDATE alerts SET status = 'resolved' WHERE iid = 2`)
  await updateIncidentsOf(platform.fork(), { projectId: project.id, cause: 'c', triggered: [], resolved: [2] }, config)
  t.equal((await incidents())[0].state, 'closed')
})
