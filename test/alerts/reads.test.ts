import t from 'tap'
import { hasExactly } from '../support/has-exactly.ts'
import { anItem, aWebhook, openAlertedProject } from './alerting.ts'

t.test('alerts are listed, filtered, sorted and counted', async t => {
  const { call, send, project, config } = await openAlertedProject(t)
  const path = `/projects/${project.id}/alert_management_alerts`
  const iids = async (query: string) => (await call('GET', `${path}?${query}`)).body.map(({ iid }: { iid: number }) => iid)

  await send({ title: 'Disk full', severity: 'low', service: 'db', hosts: ['a', 'b'], start_time: '2026-11-01T10:00:00Z' })
  await send({ title: 'CPU 100%', severity: 'high', service: 'web', service_environment_name: 'prod', start_time: '2026-11-03T10:00:00Z' })
  await send({ title: 'CPU 100%', severity: 'high', service: 'web', service_environment_name: 'prod', start_time: '2026-11-03T10:00:00Z' })
  await send({ title: 'Slow', monitoring_tool: 'Probe', fingerprint: 'slow', start_time: '2026-11-02T10:00:00Z' })
  await send({ title: 'Slow', fingerprint: 'slow', end_time: '2026-11-02T11:00:00Z' })

  hasExactly(t, (await call('GET', path)).body, [{ iid: 3 }, { iid: 2 }, { iid: 1 }])
  for (const [query, expected] of [
    ['status=triggered,acknowledged', [2, 1]],
    ['status[]=resolved', [3]],
    ['severity=high,critical', [3, 2]],
    ['search=cpu', [2]],
    ['search=100%25', [2]],
    ['search=PROBE', [3]],
    ['environment=prod', [2]],
    ['service=db', [1]],
    ['monitoring_tool=Probe', [3]],
    ['assignee_id=0', [3, 2, 1]],
    ['assignee_id=None', [3, 2, 1]],
    ['assignee_id=Any', []],
    ['assignee_username=root', []],
    ['started_after=2026-11-02T00:00:00Z&started_before=2026-11-02T23:59:59Z', [3]],
    ['ended_after=2026-11-02', [3]]
  ] as const) {
    t.same(await iids(query), expected, query)
  }

  const orders = {
    created_at: [1, 2, 3],
    started_at: [1, 3, 2],
    ended_at: [3, 1, 2],
    event_count: [1, 3, 2],
    severity: [3, 2, 1],
    status: [1, 2, 3],
    updated_at: [1, 2, 3]
  }
  for (const [by, ascending] of Object.entries(orders)) {
    for (const sort of ['asc', 'desc']) {
      const expected = sort === 'asc' ? ascending : ascending.toReversed()
      const collected: number[] = []
      let next: string | undefined = `${path}?pagination=keyset&order_by=${by}&sort=${sort}&per_page=1`

      t.same(await iids(`order_by=${by}&sort=${sort}`), expected, `${by} ${sort}`)
      while (next) {
        const { body, headers }: Awaited<ReturnType<typeof call>> = await call('GET', next)

        collected.push(...body.map(({ iid }: { iid: number }) => iid))
        next = /<http:\/\/tocsin.test\/api\/v4([^>]+)>; rel="next"/.exec(String(headers.link))?.[1]
      }
      t.same(collected, expected, `${by} ${sort}, by keyset`)
    }
  }

  t.same((await call('GET', `${path}/status_counts`)).body, { all: 3, open: 2, triggered: 2, acknowledged: 0, resolved: 1, ignored: 0 })
  t.hasStrict((await call('GET', `${path}/status_counts?search=cpu`)).body, { all: 1 })
  t.hasStrict((await call('GET', `${path}?per_page=1&page=2`)).headers, { 'x-total': '3', 'x-next-page': '3' })
  t.hasStrict(await call('GET', `${path}?status=open`), { status: 400, body: { error: 'status[0] does not have a valid value' } })
  const forged = Buffer.from('["nonsense",1]').toString('base64url')
  t.hasStrict(await call('GET', `${path}?pagination=keyset&order_by=severity&cursor=${forged}`), { status: 400 })
  t.hasStrict((await call('GET', `${path}/2`)).body.environment, {
    name: 'prod',
    errors_url: `${config.baseUrl}/api/v4/projects/${project.id}/error_tracking/errors?environment=prod`
  })
})

t.test('an alert occurred last when it was reported last, whatever users and its end changed', async t => {
  const { call, send, project, alerts } = await openAlertedProject(t)
  const path = `/projects/${project.id}/alert_management_alerts/1`
  const read = async () => (await call('GET', path)).body

  await send({ title: 'Slow', fingerprint: 'slow' })
  const [first] = await alerts()
  t.same(first!.lastSeenAt, first!.createdAt)
  await send({ title: 'Slow', fingerprint: 'slow' })
  const repeated = await read()
  t.ok(new Date(repeated.last_seen_at) > first!.lastSeenAt)
  t.equal(repeated.last_seen_at, repeated.updated_at)
  await call('PUT', path, { status: 'acknowledged' })
  await send({ title: 'Slow', fingerprint: 'slow', end_time: new Date().toISOString() })
  const ended = await read()
  t.equal(ended.status, 'resolved')
  t.equal(ended.last_seen_at, repeated.last_seen_at)
  t.ok(ended.updated_at > repeated.updated_at)
})

t.test('an alert is shown with all its details', async t => {
  const { call, send, project } = await openAlertedProject(t)
  const path = `/projects/${project.id}/alert_management_alerts`
  const annotations = { runbook: 'https://wiki/slow', team: { name: 'a' }, gitlab_incident_markdown: '**look**', gitlab_y_label: 'ms' }
  const labels = { alertname: 'HighLatency', severity: 's2', gitlab_environment_name: 'prod' }

  await send(aWebhook([anItem({ annotations, labels })]))
  await send(aWebhook([anItem({ annotations, labels, status: 'resolved', endsAt: '2026-11-21T11:00:00Z' })]))

  hasExactly(t, (await call('GET', `${path}/1`)).body, {
    title: 'HighLatency',
    severity: 'high',
    status: 'resolved',
    ended_at: '2026-11-21T11:00:00.000Z',
    source: 'Prometheus',
    runbook: 'https://wiki/slow',
    metric_expression: 'latency > 1',
    service_environment_name: 'prod',
    gitlab_environment_name: 'prod',
    service_y_label: 'ms',
    gitlab_y_label: 'ms',
    service_incident_markdown: '**look**',
    gitlab_incident_markdown: '**look**',
    details: { team: { name: 'a' } },
    payload: { labels },
    notes: [{ system: true, action: 'status', body: 'resolved by the monitoring tool', author: null }],
    issue_iid: null,
    web_url: `http://tocsin.test/projects/${project.id}/alerts/1`
  })
  t.hasStrict(await call('GET', `${path}/2`), { status: 404, body: { message: 'Alert not found' } })
})
