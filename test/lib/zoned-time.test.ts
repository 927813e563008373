import t from 'tap'
import { fromLocalTime, toLocalTime } from '#lib/zoned-time.ts'

t.test('a time is shown as clocks in a zone show it, and read back', async t => {
  const at = new Date('2026-07-01T07:30:00Z')

  t.equal(toLocalTime(at, 'Europe/Berlin'), '2026-07-01T09:30')
  t.equal(toLocalTime(at, 'America/St_Johns'), '2026-07-01T05:00')
  for (const zone of ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Auckland'])
    t.same(fromLocalTime(toLocalTime(at, zone), zone), at, zone)
})

t.test('the offset is that of the day, also next to a change of clocks', async t => {
  t.same(fromLocalTime('2026-03-29T01:30', 'Europe/Berlin'), new Date('2026-03-29T00:30:00Z'))
  t.same(fromLocalTime('2026-03-29T09:00', 'Europe/Berlin'), new Date('2026-03-29T07:00:00Z'))
  t.same(fromLocalTime('2026-10-25T09:00', 'Europe/Berlin'), new Date('2026-10-25T08:00:00Z'))
})

t.test('other texts are no times', async t => {
  for (const text of ['', 'tomorrow', '2026-02-30T09:00']) t.equal(fromLocalTime(text, 'UTC'), undefined, text)
})
