import t from 'tap'
import { openAlertedProject, whileLocked } from './alerting.ts'

const slow = { title: 'Slow', fingerprint: 'slow' }
const endTime = '2026-11-21T11:00:00.000Z'

for (const status of ['triggered', 'acknowledged', 'ignored']) {
  t.test(`an ${status} alert counts further events, and its end time resolves it`, async t => {
    const { send, call, project } = await openAlertedProject(t)
    const path = `/projects/${project.id}/alert_management_alerts`
    const alerts = async () => {
      const { body } = await call('GET', `${path}?sort=asc`)

      return body.map((alert: Record<string, unknown>) => [alert.iid, alert.status, alert.event_count, alert.ended_at])
    }
    const actions = async () => (await call('GET', `${path}/1/notes`)).body.map(({ body }: { body: string }) => body)

    await send(slow)
    await call('PUT', `${path}/1`, { status })
    await send(slow)
    await send(slow)
    t.same(await alerts(), [[1, status, 3, null]])

    await send({ ...slow, end_time: endTime })
    t.same(await alerts(), [[1, 'resolved', 3, endTime]])
    t.match((await actions()).at(-1), /^resolved by the monitoring tool/)

    await send({ ...slow, end_time: endTime })
    t.same(await alerts(), [[1, 'resolved', 3, endTime]], 'there is no open alert to resolve')

    await send(slow)
    t.same(await alerts(), [
      [1, 'resolved', 3, endTime],
      [2, 'triggered', 1, null]
    ])
    t.same((await call('GET', `${path}/2/notes`)).body, [], 'a new alert has no notes')

    await call('PUT', `${path}/2`, { status })
    t.same((await call('PUT', `${path}/1`, { status: 'triggered' })).body, {
      message: { fingerprint: ['Cannot have multiple unresolved alerts'] }
    })
  })
}

t.test('a change sees the status that a concurrent change has set', async t => {
  const { send, call, project, platform } = await openAlertedProject(t)
  const resolve = () => call('PUT', `/projects/${project.id}/alert_management_alerts/1`, { status: 'resolved' })

  await send(slow)
  const before = Date.now()
  const { status, body: alert } = await whileLocked(platform.pool, `UPDATE alerts SET status = 'acknowledged' WHERE iid = 1`, resolve)
  const { body } = await call('GET', `/projects/${project.id}/audit_events`)

  t.equal(status, 200)
  t.ok(Date.parse(alert.ended_at) >= before, 'it ends at the time of the change')
  t.same([body[0].details.from, body[0].details.to], ['acknowledged', 'resolved'])
})

t.test('an alert of a later request is updated at the time of its arrival', async t => {
  const { send, call, project, platform } = await openAlertedProject(t)
  const path = `/projects/${project.id}/alert_management_alerts/1`

  await send(slow)
  await platform.pool.query(`UPDATE alerts SET updated_at = '2026-01-01'`)
  await send(slow)
  t.not((await call('GET', path)).body.updated_at, '2026-01-01T00:00:00.000Z')
})

t.test('an end time before the start resolves an alert, and its history says that the time is wrong', async t => {
  const { send, call, project } = await openAlertedProject(t)
  const path = `/projects/${project.id}/alert_management_alerts`
  const lastNote = async (iid: number) => (await call('GET', `${path}/${iid}/notes`)).body.at(-1).body

  await send({ ...slow, start_time: '2026-11-21T12:00:00Z' })
  await send({ ...slow, end_time: endTime })
  t.equal((await call('GET', `${path}/1`)).body.status, 'resolved')
  t.equal(
    await lastNote(1),
    'resolved by the monitoring tool. The end time that it sent, **21 Nov 2026, 11:00 UTC**, is before the start: check its clock and its payload'
  )
  await send({ ...slow, start_time: '2026-11-21T10:00:00Z' })
  await send({ ...slow, end_time: endTime })
  t.equal(await lastNote(2), 'resolved by the monitoring tool')
})
