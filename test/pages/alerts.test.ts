import t from 'tap'
import { openAlertedProject } from '../alerts/alerting.ts'
import { eventually } from '../support/world.ts'
import { Visitor } from './visitor.ts'

t.test('an alert is found, assigned, commented on, made an incident and resolved on its pages', async t => {
  const { app, send, project, work, platform } = await openAlertedProject(t)
  const visitor = new Visitor(app)
  const root = `/projects/${project.id}`
  const page = async (path: string) => (await visitor.get(root + path)).body

  await platform.pool.query('INSERT INTO alert_settings (project_id, closes_incidents) VALUES ($1, true)', [project.id])
  await work('incidents')
  await send({ title: '<i>Slow</i>', severity: 'high', fingerprint: 'slow', runbook: 'https://wiki', extra: '<script>alert(1)</script>' })
  await send({ title: 'Disk full', severity: 'low' })
  await visitor.get('/users/sign_in')
  await visitor.signIn()

  const list = await page('/alerts')
  t.match(list, /Open 2[\s\S]*&#60;i&#62;Slow&#60;\/i&#62;[\s\S]*Disk full/, 'the most severe first, as text')
  t.match(list, /aria-current="page">Open 2/)
  t.notMatch(await page('/alerts?search=disk'), 'Slow')
  t.notMatch(await page('/alerts?severity=low'), 'Slow')
  t.match(await page('/alerts?status=resolved'), 'No alerts match these filters.')

  t.notMatch(await page('/alerts/1'), '<script>')
  await visitor.post(`${root}/alerts/1/assignee`, { member: '@root' })
  const asked = await page('/alerts/1?act=acknowledge')
  t.equal(asked.split('>Acknowledge</button>').length, 2, 'a question from a message replaces the buttons')
  t.notMatch(asked, '>Resolve</button>')
  await visitor.post(`${root}/alerts/1/status`, { status: 'acknowledged' })
  t.match(await page('/alerts/1'), /acknowledged by <b>@root<\/b> <time/)
  t.match(await visitor.post(`${root}/alerts/1/notes`, { body: ' ' }), {
    statusCode: 400,
    body: /Write a comment of 1 to 100000 characters\./
  })
  await visitor.post(`${root}/alerts/1/notes`, { body: 'It is the <b>cache</b>.' })
  t.equal((await visitor.post(`${root}/alerts/1/incident`)).headers.location, `${root}/alerts/1`)
  const alert = await page('/alerts/1')
  for (const text of ['acknowledged', '@root', 'Unassign me', 'It is the &lt;b&gt;cache&lt;/b&gt;.', 'opened incident #1'])
    t.match(alert, text)

  t.match(await page('/incidents'), '&#60;i&#62;Slow&#60;/i&#62;')
  const incident = await page('/incidents/1')
  t.match(incident, `<a href="${root}/alerts/1">#1</a>`)
  await visitor.post(`${root}/incidents/1/notes`, { body: 'Restarted it.' })
  t.match(await page('/incidents/1'), 'Restarted it.')

  await visitor.post(`${root}/alerts/1/status`, { status: 'resolved' })
  await eventually(async () => /closed, as alert/.test(await page('/incidents/1')), 'the incident is closed with its alert')
  await send({ title: 'Slow', fingerprint: 'slow' })
  t.match(await visitor.post(`${root}/alerts/1/status`, { status: 'triggered' }), {
    statusCode: 400,
    body: /Another alert of the same kind is open/
  })

  await visitor.post(`${root}/incidents/1/state`, { state_event: 'reopen' })
  t.match(await page('/incidents/1'), '>Close incident</button>')
  for (const path of ['/alerts/9', '/alerts/x', '/incidents/9']) t.equal((await visitor.get(root + path)).statusCode, 404, path)
})

t.test('control characters are visible, and texts from right to left do not reorder the page around them', async t => {
  const { app, send, project } = await openAlertedProject(t)
  const visitor = new Visitor(app)
  const root = `/projects/${project.id}`
  const title = 'Pay \u202eexe.cod\u202c \u001b[2J'

  await send({ title, description: 'השרת\u200f נפל', service: '\u2067web\u2069', note: '\u202e<b>', fingerprint: 'a' })
  await visitor.get('/users/sign_in')
  await visitor.signIn()
  const { body } = await visitor.get(`${root}/alerts/1`)
  const visible = 'Pay [U+202E]exe.cod[U+202C] ␛[2J'

  t.match(body, `<h1><bdi>${visible}</bdi></h1>`)
  t.match(body, `<title>${visible} · ${project.name} · Tocsin</title>`, 'a title has no markup')
  t.match(body, '<div class="markdown" dir="auto"><p>השרת\u200f נפל</p>')
  t.match(body, '<dd><bdi>[U+2067]web[U+2069]</bdi></dd>')
  t.match(body, '[U+202E]&#60;b&#62;', 'in the payload')
  t.notMatch(body, /[\u202a-\u202e\u2066-\u2069\u001b]/u)

  t.match((await visitor.get(`${root}/alerts`)).body, `<strong><bdi>${visible}</bdi></strong>`)
  const search = await visitor.get(`${root}/alerts?search=${encodeURIComponent('\u202ecod')}`)
  t.match(search.body, 'value="\u202ecod"', 'a field keeps its value')
  const refused = await visitor.post(`${root}/alerts/1/notes`, { body: `\u202e${'x'.repeat(100_000)}` })
  t.match(refused.body, '>\u202exxx', 'and so does a text area')
  await visitor.post(`${root}/alerts/1/notes`, { body: 'שלום **b** \u202e' })
  t.match((await visitor.get(`${root}/alerts/1`)).body, '<div class="markdown" dir="auto"><p>שלום <strong>b</strong> [U+202E]</p>')
})

t.test('a comment over the limit is refused and stays in the form', async t => {
  const { app, send, project, platform } = await openAlertedProject(t)
  const visitor = new Visitor(app)
  const root = `/projects/${project.id}`
  const lengths = async (table: string) => (await platform.pool.query(`SELECT length(body) FROM ${table} WHERE action IS NULL`)).rows

  await send({ title: 'Slow' })
  await visitor.get('/users/sign_in')
  await visitor.signIn()
  await visitor.post(`${root}/alerts/1/incident`)
  for (const [path, table] of [
    ['alerts', 'alert_notes'],
    ['incidents', 'issue_notes']
  ] as const) {
    const refused = await visitor.post(`${root}/${path}/1/notes`, { body: 'x'.repeat(100_001) })

    t.equal(refused.statusCode, 400)
    t.match(refused.body, /Write a comment of 1 to 100000 characters\./)
    t.match(refused.body, `>${'x'.repeat(100_001)}</textarea>`)
    t.same(await lengths(table), [])
    t.equal((await visitor.post(`${root}/${path}/1/notes`, { body: 'x\r\n'.repeat(50_000) })).statusCode, 303)
    t.same(await lengths(table), [{ length: 99_999 }], 'a line break counts as one character')
  }
})

t.test('an alert is assigned by a search that needs no script, and twice is once', async t => {
  const { app, send, project, call } = await openAlertedProject(t)
  const visitor = new Visitor(app)
  const alertUrl = `/projects/${project.id}/alerts/1`
  const ids = new Map<string, number>()
  const assign = async (fields: Record<string, string>) => (await visitor.post(`${alertUrl}/assignee`, fields)).headers.location
  const assignees = async () => {
    const { body } = await call('GET', `/projects/${project.id}/alert_management_alerts/1`)

    return body.assignees.map(({ username }: { username: string }) => username).sort()
  }

  await send({ title: 'Slow' })
  for (const username of ['ann', 'anna', 'zoe']) {
    const { body } = await call('POST', '/users', {
      username,
      name: `The <b>${username}`,
      email: `${username}@example.com`,
      force_random_password: true
    })

    ids.set(username, body.id)
    if (username !== 'zoe') await call('POST', `/projects/${project.id}/members`, { user_id: body.id, access_level: 30 })
  }
  await visitor.get('/users/sign_in')
  await visitor.signIn()

  t.match((await visitor.get(alertUrl)).body, /<option value="anna">The &#60;b&#62;anna<\/option>/)
  t.equal(await assign({ member: ' @Ann ' }), alertUrl, 'a username is enough, though it begins another')
  t.equal(await assign({ member: 'ann' }), alertUrl)
  t.same(await assignees(), ['ann'])
  t.equal(await assign({ member: 'the' }), `${alertUrl}?member=the#assignees`)
  const { body } = await visitor.get(`${alertUrl}?member=the`)
  t.match(body, `aria-label="Assign @anna"`)
  t.notMatch(body, `aria-label="Assign @ann"`, 'who is assigned already')
  for (let n = 0; n < 2; n++) t.equal(await assign({ add: String(ids.get('anna')) }), alertUrl)
  t.same(await assignees(), ['ann', 'anna'])
  for (let n = 0; n < 2; n++) t.equal(await assign({ remove: String(ids.get('ann')) }), alertUrl)
  t.same(await assignees(), ['anna'])
  t.match((await visitor.get(`${alertUrl}?member=zoe`)).body, 'No member of this project matches “zoe”.')
  t.match(await visitor.post(`${alertUrl}/assignee`, { add: String(ids.get('zoe')) }), {
    statusCode: 400,
    body: /role="alert">\d+ is not a member of the project\./
  })
  t.same(await assignees(), ['anna'])
})
