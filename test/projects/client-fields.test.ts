import t from 'tap'
import { Visitor } from '../pages/visitor.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { openApp } from '../support/world.ts'
import { aPerson } from './people.ts'

t.test('a project shows its features and open issues', async t => {
  const world = await openApp(t)
  const { call } = world
  const { body: project } = await call('POST', '/projects', { name: 'P', visibility: 'public' })
  const path = `/projects/${project.id}`

  hasExactly(t, project, {
    issues_enabled: true,
    issues_access_level: 'enabled',
    monitor_access_level: 'enabled',
    merge_requests_enabled: false,
    merge_requests_access_level: 'disabled',
    wiki_access_level: 'disabled',
    open_issues_count: 0,
    empty_repo: true
  })
  for (const title of ['one', 'two', 'three']) await call('POST', `${path}/issues`, { title })
  await call('PUT', `${path}/issues/1`, { state_event: 'close' })
  t.equal((await call('GET', path)).body.open_issues_count, 2)
  t.equal((await call('GET', '/projects')).body.find(({ id }: { id: number }) => id === project.id).open_issues_count, 2)
})

t.test('the access level of issues is enforced', async t => {
  const world = await openApp(t)
  const { call, app } = world
  const ann = await aPerson(world, 'ann')
  const { body: project } = await call('POST', '/projects', { name: 'P', visibility: 'public', issues_enabled: false })
  const path = `/projects/${project.id}`
  const visitor = new Visitor(app)

  t.hasStrict(project, { issues_enabled: false, issues_access_level: 'disabled' })
  t.equal(project.open_issues_count, undefined)
  t.equal((await call('GET', `${path}/issues`)).status, 404)
  t.equal((await call('POST', `${path}/issues`, { title: 'T' })).status, 404)
  await visitor.signIn()
  t.equal((await visitor.get(`${path}/incidents`)).statusCode, 404)

  t.hasStrict((await call('PUT', path, { issues_access_level: 'private' })).body, { issues_enabled: true, issues_access_level: 'private' })
  t.equal((await call('POST', `${path}/issues`, { title: 'T' })).status, 201)
  t.equal((await call('GET', path)).body.open_issues_count, 1)
  t.equal((await ann.call('GET', path)).body.open_issues_count, undefined, 'only members see the count')
  t.equal((await call('PUT', path, { issues_access_level: 'public' })).status, 400)
})

t.test('no incident is opened in a project without issues', async t => {
  const { call, platform } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'P', issues_access_level: 'disabled' })
  const path = `/projects/${project.id}`
  const alert = `INSERT INTO alerts (project_id, iid, kind, severity, title, payload, started_at, created_at, updated_at)
    VALUES ($1, 1, 'generic', 'high', 'A', '{}', now(), now(), now())`

  await platform.pool.query(alert, [project.id])
  t.equal((await call('POST', `${path}/alert_management_alerts/1/incident`)).status, 404)
  await call('PUT', path, { issues_access_level: 'enabled' })
  t.equal((await call('POST', `${path}/alert_management_alerts/1/incident`)).status, 201)
})

t.test('a group shows its projects and the default branch of new projects', async t => {
  const world = await openApp(t)
  const { call } = world
  const ann = await aPerson(world, 'ann')
  const { body: group } = await call('POST', '/groups', { name: 'G', path: 'g', visibility: 'public', default_branch: 'trunk' })
  const { body: hidden } = await call('POST', '/projects', { name: 'Hidden', namespace_id: group.id })
  const { body: open } = await call('POST', '/projects', {
    name: 'Open',
    namespace_id: group.id,
    visibility: 'public',
    default_branch: 'x'
  })
  const projectsOf = ({ body }: { body: { projects: { id: number }[] } }) => body.projects.map(({ id }) => id)

  t.same([group.default_branch, hidden.default_branch, open.default_branch], ['trunk', 'trunk', 'x'])
  t.same(projectsOf(await call('GET', '/groups/g')), [open.id, hidden.id])
  t.same(projectsOf(await ann.call('GET', '/groups/g')), [open.id], 'only those that the viewer sees')
  t.equal((await call('GET', '/groups/g?with_projects=false')).body.projects, undefined)
  t.equal((await call('PUT', '/groups/g', { default_branch: '' })).body.default_branch, null)
  t.equal((await call('POST', '/projects', { name: 'Main', namespace_id: group.id })).body.default_branch, 'main')
  t.hasStrict(await call('POST', '/projects', { name: 'Empty', default_branch: '' }), { status: 201, body: { default_branch: 'main' } })
  t.hasStrict(await call('PUT', `/projects/${open.id}`, { default_branch: '' }), { status: 200, body: { default_branch: 'x' } })
})

t.test('a user has the day of the last activity, and for admins addresses and the namespace', async t => {
  const world = await openApp(t)
  const { app, call } = world
  const ann = await aPerson(world, 'ann')
  const read = async () => (await call('GET', `/users/${ann.id}`)).body

  t.hasStrict(await read(), { last_activity_on: null, last_sign_in_at: null, current_sign_in_ip: null, last_sign_in_ip: null })
  const before = new Date().toISOString().slice(0, 10)
  const { body: self } = await ann.call('GET', '/user')
  const after = new Date().toISOString().slice(0, 10)
  const { last_activity_on: day, namespace_id: namespaceId } = await read()

  t.ok([before, after].includes(day))
  t.equal((await ann.call('GET', '/user')).body.last_activity_on, day)
  t.notOk('current_sign_in_ip' in self || 'namespace_id' in self, 'only for admins')
  const { body: project } = await ann.call('POST', '/projects', { name: 'P' })
  t.equal(project.namespace.id, namespaceId)

  for (let n = 0; n < 2; n++) await new Visitor(app).signIn()
  const { body: root } = await call('GET', '/user')
  t.hasStrict(root, { current_sign_in_ip: '127.0.0.1', last_sign_in_ip: '127.0.0.1' })
  t.ok(root.last_sign_in_at <= root.current_sign_in_at)
  hasExactly(t, (await call('GET', '/users?username=ann')).body, [{ id: ann.id, namespace_id: namespaceId }])
})

t.test('block and unblock answer as those of GitLab', async t => {
  const world = await openApp(t)
  const { call } = world
  const ann = await aPerson(world, 'ann')
  const block = () => call('POST', `/users/${ann.id}/block`)
  const unblock = () => call('POST', `/users/${ann.id}/unblock`)

  t.hasStrict(await block(), { status: 201, body: true })
  t.hasStrict(await block(), { status: 201, body: null })
  t.hasStrict(await unblock(), { status: 201, body: true })
  t.hasStrict(await unblock(), { status: 201, body: false })
  t.hasStrict(await call('POST', '/users/1/block'), {
    status: 403,
    body: { message: '403 Forbidden - The API initiating user cannot be blocked by the API' }
  })
})

t.test('an audit event has its type', async t => {
  const { call } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'P' })

  hasExactly(t, (await call('GET', `/projects/${project.id}/audit_events`)).body, [
    { event_name: 'project_created', event_type: 'project_created' }
  ])
})
