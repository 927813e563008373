import t from 'tap'
import { ago, duration, timeIn, writeTimes } from '#pages/layout/time.ts'
import { openApp } from '../support/world.ts'
import { Visitor } from './visitor.ts'

const at = new Date('2026-07-01T22:30:00Z')

t.test('a relative time has the full time in the time zone of the reader as its title', async t => {
  const page = String(ago(at, new Date('2026-07-02T03:30:00Z')))

  t.match(writeTimes(page, 'Europe/Berlin'), /title="2 Jul 2026, 00:30:00 (CEST|GMT\+2)">5 hours ago</)
  t.match(writeTimes(page, 'UTC'), /title="1 Jul 2026, 22:30:00 UTC">5 hours ago</)
  t.match(writeTimes(String(timeIn('day', at)), 'Europe/Berlin'), /">2 Jul 2026<\/time>/)
  t.match(String(ago(new Date('2026-07-02T06:30:00Z'), at)), />in 8 hours</)
})

t.test('relative times count whole minutes, as durations do', async t => {
  const textAt = (seconds: number) => />(.+)</.exec(String(ago(at, new Date(at.getTime() + seconds * 1000))))?.[1]

  t.same([0, 59, 60, 90, 119.9, 120].map(textAt), ['just now', 'just now', '1 minute ago', '1 minute ago', '1 minute ago', '2 minutes ago'])
  t.same([-5, -45, -61, -299, -300].map(textAt), ['just now', 'in 1 minute', 'in 1 minute', 'in 5 minutes', 'in 5 minutes'])
  t.equal(duration(119_900), '1 min')
})

t.test('durations have two units', async t => {
  t.same([40_000, 600_000, 7_800_000, 7_200_000, 273_600_000, -5].map(duration), ['40 s', '10 min', '2 h 10 min', '2 h', '3 d 4 h', '0 s'])
})

t.test('pages show times in the time zone of the profile, else of the browser', async t => {
  const { app } = await openApp(t)
  const visitor = new Visitor(app)
  const zoneOfPage = async () => /title="[^"]+, [\d:]{8} ([^"]+)"/.exec((await visitor.get('/-/profile/sessions')).body)?.[1]

  await visitor.signIn()
  t.equal(await zoneOfPage(), 'UTC')
  visitor.cookies.time_zone = 'Asia/Tokyo'
  t.equal(await zoneOfPage(), 'GMT+9')
  visitor.cookies.time_zone = '"><b>'
  t.equal(await zoneOfPage(), 'UTC', 'an unknown time zone is ignored')

  await visitor.get('/-/profile')
  t.equal((await visitor.post('/-/profile', { name: 'Root', time_zone: 'Asia/Dubai' })).statusCode, 303)
  t.equal(await zoneOfPage(), 'GST')
  t.match(await visitor.post('/-/profile', { name: 'Root', time_zone: 'Mars' }), {
    statusCode: 400,
    body: /Choose a time zone from the list/
  })
})
