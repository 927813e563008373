import t from 'tap'
import { fromLocalTime, toLocalTime } from '../../src/pages/projects/alerts/list/zoned-time.ts'

t.test('a local time is read in its zone, also around daylight saving time', async t => {
  for (const [zone, local, utc] of [
    ['UTC', '2026-11-23T03:15', '2026-11-23T03:15:00.000Z'],
    ['Europe/Vienna', '2026-11-23T03:15', '2026-11-23T02:15:00.000Z'],
    ['Europe/Vienna', '2026-07-23T03:15', '2026-07-23T01:15:00.000Z'],
    ['Europe/Vienna', '2026-03-29T01:59', '2026-03-29T00:59:00.000Z'],
    ['Europe/Vienna', '2026-03-29T03:00', '2026-03-29T01:00:00.000Z'],
    ['America/New_York', '2026-11-01T00:30', '2026-11-01T04:30:00.000Z'],
    ['America/New_York', '2026-11-01T03:00', '2026-11-01T08:00:00.000Z'],
    ['Asia/Kolkata', '2026-01-01T00:00', '2025-12-31T18:30:00.000Z'],
    ['Pacific/Kiritimati', '2026-01-01T00:00', '2025-12-31T10:00:00.000Z']
  ] as const) {
    t.equal(fromLocalTime(local, zone)?.toISOString(), utc, `${local} in ${zone}`)
    t.equal(toLocalTime(new Date(utc), zone), local)
  }
})

t.test('other forms of a time', async t => {
  const read = (text: string) => fromLocalTime(text, 'Asia/Kolkata')?.toISOString()

  t.equal(read('2026-11-23'), '2026-11-22T18:30:00.000Z', 'midnight')
  t.equal(read('2026-11-23 10:00:30'), '2026-11-23T04:30:30.000Z')
  t.equal(read('2026-11-23T10:00Z'), '2026-11-23T10:00:00.000Z')
  t.equal(read('2026-11-23T10:00+02:00'), '2026-11-23T08:00:00.000Z')
  for (const wrong of ['', 'x', '2026-02-30T10:00', '2026-11-23T25:00']) t.equal(read(wrong), undefined, wrong)
})
