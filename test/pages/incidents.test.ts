import t, { type Test } from 'tap'
import { openAlertedProject } from '../alerts/alerting.ts'
import { aPerson } from '../projects/people.ts'
import { eventually } from '../support/world.ts'
import { Visitor } from './visitor.ts'

async function openIncident(t: Test) {
  const world = await openAlertedProject(t)
  const { app, call, send, project } = world
  const url = `/projects/${project.id}/incidents/1`
  const api = `/projects/${project.id}/issues/1`
  const visitor = new Visitor(app)

  await send({ title: 'Slow', severity: 'high', fingerprint: 'slow' })
  await call('POST', `/projects/${project.id}/alert_management_alerts/1/incident`)
  await visitor.signIn()
  await visitor.get(url)

  return {
    ...world,
    url,
    api,
    visitor,
    page: async (path = url) => (await visitor.get(path)).body,
    /** Opens the form of a field, and sends it. */
    async edit(field: string, values: Record<string, string | string[]>) {
      const { body } = await visitor.get(`${url}?edit=${field}`)
      const [, version] = /name="version" value="([^"]+)"/.exec(body)!

      return visitor.post(`${url}/edit/${field}`, { version: version!, ...values })
    }
  }
}

t.test('an incident is edited in place', async t => {
  const { call, project, edit, page, api, url } = await openIncident(t)
  const { body: milestone } = await call('POST', `/projects/${project.id}/milestones`, { title: 'Week 1', due_date: '2030-01-07' })

  await call('POST', `/projects/${project.id}/labels`, { name: 'database', color: '#aabbcc' })
  t.hasStrict(await edit('title', { title: '  Checkout\nis slow ' }), { statusCode: 303, headers: { location: url } })
  await edit('description', { description: '**Since** noon\r\n\r\n- [x] page the team\r\n- [ ] find out' })
  await edit('severity', { severity: 'critical' })
  await edit('assignees', { assignee_ids: ['1'] })
  await edit('labels', { labels: 'database', new_labels: 'shop, late ' })
  await edit('milestone', { milestone_id: String(milestone.id) })
  await edit('due_date', { due_date: '2030-01-06' })

  const { body } = await call('GET', api)
  t.hasStrict(body, {
    title: 'Checkout is slow',
    description: '**Since** noon\n\n- [x] page the team\n- [ ] find out',
    severity: 'CRITICAL',
    labels: ['database', 'late', 'shop'],
    milestone: { title: 'Week 1' },
    due_date: '2030-01-06',
    assignees: [{ username: 'root' }]
  })
  const shown = await page()
  for (const text of ['<strong>Since</strong>', '☑ page the team', '☐ find out', 'due ', 'open for']) t.match(shown, text)
  for (const text of ['changed the severity to', 'changed the title from', 'changed milestone', 'linked alert']) t.match(shown, text)

  t.match(await edit('title', { title: ' ' }), { statusCode: 400, body: /Enter a title of at most 255 characters\./ })
  await edit('labels', {})
  await edit('milestone', { milestone_id: '0' })
  await edit('assignees', {})
  t.hasStrict((await call('GET', api)).body, { labels: [], milestone: null, assignees: [] })
})

t.test('what another user changed meanwhile is shown, not lost', async t => {
  const { call, visitor, url, api, page } = await openIncident(t)
  const versionOf = (body: string) => /name="version" value="([^"]+)"/.exec(body)![1]!
  const version = versionOf(await page(`${url}?edit=description`))

  await call('PUT', api, { description: 'Theirs <b>' })
  const refused = await visitor.post(`${url}/edit/description`, { version, description: 'Mine' })
  t.equal(refused.statusCode, 409)
  t.match(refused.body, /Someone else changed this while you were editing[\s\S]+Theirs &#60;b&#62;[\s\S]+<textarea[^>]+>Mine<\/textarea>/)
  t.equal((await call('GET', api)).body.description, 'Theirs <b>')

  const accepted = await visitor.post(`${url}/edit/description`, { version: versionOf(refused.body), description: 'Both' })
  t.equal(accepted.statusCode, 303)
  t.equal((await call('GET', api)).body.description, 'Both')
  await call('PUT', api, { severity: 'low' })
  const title = versionOf(await page(`${url}?edit=title`))
  await call('PUT', api, { severity: 'high' })
  t.equal((await visitor.post(`${url}/edit/title`, { version: title, title: 'New' })).statusCode, 303, 'another field does not conflict')
})

t.test('status updates are shown first, kept in the timeline, and read and written by REST', async t => {
  const { call, visitor, url, api, page, project } = await openIncident(t)

  t.match(await page(), 'No status update yet.')
  t.equal((await visitor.post(`${url}/status_updates`, { incident_status: 'monitoring', body: ' ' })).statusCode, 400)
  const unknown = await visitor.post(`${url}/status_updates`, { incident_status: 'fine', body: 'x' })
  t.equal(unknown.statusCode, 400)
  t.match(unknown.body, /Choose a status\./)
  await visitor.post(`${url}/status_updates`, { incident_status: 'identified', body: 'The *cache* is full.' })
  t.match(
    await page(),
    /aria-label="Latest status update">\s+<div[^>]+><p><span class="badge[^>]+>identified<[\s\S]+<em>cache<\/em>[\s\S]+posted an update/
  )

  const notes = `${api}/notes`
  const { status, body: note } = await call('POST', notes, { body: 'It is back.', incident_status: 'resolved' })
  t.equal(status, 201)
  t.hasStrict(note, { incident_status: 'resolved', system: false, body: 'It is back.' })
  t.match(
    await page(),
    /aria-label="Latest status update">\s+<div[^>]+><p><span class="badge[^>]+>resolved<[\s\S]+It is back\.[\s\S]+posted an update/
  )
  t.equal((await call('POST', notes, { body: 'x' })).body.incident_status, null)
  t.equal((await call('POST', notes, { body: 'x', incident_status: 'over' })).status, 400)

  const { body: issue } = await call('POST', `/projects/${project.id}/issues`, { title: 'A task' })
  const refused = await call('POST', `/projects/${project.id}/issues/${issue.iid}/notes`, { body: 'x', incident_status: 'resolved' })
  t.hasStrict(refused, { status: 400, body: { message: { incident_status: ['is only for incidents'] } } })
})

t.test('alerts and errors are linked and unlinked, each to one incident', async t => {
  const { call, send, platform, project, visitor, url, page } = await openIncident(t)
  const root = `/projects/${project.id}`
  const { rows } = await platform.pool.query(
    `INSERT INTO error_groups (project_id, name, description, actor, level, first_seen_at, last_seen_at)
     VALUES ($1, 'PaymentError', 'declined', '', 'error', now(), now()) RETURNING id`,
    [project.id]
  )
  const errorId = rows[0].id

  await send({ title: 'Disk full', severity: 'critical' })
  await visitor.post(`${url}/alerts`, { alert: '#2' })
  await visitor.post(`${url}/alerts`, { alert: `http://tocsin.test${root}/alerts/2` })
  await visitor.post(`${url}/errors`, { error: String(errorId) })
  const shown = await page()
  t.match(shown, /Disk full[\s\S]+PaymentError[\s\S]+linked alert <a href="[^"]+\/alerts\/2">#2<\/a>/)
  t.equal(shown.match(/linked alert <a href="[^"]+\/alerts\/2"/g)!.length, 1, 'linking twice is linking once')
  t.hasStrict((await call('GET', `${root}/alert_management_alerts/2`)).body, { issue_iid: 1 })

  const { body: other } = await call('POST', `${root}/issues`, { title: 'Other', issue_type: 'incident' })
  const otherUrl = `${root}/incidents/${other.iid}`
  const refused = await visitor.post(`${otherUrl}/alerts`, { alert: '2' })
  t.match(refused, { statusCode: 400, body: /The alert belongs to another incident\./ })
  t.match(await visitor.post(`${otherUrl}/errors`, { error: String(errorId) }), {
    statusCode: 400,
    body: /The error belongs to another incident/
  })
  t.match(await visitor.post(`${otherUrl}/alerts`, { alert: '99' }), { statusCode: 400, body: /There is no such alert/ })

  for (const _ of [1, 2]) await visitor.post(`${url}/alerts/2/unlink`)
  await visitor.post(`${url}/errors/${errorId}/unlink`)
  t.notMatch(await page(), 'Disk full')
  t.equal((await visitor.post(`${otherUrl}/alerts`, { alert: '2' })).statusCode, 303)
})

t.test('a comment is edited and deleted by its author and by maintainers, and a conflict shows both versions', async t => {
  const world = await openIncident(t)
  const { app, call, project, visitor, url, api, page } = world
  const ann = await aPerson(world, 'ann')
  const developer = new Visitor(app)
  const bodies = async () =>
    (await call('GET', `${api}/notes?sort=asc`)).body
      .filter(({ system }: { system: boolean }) => !system)
      .map(({ body }: { body: string }) => body)

  await call('POST', `/projects/${project.id}/members`, { user_id: ann.id, access_level: 30 })
  await platformPassword(world, ann.id)
  await developer.signIn({ login: 'ann' })
  await developer.post(`${url}/notes`, { body: 'The pool is *full*.' })
  await visitor.post(`${url}/notes`, { body: 'I look.' })
  const [hers, mine] = [...(await page()).matchAll(/id="note-(\d+)"/g)].map(([, id]) => id!)
  const editing = async (editor: Visitor, id: string) => (await editor.get(`${url}?edit=note-${id}`)).body
  const versionIn = (body: string) => /name="version" value="([^"]+)"/.exec(body)![1]!

  t.match(await page(), `href="${url}?edit=note-${hers}#note-${hers}"`, 'a maintainer edits all')
  t.notMatch((await developer.get(url)).body, `edit=note-${mine}`)
  t.notMatch(await editing(developer, mine!), 'name="version"')
  t.equal((await developer.post(`${url}/notes/${mine}/edit`, { body: 'x', version: '' })).statusCode, 403)
  t.equal((await developer.post(`${url}/notes/${mine}/delete`)).statusCode, 403)

  const form = await editing(developer, hers!)
  const version = versionIn(form)
  t.match(form, />The pool is \*full\*\.<\/textarea>/)
  const empty = await developer.post(`${url}/notes/${hers}/edit`, { body: ' ', version })
  t.match(empty, { statusCode: 400, body: /Write a comment of 1 to 100000 characters\./ })
  const saved = await visitor.post(`${url}/notes/${hers}/edit?page=1`, { body: 'The pool of db-7 is full.', version })
  t.hasStrict(saved, { statusCode: 303, headers: { location: `${url}?page=1#note-${hers}` } })
  t.same(await bodies(), ['The pool of db-7 is full.', 'I look.'])

  const refused = await developer.post(`${url}/notes/${hers}/edit`, { body: 'The disk is full.', version })
  t.equal(refused.statusCode, 409)
  t.match(refused.body, 'Someone else changed this while you were editing.')
  t.match(refused.body, '>The pool of db-7 is full.</pre>')
  t.match(refused.body, '>The disk is full.</textarea>')
  await developer.post(`${url}/notes/${hers}/edit`, { body: 'The disk is full.', version: versionIn(refused.body) })
  t.same(await bodies(), ['The disk is full.', 'I look.'])
  for (const status of [303, 404]) t.equal((await visitor.post(`${url}/notes/${hers}/delete`)).statusCode, status)
  t.equal((await visitor.post(`${url}/notes/${hers}/edit`, { body: 'x', version })).statusCode, 404)
  t.same(await bodies(), ['I look.'])
})

t.test('closing asks when it resolves alerts, and reopening does not', async t => {
  const { call, visitor, url, api, page, project } = await openIncident(t)

  t.match(await page(), 'Closing it also resolves 1 open alert: #1.')
  await visitor.post(`${url}/state`, { state_event: 'close' })
  t.match(await page(), /closed after[\s\S]+Reopen<\/button>/)
  await visitor.post(`${url}/state`, { state_event: 'reopen' })
  t.notMatch(await page(), 'Closing it also resolves')
  t.equal((await call('GET', `/projects/${project.id}/alert_management_alerts/1`)).body.status, 'resolved')
  await visitor.post(`${url}/assignee`, { assigned: 'yes' })
  await visitor.post(`${url}/assignee`, { assigned: 'yes' })
  t.equal((await call('GET', api)).body.assignees.length, 1)
  t.match(await page(), 'Unassign me')
})

t.test('reporters see incidents without their alerts, guests do not see them', async t => {
  const world = await openIncident(t)
  const { app, call, project, url } = world
  const sessions = await Promise.all(
    [
      ['ann', 20],
      ['bob', 10]
    ].map(async ([name, level]) => {
      const person = await aPerson(world, String(name))
      const visitor = new Visitor(app)

      await call('POST', `/projects/${project.id}/members`, { user_id: person.id, access_level: level })
      await platformPassword(world, person.id)
      await visitor.signIn({ login: String(name) })

      return visitor
    })
  )
  const [reporter, guest] = sessions as [Visitor, Visitor]
  const { body, statusCode } = await reporter.get(url)

  t.equal(statusCode, 200)
  t.notMatch(body, `href="/projects/${project.id}/alerts/1`)
  t.equal((await reporter.post(`${url}/alerts`, { alert: '1' })).statusCode, 403)
  t.equal((await reporter.post(`${url}/notes`, { body: 'Hello' })).statusCode, 303)
  t.equal((await guest.get(url)).statusCode, 403)
})

/** The password of root, so that `signIn` works. */
async function platformPassword({ platform }: Awaited<ReturnType<typeof openIncident>>, userId: number) {
  await platform.pool.query(
    'UPDATE users SET password_hash = (SELECT password_hash FROM users WHERE id = 1), must_change_password = false WHERE id = $1',
    [userId]
  )
}

t.test('ordinary issues have a page of their own', async t => {
  const { call, visitor, project, page } = await openIncident(t)
  const { body } = await call('POST', `/projects/${project.id}/issues`, { title: 'A task', description: '| a |\n|-|\n| b |' })
  const path = `/projects/${project.id}/issues/${body.iid}`

  t.equal(body.web_url, `http://tocsin.test${path}`)
  const shown = await page(path)
  t.match(shown, /opened the issue/)
  t.match(shown, '<td>b</td>')
  t.notMatch(shown, 'Post a status update')
  t.hasStrict(await visitor.get(`/projects/${project.id}/incidents/${body.iid}`), { statusCode: 302, headers: { location: path } })
  await eventually(async () => (await visitor.post(`${path}/state`, { state_event: 'close' })).statusCode === 303, 'it is closed')
})

t.test('incidents are listed, filtered, sorted and paged both ways, in one project and in all', async t => {
  const { call, project, visitor, page } = await openIncident(t)
  const root = `/projects/${project.id}`
  const titlesOf = (body: string) => [...body.matchAll(/incidents\/\d+"><strong>([^<]+)</g)].map(([, title]) => title)
  const list = async (query = '') => titlesOf(await page(`${root}/incidents${query}`))

  await call('POST', `${root}/issues`, { title: 'Disk', issue_type: 'incident', severity: 'critical', assignee_ids: [1], labels: 'db' })
  await call('POST', `${root}/issues`, { title: 'Old', issue_type: 'incident', severity: 'low' })
  await call('PUT', `${root}/issues/3`, { state_event: 'close' })
  await call('POST', `${root}/issues`, { title: 'A task' })
  await call('POST', `${root}/issues/2/notes`, { body: 'Found it', incident_status: 'identified' })

  t.match(await page(`${root}/incidents`), /Open 2<[\s\S]+Closed 1<[\s\S]+All 3<[\s\S]+New incident[\s\S]*|New incident/)
  t.same(await list(), ['Disk', 'Slow'])
  t.match(await page(`${root}/incidents`), />identified</)
  t.same(await list('?state=closed'), ['Old'])
  t.same(await list('?state=all&sort=severity'), ['Disk', 'Slow', 'Old'])
  t.same(await list('?severity=high'), ['Slow'])
  t.same(await list('?assignee=me'), ['Disk'])
  t.same(await list('?assignee=root'), ['Disk'])
  t.same(await list('?assignee=none'), ['Slow'])
  t.same(await list('?label=db'), ['Disk'])
  t.same(await list('?search=slo'), ['Slow'])
  t.match(await page(`${root}/incidents?search=nothing`), 'No incidents match these filters.')
  t.same(titlesOf(await page('/incidents')), ['Disk', 'Slow'])
  t.match(await page('/incidents'), project.name)
  t.match(await page(`${root}/issues`), 'A task')

  for (let n = 1; n <= 26; n++) await call('POST', `${root}/issues`, { title: `Number ${n}`, issue_type: 'incident', severity: 'medium' })
  t.same((await list()).slice(0, 2), ['Disk', 'Slow'], 'the most severe first')
  t.equal((await list('?sort=newest'))[0], 'Number 26')
  for (const sort of ['newest', 'updated', 'severity']) {
    const first = await page(`${root}/incidents?sort=${sort}`)
    const next = await page(linkOf(first, 'next'))
    const all = [...titlesOf(first), ...titlesOf(next)]

    t.equal(new Set(all).size, 28, `${sort}: nothing is left out or shown twice`)
    t.same(titlesOf(await page(linkOf(next, 'prev'))), titlesOf(first), `${sort}: and back`)
  }
  t.equal((await visitor.get(`${root}/incidents?cursor=x`)).statusCode, 400)
})

function linkOf(body: string, rel: string) {
  return new RegExp(`rel="${rel}" href="([^"]+)"`).exec(body)![1]!.replaceAll('&#38;', '&')
}

t.test('an incident is created on a page', async t => {
  const { call, project, visitor } = await openIncident(t)
  const list = `/projects/${project.id}/incidents`

  t.match((await visitor.get(`${list}/new`)).body, 'Create incident')
  t.match(await visitor.post(list, { title: '', description: 'Kept' }), {
    statusCode: 400,
    body: /Enter a title of at most 255 characters\.[\s\S]+>Kept<\/textarea>/
  })
  const created = await visitor.post(list, {
    title: 'Down',
    severity: 'critical',
    assignee_ids: '1',
    new_labels: 'shop',
    milestone_id: '0'
  })
  t.hasStrict(created, { statusCode: 303, headers: { location: `${list}/2` } })
  t.hasStrict((await call('GET', `/projects/${project.id}/issues/2`)).body, {
    title: 'Down',
    issue_type: 'incident',
    severity: 'CRITICAL',
    labels: ['shop'],
    assignees: [{ username: 'root' }]
  })
})
