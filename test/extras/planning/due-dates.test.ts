import t from 'tap'
import { notifyOfDueIssues } from '#extras/planning/notify-of-due-issues.ts'
import { openApp } from '../../support/world.ts'

const dayMs = 24 * 3_600_000
const dayOf = (at: Date) => at.toISOString().slice(0, 10)
const inDays = (days: number, from = new Date()) => dayOf(new Date(from.getTime() + days * dayMs))

t.test('an issue has a due date, which can be changed and removed', async t => {
  const { call } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const path = `/projects/${project.id}/issues`
  const edit = async (due_date: unknown) => (await call('PUT', `${path}/1`, { due_date })).body

  t.equal((await call('POST', path, { title: 'One', due_date: '2030-02-28' })).body.due_date, '2030-02-28')
  t.equal((await edit('2030-03-01')).due_date, '2030-03-01')
  t.equal((await edit('2030-03-01')).due_date, '2030-03-01', 'the same day is no change')
  t.equal((await edit('')).due_date, null)
  t.equal((await edit('2030-04-01')).due_date, '2030-04-01')
  t.equal((await edit(null)).due_date, null)
  for (const wrong of ['2030-02-29', 'tomorrow', 5])
    t.equal((await call('PUT', `${path}/1`, { due_date: wrong })).status, 400, String(wrong))
  t.equal((await call('POST', path, { title: 'Two' })).body.due_date, null)
  const { body: notes } = await call('GET', `${path}/1/notes?sort=asc`)

  t.same(
    notes.map(({ body }: { body: string }) => body),
    ['changed due date to 2030-03-01', 'removed due date', 'changed due date to 2030-04-01', 'removed due date']
  )
})

t.test('issues are filtered by their due date', async t => {
  const { call } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const path = `/projects/${project.id}/issues`
  const now = new Date()
  const monday = inDays(-((now.getUTCDay() + 6) % 7))
  const sunday = inDays(6, new Date(monday))
  const month = (offset: number, day: number) => dayOf(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, day)))
  const days = {
    none: null,
    yesterday: inDays(-1),
    today: inDays(0),
    tomorrow: inDays(1),
    monday,
    sunday,
    beforeMonday: inDays(-1, new Date(monday)),
    afterSunday: inDays(1, new Date(sunday)),
    firstOfMonth: month(0, 1),
    lastOfMonth: month(1, 0),
    beforeMonth: month(0, 0),
    firstOfNext: month(1, 1),
    lastOfNext: month(2, 0),
    afterNext: month(2, 1),
    twoWeeksAgo: inDays(-14),
    longAgo: inDays(-15)
  }
  /** Between two days, both of them included. */
  const between = (from: string, to: string) => (day: string | null) => day !== null && day >= from && day <= to
  const table: Record<string, (day: string | null) => boolean> = {
    '0': day => day === null,
    none: day => day === null,
    any: day => day !== null,
    today: day => day === inDays(0),
    tomorrow: day => day === inDays(1),
    overdue: day => day !== null && day < inDays(0),
    week: between(monday, sunday),
    month: between(month(0, 1), month(1, 0)),
    next_month_and_previous_two_weeks: between(inDays(-14), month(2, 0))
  }

  for (const [title, due_date] of Object.entries(days)) await call('POST', path, { title, due_date })
  for (const [filter, isFound] of Object.entries(table)) {
    const { body } = await call('GET', `${path}?due_date=${filter}&sort=asc&per_page=100`)
    const expected = Object.entries(days).flatMap(([title, day]) => (isFound(day) ? [title] : []))

    t.same(
      body.map(({ title }: { title: string }) => title),
      expected,
      filter
    )
  }
  t.equal((await call('GET', `${path}?due_date=someday`)).status, 400)
})

t.test('issues are ordered by their due date, and those without are last', async t => {
  const { call } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const path = `/projects/${project.id}/issues`
  const titles = async (query: string) =>
    (await call('GET', `${path}?order_by=due_date&${query}`)).body.map((issue: { title: string }) => issue.title)

  for (const [title, due_date] of [['never'], ['late', '2030-05-01'], ['soon', '2030-01-01'], ['also never']])
    await call('POST', path, { title, due_date })
  t.same(await titles('sort=asc'), ['soon', 'late', 'never', 'also never'])
  t.same(await titles('sort=desc'), ['late', 'soon', 'also never', 'never'])

  for (const [sort, expected] of [
    ['asc', ['soon', 'late', 'never', 'also never']],
    ['desc', ['late', 'soon', 'also never', 'never']]
  ] as const) {
    const found: string[] = []

    for (let url: string | undefined = `${path}?order_by=due_date&sort=${sort}&pagination=keyset&per_page=1`; url; ) {
      const { body, headers } = await call('GET', url)

      found.push(body[0].title)
      url = /<[^>]*\/api\/v4([^>]+)>; rel="next"/.exec(String(headers.link))?.[1]
    }
    t.same(found, expected, `by keyset, ${sort}`)
  }
})

t.test('an open issue that is due tomorrow is reported once for each due date', async t => {
  const { call, platform } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const { body: old } = await call('POST', '/projects', { name: 'Old' })
  const path = `/projects/${project.id}/issues`
  const at = new Date('2030-01-06T12:00:00Z')
  const reported = async () =>
    (
      await platform.pool.query(
        `SELECT i.title, o.actor_id FROM outbox o JOIN issues i ON i.id = o.subject_id WHERE o.kind = 'issue.due' ORDER BY o.id`
      )
    ).rows.map(({ title, actor_id }) => (actor_id === null ? title : `${title} by ${actor_id}`))

  await call('POST', path, { title: 'Tomorrow', due_date: '2030-01-07' })
  await call('POST', path, { title: 'Today', due_date: '2030-01-06' })
  await call('POST', path, { title: 'Later', due_date: '2030-01-08' })
  await call('POST', path, { title: 'Someday' })
  const { body: closed } = await call('POST', path, { title: 'Closed', due_date: '2030-01-07' })

  await call('PUT', `${path}/${closed.iid}`, { state_event: 'close' })
  await call('POST', `/projects/${old.id}/issues`, { title: 'Archived', due_date: '2030-01-07' })
  await call('POST', `/projects/${old.id}/archive`)

  await notifyOfDueIssues(platform.fork(), at)
  await notifyOfDueIssues(platform.fork(), at)
  t.same(await reported(), ['Tomorrow'])

  await call('PUT', `${path}/1`, { due_date: '2030-01-20' })
  await notifyOfDueIssues(platform.fork(), new Date('2030-01-19T23:59:59Z'))
  t.same(await reported(), ['Tomorrow', 'Tomorrow'], 'it was put off')
})
