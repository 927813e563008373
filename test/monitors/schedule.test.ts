import t from 'tap'
import { isCrontab, nextRun, readSchedule } from '#monitors/schedule.ts'

const next = (schedule: unknown, after: string, timezone = 'UTC') =>
  nextRun(readSchedule(schedule)!, timezone, new Date(after)).toISOString()
const crontab = (value: string) => ({ type: 'crontab', value })
const interval = (value: number, unit: string) => ({ type: 'interval', value, unit })

t.test('a crontab is read in its time zone, also where clocks change', async t => {
  t.equal(next(crontab('0 * * * *'), '2026-11-27T10:00:00Z'), '2026-11-27T11:00:00.000Z')
  t.equal(next(crontab('30 3 * * MON'), '2026-11-27T10:00:00Z'), '2026-11-30T03:30:00.000Z')
  t.equal(next(crontab('@daily'), '2026-11-27T10:00:00Z', 'Europe/Berlin'), '2026-11-27T23:00:00.000Z')
  t.equal(next(crontab('30 2 * * *'), '2027-03-27T02:00:00Z', 'Europe/Berlin'), '2027-03-28T01:30:00.000Z', 'an hour that does not exist')
  t.equal(
    next(crontab('0 9 * * *'), '2026-10-24T12:00:00Z', 'Europe/Berlin'),
    '2026-10-25T08:00:00.000Z',
    'after the hour that exists twice'
  )
})

t.test('an interval is counted from the run before', async t => {
  t.equal(next(interval(5, 'minute'), '2026-11-27T10:02:03Z'), '2026-11-27T10:07:03.000Z')
  t.equal(next(interval(2, 'week'), '2026-11-27T10:00:00Z'), '2026-12-11T10:00:00.000Z')
  t.equal(next(interval(1, 'month'), '2027-01-31T10:00:00Z'), '2027-02-28T10:00:00.000Z')
  t.equal(next(interval(1, 'year'), '2028-02-29T10:00:00Z'), '2029-02-28T10:00:00.000Z')
})

t.test('what is no schedule is none', async t => {
  for (const text of ['', 'hourly', '* * * *', '* * * * * *', '61 * * * *', '0 0 31 2 *', `0 * * * ${'1,'.repeat(60)}1`]) {
    t.equal(isCrontab(text), false, text)
  }
  for (const wrong of [
    null,
    'daily',
    [],
    crontab('x'),
    interval(0, 'minute'),
    interval(1.5, 'hour'),
    interval(1, 'second'),
    { type: 'cron', value: '@daily' }
  ]) {
    t.equal(readSchedule(wrong), undefined, JSON.stringify(wrong))
  }
})
