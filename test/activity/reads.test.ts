import t from 'tap'
import { deleteOldActivity } from '#activity/activity-store.ts'
import { aPerson } from '../projects/people.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { openApp } from '../support/world.ts'

const world = await openApp(t)
const { call, platform, app } = world
const ann = await aPerson(world, 'ann')
const bob = await aPerson(world, 'bob')
const eve = await aPerson(world, 'eve', { isExternal: true })
const { body: project } = await ann.call('POST', '/projects', { name: 'Secret' })
const { body: open } = await ann.call('POST', '/projects', { name: 'Open', visibility: 'public' })
const { body: inner } = await ann.call('POST', '/projects', { name: 'Inner', visibility: 'internal' })

/** As it would have been recorded some days ago, in the private project by default. */
function record(action: string, day: string, { author = ann.id, type = 'Issue', projectId = project.id, isForDevelopers = false } = {}) {
  return platform.pool.query(
    `INSERT INTO activity_events (project_id, author_id, action, target_type, target_id, target_iid, target_title, is_for_developers, created_at)
     VALUES ($1, $2, $3, $4, 7, 3, 'T', $5, $6)`,
    [projectId, author, action, type, isForDevelopers, day]
  )
}

const names = (body: { action_name: string }[]) => body.map(event => event.action_name)

t.test('creating a project and joining it are recorded', async t => {
  await ann.call('POST', `/projects/${project.id}/members`, { user_id: bob.id, access_level: 20 })
  const { status, body } = await ann.call('GET', `/projects/${project.id}/events`)

  t.equal(status, 200)
  hasExactly(t, body, [
    {
      action_name: 'joined',
      author_id: bob.id,
      author_username: 'bob',
      target_type: null,
      project_id: project.id,
      title: null,
      data: null
    },
    {
      action_name: 'created',
      author: { id: ann.id, username: 'ann', state: 'active', web_url: 'http://tocsin.test/ann' },
      target_type: 'Project',
      target_title: 'Secret',
      created_at: body[1].created_at
    }
  ])
  t.match(body[1].created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  t.notOk('note' in body[0] || 'push_data' in body[0], 'omitted when empty')
})

t.test('events are filtered by action, target and exclusive days', async t => {
  const of = async (query: string) => names((await ann.call('GET', `/projects/${project.id}/events?${query}`)).body)

  await record('reopened', '2026-03-01T10:00:00Z')
  await record('closed', '2026-03-02T00:00:00Z')
  await record('merged', '2026-03-02T23:59:59.999Z', { type: 'MergeRequest' })
  await record('destroyed', '2026-03-03T00:00:00Z', { type: 'Milestone' })

  t.same(await of('before=2026-03-03'), ['accepted', 'closed', 'opened'])
  t.same(await of('after=2026-03-01&before=2026-03-04'), ['destroyed', 'accepted', 'closed'])
  t.same(await of('after=2026-03-02&before=2026-03-04'), ['destroyed'])
  t.same(await of('before=2026-03-04&sort=asc'), ['opened', 'closed', 'accepted', 'destroyed'])
  t.same(await of('action=merged'), ['accepted'])
  t.same(await of('target_type=issue'), ['closed', 'opened'])
  t.same(await of('target_type=merge_request&action=closed'), [])
  for (const [query, name] of [
    ['action=danced', 'action does not have a valid value'],
    ['target_type=Issue', 'target_type does not have a valid value'],
    ['before=soon', 'before is invalid'],
    ['after=2026-02-99', 'after is invalid']
  ] as const) {
    t.hasStrict(await ann.call('GET', `/projects/${project.id}/events?${query}`), { status: 400, body: { error: name } }, query)
  }
})

t.test('events have pages and pagination headers', async t => {
  const { body, headers } = await ann.call('GET', `/projects/${project.id}/events?per_page=2&page=2`)

  t.same(names(body), ['destroyed', 'accepted'])
  t.hasStrict(headers, { 'x-total': '6', 'x-page': '2', 'x-next-page': '3' })
  t.match(headers, { link: /rel="next"/ })
})

t.test('viewers see the events of projects that they can see', async t => {
  const total = async (person: typeof ann | undefined, url: string) => {
    const response = person ? await person.call('GET', url) : await call('GET', url, undefined, null)
    return response.status === 200 ? Number(response.headers['x-total']) : response.status
  }

  t.equal(await total(ann, '/events'), 7)
  t.equal(await total(bob, '/events'), 1)
  t.equal(await total(bob, '/events?scope=all'), 6)
  t.equal(await total(undefined, '/events'), 401)

  t.equal(await total(ann, '/users/ann/events'), 7)
  t.equal(await total(bob, `/users/${ann.id}/events`), 7, 'as a member, and of internal projects')
  t.equal(await total(eve, '/users/ann/events'), 1, 'external users see public projects')
  t.equal(await total(undefined, '/users/ann/events'), 1)
  t.equal(await total(undefined, '/users/unknown/events'), 404)

  t.equal(await total(eve, `/projects/${project.id}/events`), 404)
  t.equal(await total(eve, `/projects/${inner.id}/events`), 404)
  t.equal(await total(undefined, `/projects/${open.id}/events`), 1)

  await record('created', '2026-04-01T00:00:00Z', { type: 'Error', isForDevelopers: true })
  t.equal(await total(ann, '/users/ann/events?target_type=error'), 1)
  t.equal(await total(ann, `/projects/${project.id}/events?target_type=error`), 1)
  t.equal(await total(bob, `/projects/${project.id}/events?target_type=error`), 0, 'only developers see activity on errors')
  t.equal(await total(bob, '/users/ann/events?target_type=error'), 0)
  t.equal(await total(bob, '/events?scope=all&target_type=error'), 0)

  await platform.pool.query('UPDATE users SET is_private_profile = true WHERE id = $1', [ann.id])
  t.same([await total(bob, '/users/ann/events'), await total(ann, '/users/ann/events')], [0, 8], 'a private profile')
})

t.test('the scope read_user allows the events of users, not of projects', async t => {
  await platform.pool.query(`UPDATE access_tokens SET scopes = '{read_user}' WHERE user_id = $1`, [bob.id])
  for (const [url, status] of [
    ['/events', 200],
    ['/users/bob/events', 200],
    [`/projects/${project.id}/events`, 403]
  ] as const) {
    t.equal((await app.inject({ url: `/api/v4${url}`, headers: { 'private-token': bob.token } })).statusCode, status, url)
  }
})

t.test('events of deleted users have no author, and events are deleted after three years', async t => {
  await record('closed', '2023-01-01T00:00:00Z')
  await record('approved', '2026-05-01T00:00:00Z', { author: 999_999 })
  hasExactly(t, (await ann.call('GET', `/projects/${project.id}/events?action=approved`)).body, [
    { author: null, author_id: null, author_username: null }
  ])
  const closed = async () => (await ann.call('GET', `/projects/${project.id}/events?action=closed`)).body.length

  t.equal(await closed(), 2)
  await deleteOldActivity(platform.fork(), new Date('2026-06-01T00:00:00Z'))
  t.equal(await closed(), 1)
})
