import t, { type Test } from 'tap'
import { openAlertedProject } from '../alerts/alerting.ts'
import { eventually } from '../support/world.ts'
import { Visitor } from './visitor.ts'

const password = 'a password of ann'
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const titlesIn = (body: string) => [...body.matchAll(/data-row id="alert-\d+"[\s\S]*?<strong>([^<]+)/g)].map(([, title]) => title)
const idsIn = (body: string) => [...body.matchAll(/data-row id="alert-(\d+)"/g)].map(([, id]) => Number(id))
const linkIn = (body: string, rel: string) => new RegExp(`rel="${rel}" href="([^"]+)"`).exec(body)?.[1]?.replaceAll('&#38;', '&')
const flashIn = (body: string) => /<div class="flash"[^>]*><p>([^<]+)/.exec(body)?.[1]

async function openTeam(t: Test) {
  const world = await openAlertedProject(t)
  const { app, call, project, platform } = world
  const root = new Visitor(app)

  await root.get('/users/sign_in')
  await root.signIn()

  return {
    ...world,
    root,
    path: `/projects/${project.id}/alerts`,
    alertPath: `/projects/${project.id}/alert_management_alerts`,
    /** A visitor who is signed in as a new user. */
    async aMember(username: string) {
      const { body: user } = await call('POST', '/users', { username, name: username, email: `${username}@example.com`, password })
      const visitor = new Visitor(app)

      await visitor.get('/users/sign_in')
      await visitor.signIn({ login: username, password })
      await visitor.post('/users/password', { password: 'another password', again: 'another password' })
      await visitor.get('/-/profile')

      return {
        user,
        visitor,
        join: (id: number, level: number) => call('POST', `/projects/${id}/members`, { user_id: user.id, access_level: level })
      }
    },
    /** Many alerts, with equal values in each column. */
    fill: (projectId: number, alerts: number, status = 'triggered') =>
      platform.pool.query(
        `INSERT INTO alerts (project_id, iid, kind, severity, status, title, payload, events, started_at, last_seen_at, created_at, updated_at)
         SELECT $1, 1000 + n, 'generic', (enum_range(NULL::alert_severity))[1 + n % 6], $3, 'Alert ' || n, '{}', n % 4,
           now() - n % 7 * interval '1 minute', now() - n % 5 * interval '1 minute', now(), now() FROM generate_series(1, $2) n`,
        [projectId, alerts, status]
      )
  }
}

t.test('alerts are sorted, filtered and counted', async t => {
  const { root, path, alertPath, send, call, integration } = await openTeam(t)
  const cpu = {
    title: 'CPU',
    severity: 'high',
    service: 'web',
    service_environment_name: 'live',
    fingerprint: 'cpu',
    start_time: minutesAgo(30)
  }
  const disk = {
    title: 'Disk',
    severity: 'low',
    service: 'db',
    service_environment_name: 'live',
    fingerprint: 'disk',
    start_time: minutesAgo(180.2)
  }
  const slow = { title: 'Slow', severity: 'critical', monitoring_tool: 'Probe', fingerprint: 'slow', start_time: minutesAgo(130.2) }
  const list = async (query: string) => (await root.get(`${path}?${query}`)).body

  for (const alert of [cpu, disk, slow, cpu, cpu, disk]) await send(alert)
  await call('PUT', `${alertPath}/2`, { assignee_ids: [1] })
  for (const [query, titles] of [
    ['', ['Slow', 'CPU', 'Disk']],
    ['sort=newest', ['CPU', 'Slow', 'Disk']],
    ['sort=oldest', ['Disk', 'Slow', 'CPU']],
    ['sort=severity', ['Slow', 'CPU', 'Disk']],
    ['sort=last_seen', ['Disk', 'CPU', 'Slow']],
    ['sort=events', ['CPU', 'Disk', 'Slow']],
    ['sort=nonsense&status=nonsense', ['Slow', 'CPU', 'Disk']],
    ['severity=high', ['CPU']],
    ['severity=high%2B', ['Slow', 'CPU']],
    ['severity=high%2B&sort=severity', ['Slow', 'CPU']],
    ['service=db', ['Disk']],
    ['environment=live&sort=events', ['CPU', 'Disk']],
    ['assignee=me', ['Disk']],
    ['assignee=1&sort=severity&service=web', []],
    ['assignee=none', ['Slow', 'CPU']],
    ['assignee=any', ['Disk']],
    ['started=1h', ['CPU']],
    [`integration=${integration.id}`, ['Slow', 'CPU', 'Disk']],
    ['integration=999999', []],
    ['search=SLO', ['Slow']],
    ['search=probe&severity=critical&sort=last_seen', ['Slow']],
    ['search=db+dis', ['Disk']],
    ['search=%22db+dis%22', []],
    ['search=http:500', []],
    ['search=%25', []]
  ] as const)
    t.same(titlesIn(await list(query)), titles, query)

  await call('PUT', `${alertPath}/1`, { status: 'acknowledged' })
  await send({ ...slow, end_time: minutesAgo(5.2) })
  for (const [status, titles] of [
    ['open', ['CPU', 'Disk']],
    ['triggered', ['Disk']],
    ['acknowledged', ['CPU']],
    ['resolved', ['Slow']],
    ['ignored', []],
    ['all', ['Disk', 'CPU', 'Slow']]
  ] as const)
    t.same(titlesIn(await list(`status=${status}`)), titles, status)

  const all = await list('status=all')
  const tabs = [...all.matchAll(/status=\w+"(?: aria-current="page")?>(\w+ \d+)<|alerts" *>(\w+ \d+)</g)].map(
    ([, tab, open]) => tab ?? open
  )
  t.same(tabs, ['Open 2', 'Triggered 1', 'Acknowledged 1', 'Resolved 1', 'Ignored 0', 'All 3'])
  t.match(all, /<b>3<\/b> <span>occurrences<\/span>/)
  t.match(all, /firing 3 h</)
  t.match(all, /lasted 2 h 5 min</)
  t.match(all, /acknowledged<\/span> <span>by @root <time[^>]+>just now</)
  t.match(await list('status=ignored'), 'No alerts match these filters.')
  t.match(await list('service=none'), /Clear filters/)
  t.match(await list('environment=live&started=7d'), /More filters <span class="count">2</)
  t.notMatch(await list('search=disk'), 'Open 1', 'matches of a text are not counted')
})

t.test('conditions in the search field become filters, and words stay', async t => {
  const { root, path, send, call, integration, alertPath } = await openTeam(t)
  const search = (text: string) => root.get(`${path}?search=${encodeURIComponent(text)}`)

  await send({ title: 'CPU: 98 %', severity: 'high', service: 'web shop', service_environment_name: 'live', hosts: ['a', 'b'] })
  await send({ title: 'Disk', severity: 'low' })
  await call('PUT', `${alertPath}/1`, { assignee_ids: [1] })
  for (const [text, address] of [
    ['severity:high+ 98', 'search=98&severity=high%2B'],
    ['service:"web shop" env:live', 'service=web+shop&environment=live'],
    ['is:assigned', 'assignee=any'],
    ['assigned:me cpu', 'search=cpu&assignee=me'],
    ['assignee:@ROOT', 'assignee=1'],
    [`cpu integration:"${integration.name}"`, `search=cpu&integration=${integration.id}`],
    ['98 started:<36h', 'search=98&started=36h'],
    ['is:all is:unassigned', 'status=all&assignee=none']
  ] as const) {
    const { headers } = await search(text)

    t.equal(headers.location, `${path}?${address}`, text)
    t.same(titlesIn((await root.get(headers.location as string)).body), [text.includes('unassigned') ? 'Disk' : 'CPU: 98 %'], text)
  }
  t.match((await search('started:>1d')).headers.location, /\?to=20\d\d-/)
  t.same(titlesIn((await search('CPU: 98')).body), ['CPU: 98 %'], 'a colon after a word is text')
  t.same(titlesIn((await search('"severity:high"')).body), [], 'a condition in quotes is text')
  for (const [text, problem] of [
    ['is:nonsense', 'is:nonsense is not supported. Use is: with open, triggered'],
    ['severty:high', 'Unknown condition severty. Did you mean severity:high?'],
    ['severity:bad', 'severity:bad is not supported. Use severity: with critical'],
    ['assigned:nobody', 'there is no user with this name'],
    ['integration:none', 'there is no integration with this name'],
    ['project:shop', 'this list is of one project'],
    ['started:yesterday', 'started:yesterday is not a time.'],
    ['service:', 'service: needs a value'],
    ['"open', 'a quotation mark without its end']
  ] as const) {
    const { statusCode, body } = await search(text)

    t.equal(statusCode, 400, text)
    t.ok(body.includes(problem), `${text}: ${problem}`)
    t.ok(body.includes(`value="${text.replaceAll('"', '&#34;')}"`), `${text} is still in the field`)
  }
  const { body } = await root.get(path)
  t.match(body, /web shop<\/span><span> · live<\/span><span> · a \+1</, 'service, environment and host')
  t.match(body, /aria-label="24h: 1 in total/)
})

t.test('alerts are filtered by any times, which are those of the reader and mean the same in every link', async t => {
  const { root, path, send, fill, project, platform } = await openTeam(t)
  const alert = (title: string, startTime: string) => send({ title, fingerprint: title, start_time: startTime })
  const list = (query: string) => root.get(`${path}?${query}`)

  await alert('Night', '2026-10-01T01:30:00Z')
  await alert('Morning', '2026-10-01T06:30:00Z')
  await alert('Noon', '2026-10-01T11:00:00Z')
  await platform.pool.query(`UPDATE users SET time_zone = 'Asia/Kolkata' WHERE id = 1`)
  for (const [query, titles] of [
    ['from=2026-10-01T06:00Z', ['Noon', 'Morning']],
    ['to=2026-10-01T06:30Z', ['Morning', 'Night']],
    ['from=2026-10-01T06:31Z&to=2026-10-01T10:59Z', []],
    ['from=2026-10-01T06:00Z&started=1h', []],
    ['from=2026-10-01T06:00Z&search=noo&sort=events', ['Noon']]
  ] as const)
    t.same(titlesIn((await list(query)).body), titles, query)

  const { location } = (await list('from=2026-10-01T12:00&to=2026-10-01%2016:29&sort=oldest')).headers
  t.equal(location, `${path}?from=2026-10-01T06%3A30Z&to=2026-10-01T10%3A59Z&sort=oldest`, 'half past five hours ahead of UTC')
  const { body } = await root.get(location as string)
  t.same(titlesIn(body), ['Morning'])
  t.match(body, /name="from" value="2026-10-01T12:00"/)
  t.match(body, 'Times are in Asia/Kolkata.')
  t.match(body, 'More filters <span class="count">2</span>')
  t.match(body, '<input type="hidden" name="to" value="2026-10-01T10:59Z">', 'changes of all that match have the same times')

  await fill(project.id, 30)
  const next = linkIn((await list('from=2026-10-01T06:00Z&sort=newest')).body, 'next')
  t.match(next, 'from=2026-10-01T06%3A00Z')
  t.same(titlesIn((await root.get(next!)).body).slice(-2), ['Noon', 'Morning'])

  for (const [query, message] of [
    ['from=yesterday', '“yesterday” is not a date and time such as 2026-11-23T03:15.'],
    ['to=2026-02-30T10:00', '“2026-02-30T10:00” is not a date and time such as 2026-11-23T03:15.'],
    ['from=2026-13-01T00:00Z', '“2026-13-01T00:00Z” is not a date and time such as 2026-11-23T03:15.'],
    ['to=0001-01-01T00:00%2B05:30', 'is not a date and time such as 2026-11-23T03:15.'],
    ['from=2026-10-02T00:00Z&to=2026-10-01T00:00Z', 'This is before the start of the range.'],
    ['severity=bananas', '“bananas” is not a severity. Use critical, high, medium, low, info, unknown, and add + to include worse ones.'],
    ['assignee=@ann', '“@ann” is not an assignee. Use me, none, any or the id of a user.'],
    ['integration=mine', '“mine” is not the id of an integration.']
  ] as const) {
    const refused = await list(query)

    t.equal(refused.statusCode, 400)
    t.match(refused.body, message)
    t.same(titlesIn(refused.body), [])
    t.notMatch(refused.body, 'No alerts match', 'only the problem is shown')
  }
  const all = { all: '1', change: 'resolved', from: 'yesterday' }
  t.equal((await root.post(`${path}/bulk`, all)).statusCode, 400, 'and nothing is changed')
  t.match((await list('status=resolved')).body, 'Resolved 0')
  await root.post(`${path}/bulk`, { ...all, from: '2026-10-01T12:00', to: '2026-10-01T12:00' })
  t.same(titlesIn((await list('status=resolved')).body), ['Morning'])
})

t.test('each order has pages both ways that keep the filter, over several projects', async t => {
  const { root, project, call, fill, platform } = await openTeam(t)
  const { body: other } = await call('POST', '/projects', { name: 'Other' })
  const orders = {
    triage: 'status, severity, started_at DESC, id DESC',
    newest: 'started_at DESC, id DESC',
    oldest: 'started_at, id',
    severity: 'severity, status, started_at DESC, id DESC',
    last_seen: 'last_seen_at DESC, id DESC',
    events: 'events DESC, id DESC'
  }

  await fill(project.id, 40)
  await fill(other.id, 30)
  await platform.pool.query("UPDATE alerts SET status = 'acknowledged' WHERE id % 3 = 0")
  await platform.pool.query('INSERT INTO alert_assignees (alert_id, user_id) SELECT id, 1 FROM alerts WHERE id % 5 > 0')
  for (const [sort, order] of Object.entries(orders)) {
    for (const [filter, condition] of [
      ['', 'true'],
      ['&severity=medium%2B', "severity <= 'medium'"],
      ['&assignee=me&severity=medium%2B', "severity <= 'medium' AND id % 5 > 0"],
      ['&search=alert&severity=medium%2B', "severity <= 'medium'"]
    ]) {
      const { rows } = await platform.pool.query(`SELECT id FROM alerts WHERE ${condition} ORDER BY ${order}`)
      const pages: number[][] = []
      let next: string | undefined = `/alerts?sort=${sort}${filter}`
      let back: string | undefined

      while (next) {
        const body: string = (await root.get(next)).body

        pages.push(idsIn(body))
        back = linkIn(body, 'prev')
        next = linkIn(body, 'next')
        if (next && filter) t.match(next, 'severity=medium%2B')
      }
      t.same(
        pages.flat(),
        rows.map(({ id }) => id),
        `${sort}${filter}`
      )
      for (const page of pages.slice(0, -1).reverse()) {
        const body: string = (await root.get(back!)).body

        t.same(idsIn(body), page, `${sort}${filter}, backwards`)
        back = linkIn(body, 'prev')
      }
      t.equal(back, undefined, 'the first page has none before it')
    }
  }
  t.equal((await root.get('/alerts?cursor=nonsense')).statusCode, 400)
  t.same(idsIn((await root.get(`/alerts?project=${other.id}`)).body).length, 25)
  t.same(idsIn((await root.get('/alerts?project=999999')).body), [])
})

t.test('selected alerts are changed once; the others are left out with the reason', async t => {
  const { root, path, alertPath, send, call, alerts, platform, project, aMember } = await openTeam(t)
  const ann = await aMember('ann')

  for (const title of ['One', 'Two', 'Three']) await send({ title, fingerprint: title })
  const ids = (await alerts()).map(({ id }) => String(id))
  const change = async (fields: Record<string, string | string[]>) => {
    const { statusCode, headers } = await root.post(`${path}/bulk`, fields)

    t.equal(statusCode, 303)

    return { location: headers.location, text: flashIn((await root.get(headers.location!)).body) }
  }
  const statuses = async () => (await alerts()).map(({ status }) => status)

  t.same(await change({ change: 'acknowledged', id: ids.slice(0, 2), severity: 'high+', sort: 'oldest', cursor: '' }), {
    location: `${path}?severity=high%2B&sort=oldest`,
    text: '2 alerts were acknowledged.'
  })
  t.same(await statuses(), ['acknowledged', 'acknowledged', 'triggered'])
  t.equal(
    (await change({ change: 'acknowledged', id: ids })).text,
    '1 alert was acknowledged. 2 were left out: already acknowledged.',
    'twice is once'
  )
  const notes = `SELECT n.body, count(*)::integer FROM alert_notes n GROUP BY n.body`
  t.same((await platform.pool.query(notes)).rows, [{ body: 'changed the status to **acknowledged**', count: 3 }])
  const audited = `SELECT (details->>'target_id')::integer AS iid, details->>'from' AS before, details->>'to' AS after FROM audit_events
    WHERE name = 'alert_updated' ORDER BY 1`
  t.same(
    (await platform.pool.query(audited)).rows,
    [1, 2, 3].map(iid => ({ iid, before: 'triggered', after: 'acknowledged' }))
  )

  t.equal((await change({ change: 'resolved', id: [ids[0]!, '999999'] })).text, '1 alert was resolved. 1 was left out: not found.')
  t.equal((await change({ change: 'acknowledged', id: ids[0]! })).text, '0 alerts were acknowledged. 1 was left out: already resolved.')
  await send({ title: 'One', fingerprint: 'One' })
  await call('PUT', `${alertPath}/4`, { status: 'resolved' })
  const both = [ids[0]!, String((await alerts())[3]!.id)]
  t.equal(
    (await change({ change: 'triggered', id: both })).text,
    '1 alert was reopened. 1 was left out: another alert of the same kind is open.',
    'of two alerts with one fingerprint, one is open'
  )
  t.equal((await change({ change: 'ignored', id: ids[1]! })).text, '1 alert was ignored.')
  t.same(await statuses(), ['triggered', 'ignored', 'acknowledged', 'resolved'])

  const assignees = async () =>
    (await call('GET', `${alertPath}?sort=asc`)).body.map((alert: { assignees: { username: string }[] }) =>
      alert.assignees.map(({ username }) => username).join()
    )
  t.equal(
    (await change({ change: 'assign', assign_to: String(ann.user.id), id: ids })).text,
    '0 alerts were assigned. 3 were left out: the assignee is not a member of the project.'
  )
  await ann.join(project.id, 30)
  await change({ change: 'assign', assign_to: '1', id: ids[0]! })
  t.equal((await change({ change: 'assign', assign_to: String(ann.user.id), id: ids.slice(0, 2) })).text, '2 alerts were assigned.')
  t.same(await assignees(), ['ann', 'ann', '', ''])
  t.equal(
    (await change({ change: 'assign', assign_to: '0', id: ids })).text,
    '2 alerts were unassigned. 1 was left out: already assigned so.'
  )
  t.same(await assignees(), ['', '', '', ''])

  const refused: Record<string, string | string[]>[] = [
    { change: 'resolved' },
    { id: ids },
    { change: 'nonsense', id: ids },
    { change: 'assign', assign_to: 'x', id: ids }
  ]
  for (const fields of refused) t.equal((await change(fields)).text, 'Select at least one alert.')
  t.same(await statuses(), ['triggered', 'ignored', 'acknowledged', 'resolved'])
})

t.test('all alerts that match are changed, at most 1,000 at a time', async t => {
  const { root, project, path, fill, platform } = await openTeam(t)
  const left = async () =>
    (await platform.pool.query(`SELECT status, count(*)::integer FROM alerts GROUP BY status ORDER BY status`)).rows.map(row => [
      row.status,
      row.count
    ])
  const change = async (fields: Record<string, string>) =>
    flashIn((await root.get((await root.post(`${path}/bulk`, fields)).headers.location!)).body)

  await fill(project.id, 1206)
  t.match((await root.get(path)).body, /Open 1,000\+/)
  t.equal(await change({ change: 'ignored', all: '1', severity: 'unknown' }), '201 alerts were ignored.')
  t.equal(await change({ change: 'resolved', all: '1', status: 'all' }), '1,000 alerts were resolved. Repeat it for the others.')
  t.equal(await change({ change: 'resolved', all: '1', status: 'all' }), '206 alerts were resolved.')
  t.equal(await change({ change: 'resolved', all: '1', status: 'all' }), 'Select at least one alert.', 'twice is once')
  t.same(await left(), [['resolved', 1206]])
})

t.test('alerts that are resolved together close their incidents', async t => {
  const { root, path, send, call, alerts, platform, project, work } = await openTeam(t)

  await platform.pool.query('INSERT INTO alert_settings (project_id, closes_incidents) VALUES ($1, true)', [project.id])
  await work('incidents')
  for (const title of ['One', 'Two']) await send({ title })
  for (const iid of [1, 2]) await root.post(`${path}/${iid}/incident`)
  await root.post(`${path}/bulk`, { change: 'resolved', id: (await alerts()).map(({ id }) => String(id)) })
  await eventually(async () => {
    const { body } = await call('GET', `/projects/${project.id}/issues?state=closed`)

    return body.length === 2
  }, 'both incidents are closed')
})

t.test('one sees and changes the alerts of the projects in which one is a developer', async t => {
  const { root, project, send, call, alerts, fill, aMember, app } = await openTeam(t)
  const { body: other } = await call('POST', '/projects', { name: 'Other' })
  const { body: archived } = await call('POST', '/projects', { name: 'Archived' })
  const { body: unmonitored } = await call('POST', '/projects', { name: 'Unmonitored' })
  const { visitor: ann, join } = await aMember('ann')

  await send({ title: 'Mine' })
  for (const { id } of [other, archived, unmonitored]) await fill(id, 1)
  for (const [id, level] of [
    [project.id, 30],
    [other.id, 20],
    [archived.id, 30],
    [unmonitored.id, 30]
  ])
    await join(id!, level!)
  await call('POST', `/projects/${archived.id}/archive`)
  await call('PUT', `/projects/${unmonitored.id}`, { monitor_access_level: 'disabled' })
  t.same(titlesIn((await ann.get('/alerts')).body), ['Mine'])
  t.match((await ann.get('/alerts')).body, project.name)
  t.same(titlesIn((await root.get('/alerts')).body).length, 2, 'root owns both')
  const { rows } = await app.platform.pool.query('SELECT id::text, project_id::integer FROM alerts ORDER BY id')
  const location = (await ann.post('/alerts/bulk', { change: 'resolved', id: rows.map(({ id }) => id) })).headers.location
  t.equal(flashIn((await ann.get(location!)).body), '1 alert was resolved. 3 were left out: not found.')
  t.same(
    (await app.platform.pool.query('SELECT project_id::integer, status FROM alerts ORDER BY id')).rows.map(({ status }) => status),
    ['resolved', 'triggered', 'triggered', 'triggered']
  )

  await ann.get('/-/profile')
  for (const [id, read, change] of [
    [project.id, 200, 303],
    [other.id, 403, 403],
    [archived.id, 200, 403],
    [unmonitored.id, 404, 404]
  ] as const) {
    t.equal((await ann.get(`/projects/${id}/alerts`)).statusCode, read)
    t.equal((await ann.post(`/projects/${id}/alerts/bulk`, { change: 'resolved', all: '1' })).statusCode, change)
  }
  t.equal((await alerts()).length, 1)
  const stranger = new Visitor(app)
  for (const path of ['/alerts', `/projects/${project.id}/alerts`]) t.equal((await stranger.get(path)).statusCode, 401)
  t.equal((await stranger.post('/alerts/bulk', { change: 'resolved', all: '1' })).statusCode, 401)
})

t.test('where nothing is indexed, the newest alerts are searched, and the page says so', async t => {
  const { root, project, path, fill } = await openTeam(t)

  await fill(project.id, 10_001)
  const body = (await root.get(`${path}?sort=events&severity=critical`)).body
  t.equal(idsIn(body).length, 25)
  t.notMatch(body, 'Only the newest alerts')
  t.match((await root.get(`${path}?sort=events`)).body, 'Only the newest alerts of each status were searched.')
  t.equal(idsIn((await root.get(`${path}?search=alert`)).body).length, 25)
})
