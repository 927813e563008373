import t from 'tap'
import { Visitor } from '../pages/visitor.ts'
import { aPerson } from '../projects/people.ts'
import { openApp } from '../support/world.ts'

t.test('deleted authors appear as the ghost user', async t => {
  const world = await openApp(t)
  const { app, call, platform } = world
  const insert = async (sql: string, ...values: unknown[]) =>
    (await platform.pool.query(`INSERT INTO ${sql} RETURNING id`, values)).rows[0].id as number
  const { body: project } = await call('POST', '/projects', { name: 'P' })
  const path = `/projects/${project.id}`
  const ann = await aPerson(world, 'ann')
  const groupId = await insert(
    `error_groups (project_id, name, description, actor, level, first_seen_at, last_seen_at) VALUES ($1, 'E', '', '', 'error', now(), now())`,
    project.id
  )
  await insert(
    `alerts (project_id, iid, kind, severity, title, payload, started_at, created_at, updated_at)
     VALUES ($1, 1, 'generic', 'high', 'A', '{}', now(), now(), now())`,
    project.id
  )
  const [error, alert, issue] = [`${path}/error_tracking/errors/${groupId}`, `${path}/alert_management_alerts/1`, `${path}/issues/1`]

  await call('PUT', `${path}/error_tracking/settings`, { active: true, integrated: true })
  await call('POST', `${path}/members`, { user_id: ann.id, access_level: 50 })
  await ann.call('POST', `${path}/issues`, { title: 'T', issue_type: 'incident' })
  for (const one of [`${issue}/notes`, `${alert}/notes`, `${error}/comments`]) await ann.call('POST', one, { body: 'B' })
  await ann.call('PUT', issue, { state_event: 'close' })
  await ann.call('PUT', alert, { status: 'resolved' })
  await ann.call('POST', `${path}/members`, { user_id: (await aPerson(world, 'bob')).id, access_level: 30 })

  t.equal((await call('DELETE', `/users/${ann.id}`, { hard_delete: true })).status, 204)
  const [ghost] = (await call('GET', '/users?username=ghost')).body
  const read = async (url: string) => (await call('GET', url)).body
  const authors = async (url: string) => (await read(url)).map(({ author }: { author: { id: number } }) => author.id)
  const { id } = ghost

  t.hasStrict(ghost, { username: 'ghost', name: 'Ghost User' })
  t.hasStrict(await read(issue), { author: { id }, closed_by: { id } })
  t.same(await authors(`${issue}/notes`), [id, id])
  t.same(await authors(`${alert}/notes`), [id, id])
  t.hasStrict(await read(`${error}/comments`), [{ author_id: id }])
  t.hasStrict(await read(`${path}/members`), [{ username: 'root' }, { username: 'bob', created_by: { id } }])
  const events = (await read(`${path}/events?per_page=100`)).filter(
    (event: { author_username: string }) => event.author_username !== 'root'
  )
  t.same(
    events.map(({ author_username, action_name }: Record<string, unknown>) => [author_username, action_name]),
    [
      ['bob', 'joined'],
      ['ghost', 'closed'],
      ['ghost', 'commented on'],
      ['ghost', 'commented on'],
      ['ghost', 'opened'],
      ['ghost', 'joined']
    ]
  )
  t.hasStrict(await read(`${path}/audit_events?per_page=1`), [
    { event_name: 'member_added', author_id: id, details: { author_username: 'ann' } }
  ])

  const visitor = new Visitor(app)
  await visitor.signIn()
  for (const page of [`${path}/incidents/1`, `${path}/alerts/1`]) t.match((await visitor.get(page)).body, '<strong>ghost</strong>')
})

t.test('there is one ghost, which cannot be changed', async t => {
  const world = await openApp(t)
  const { call } = world
  const people = await Promise.all(['ann', 'bob', 'cid'].map(name => aPerson(world, name)))

  t.same(await Promise.all(people.map(async ({ id }) => (await call('DELETE', `/users/${id}`)).status)), [204, 204, 204])
  const { body: ghosts } = await call('GET', '/users?search=ghost')

  t.hasStrict(ghosts, [{ username: 'ghost', state: 'blocked' }])
  const refused = { status: 403, body: { message: '403 Forbidden - The ghost user cannot be changed' } }
  const url = `/users/${ghosts[0].id}`

  t.hasStrict(await call('DELETE', url), refused)
  t.hasStrict(await call('PUT', url, { password: 'a long password' }), refused)
  t.hasStrict(await call('POST', `${url}/unblock`), refused)
  t.hasStrict(await call('POST', `${url}/impersonation_tokens`, { name: 'T', scopes: ['api'] }), refused)
})

t.test('a user who was called ghost before the name was reserved keeps it', async t => {
  const world = await openApp(t)

  await aPerson(world, 'Ghost')
  await world.call('DELETE', `/users/${(await aPerson(world, 'ann')).id}`)
  const { body: found } = await world.call('GET', '/users?search=ghost&order_by=id&sort=asc')

  t.same(
    found.map(({ username }: { username: string }) => username.replace(/-[0-9a-f]{8}$/, '-random')),
    ['Ghost', 'ghost-random']
  )
})
