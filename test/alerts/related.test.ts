import t from 'tap'
import { countOccurrences } from '#alerts/details/count-occurrences.ts'
import { findNeighbours, findRecurrences } from '#alerts/details/related-alert-store.ts'
import { anItem, aWebhook, openAlertedProject } from './alerting.ts'

t.test('alerts of one condition are found whenever it fired, with and without a fingerprint of the sender', async t => {
  const { send, alerts, platform } = await openAlertedProject(t)
  const iidsOf = async (n: number) =>
    (await findRecurrences(platform.fork(), (await alerts())[n]!, 10)).map(({ iid, status }) => [iid, status])
  const firing = (startsAt: string, members = {}) => aWebhook([anItem({ startsAt, ...members })])
  const nameless = { fingerprint: undefined, labels: { alertname: 'Nameless' } }

  await send(firing('2026-11-20T10:00:00Z'))
  await send(firing('2026-11-20T10:00:00Z', { status: 'resolved', endsAt: '2026-11-20T11:00:00Z' }))
  await send(firing('2026-11-21T10:00:00Z'))
  await send(firing('2026-11-21T10:00:00Z', nameless))
  await send(firing('2026-11-21T12:00:00Z', nameless))
  await send({ title: 'Disk full', fingerprint: 'disk' })
  await send({ title: 'Disk full', fingerprint: 'disk', end_time: '2026-11-21T11:00:00Z' })
  await send({ title: 'Disk is full again', fingerprint: 'disk' })

  t.same(await iidsOf(1), [[1, 'resolved']])
  t.same(await iidsOf(3), [[3, 'triggered']])
  t.same(await iidsOf(5), [[5, 'resolved']])
  t.same(await iidsOf(0), [[2, 'triggered']], 'later ones, too')
})

t.test('alerts that started within an hour are near, those of the same service or host first', async t => {
  const { send, alerts, platform } = await openAlertedProject(t)
  const at = (time: string) => `2026-11-21T${time}:00Z`

  await send({ title: 'The alert', fingerprint: 'a', service: 'shop', hosts: ['web-1'], start_time: at('10:00') })
  await send({ title: 'Near', fingerprint: 'b', start_time: at('10:05') })
  await send({ title: 'Same host', fingerprint: 'c', hosts: ['web-2', 'web-1'], start_time: at('09:10') })
  await send({ title: 'Same service', fingerprint: 'd', service: 'shop', start_time: at('10:50') })
  await send({ title: 'Too early', fingerprint: 'e', service: 'shop', start_time: at('08:59') })
  await send({ title: 'Too late', fingerprint: 'f', service: 'shop', start_time: at('11:01') })
  const titles = async (limit: number) => (await findNeighbours(platform.fork(), (await alerts())[0]!, limit)).map(({ title }) => title)

  t.same(await titles(10), ['Same host', 'Same service', 'Near'])
  t.same(await titles(1), ['Same host'])
})

t.test('occurrences are counted by hour, and those of a long alert by day', async t => {
  const { send, alerts, platform } = await openAlertedProject(t)
  const hourMs = 3_600_000
  const payload = { title: 'Disk full', fingerprint: 'disk' }

  for (let n = 0; n < 3; n++) await send(payload)
  const [alert] = await alerts()
  const { createdAt } = alert!
  const counts = async (hours: number) => {
    const { interval, counts } = await countOccurrences(platform.fork(), alert!, new Date(createdAt.getTime() + hours * hourMs))

    return { interval, length: counts.length, events: counts.map(({ events }) => events).filter(events => events > 0) }
  }
  // The next hour may begin between two of them.
  const total = ({ events }: { events: number[] }) => events.reduce((sum, n) => sum + n, 0)

  const now = await counts(0)
  t.hasStrict(now, { interval: 'hour', length: 12 })
  t.equal(total(now), 3)
  await platform.pool.query(
    `INSERT INTO alert_hours (alert_id, hour, events)
     SELECT id, date_trunc('hour', created_at, 'UTC') + interval '20 hours', 5 FROM alerts`
  )
  await platform.pool.query('UPDATE alerts SET events = events + 5')
  alert!.events += 5
  const later = await counts(20)
  t.equal(later.events.at(-1), 5)
  t.equal(total(later), 8)
  const long = await counts(72)
  t.hasStrict(long, { interval: 'day', length: 30 })
  t.equal(total(long), 8)
})
