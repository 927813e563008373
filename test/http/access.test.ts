import t from 'tap'
import { hashSecret } from '../../src/identity/secrets.ts'
import { openApp, rootToken } from '../support/world.ts'

const people = [
  'nobody',
  'stranger',
  'guest',
  'developer',
  'maintainer',
  'admin',
  'blocked',
  'wrongScope',
  'readOnly',
  'expired',
  'revoked',
  'made-up'
] as const
type Person = (typeof people)[number]
type Expectation = Partial<Record<Person, number>>

/** What each gets who is not named in a row: a caller without a valid credential 401, one with too little scope 403. */
const usual: Expectation = { nobody: 401, expired: 401, revoked: 401, 'made-up': 401, blocked: 403, wrongScope: 403 }
const forMembers = (ok: number, of: number): Expectation => ({
  ...usual,
  stranger: 404,
  guest: of <= 10 ? ok : 403,
  developer: of <= 30 ? ok : 403,
  maintainer: of <= 40 ? ok : 403,
  admin: ok,
  readOnly: of <= 40 ? ok : 403
})
const forAnyone = (ok: number): Expectation => ({ ...forMembers(ok, 10), nobody: ok, stranger: ok })
const forAdmins = (ok: number): Expectation => ({ ...forMembers(403, 10), stranger: 403, admin: ok })
const writing = (expected: Expectation): Expectation => ({ ...expected, readOnly: 403 })

/** Every route of the API, a request that would succeed, and who may make it. */
const table: Record<string, { body?: object; status: Expectation }> = {
  'GET /api/v4/user': {
    status: { ...usual, wrongScope: 200, stranger: 200, guest: 200, developer: 200, maintainer: 200, admin: 200, readOnly: 200 }
  },
  'POST /api/v4/projects': {
    body: {},
    status: { ...usual, stranger: 400, guest: 400, developer: 400, maintainer: 400, admin: 400, readOnly: 403 }
  },
  'POST /api/v4/projects/user/:user_id': { body: { name: 'P' }, status: writing(forAdmins(404)) },
  'GET /api/v4/projects': { status: forAnyone(200) },
  'GET /api/v4/users/:user_id/projects': { status: forAnyone(404) },
  'GET /api/v4/projects/:id': { status: { ...forMembers(200, 10), nobody: 404 } },
  'PUT /api/v4/projects/:id': { body: { description: 'D' }, status: writing(forMembers(200, 40)) },
  'DELETE /api/v4/projects/:id': { body: { permanently_remove: true }, status: writing(forMembers(400, 50)) },
  'PUT /api/v4/projects/:id/transfer': { body: { namespace: '0' }, status: writing(forMembers(404, 50)) },
  'POST /api/v4/projects/:id/archive': { status: writing(forMembers(201, 50)) },
  'POST /api/v4/projects/:id/unarchive': { status: writing(forMembers(201, 50)) },
  'GET /api/v4/projects/:id/members': { status: { ...forMembers(200, 10), nobody: 404 } },
  'GET /api/v4/projects/:id/members/all': { status: { ...forMembers(200, 10), nobody: 404 } },
  'GET /api/v4/projects/:id/members/:user_id': { status: { ...forMembers(404, 10), nobody: 404 } },
  'GET /api/v4/projects/:id/members/all/:user_id': { status: { ...forMembers(404, 10), nobody: 404 } },
  'POST /api/v4/projects/:id/members': { body: { user_id: 0, access_level: 10 }, status: writing(forMembers(404, 40)) },
  'PUT /api/v4/projects/:id/members/:user_id': { status: writing(forMembers(404, 40)) },
  'DELETE /api/v4/projects/:id/members/:user_id': { status: writing(forMembers(404, 40)) },
  'GET /api/v4/projects/:id/audit_events': { status: forMembers(200, 40) },
  'GET /api/v4/projects/:id/audit_events/:audit_event_id': { status: forMembers(404, 40) },
  'GET /api/v4/groups': { status: forAnyone(200) },
  'POST /api/v4/groups': {
    body: { name: 'G', path: 'a/b' },
    status: writing({ ...usual, stranger: 400, guest: 400, developer: 400, maintainer: 400, admin: 400 })
  },
  'GET /api/v4/groups/:id': { status: { ...forMembers(200, 10), nobody: 404 } },
  'PUT /api/v4/groups/:id': { body: { description: 'D' }, status: writing(forMembers(200, 50)) },
  'DELETE /api/v4/groups/:id': { body: { permanently_remove: true }, status: writing(forMembers(400, 50)) },
  'GET /api/v4/groups/:id/subgroups': { status: { ...forMembers(200, 10), nobody: 404 } },
  'GET /api/v4/groups/:id/descendant_groups': { status: { ...forMembers(200, 10), nobody: 404 } },
  'GET /api/v4/groups/:id/projects': { status: { ...forMembers(200, 10), nobody: 404 } },
  'GET /api/v4/groups/:id/members': { status: { ...forMembers(200, 10), nobody: 404 } },
  'GET /api/v4/groups/:id/members/all': { status: { ...forMembers(200, 10), nobody: 404 } },
  'GET /api/v4/groups/:id/members/:user_id': { status: { ...forMembers(404, 10), nobody: 404 } },
  'GET /api/v4/groups/:id/members/all/:user_id': { status: { ...forMembers(404, 10), nobody: 404 } },
  'POST /api/v4/groups/:id/members': { body: { user_id: 0, access_level: 10 }, status: writing(forMembers(404, 50)) },
  'PUT /api/v4/groups/:id/members/:user_id': { status: writing(forMembers(404, 50)) },
  'DELETE /api/v4/groups/:id/members/:user_id': { status: writing(forMembers(404, 50)) },
  'GET /api/v4/groups/:id/audit_events': { status: forMembers(200, 50) },
  'GET /api/v4/groups/:id/audit_events/:audit_event_id': { status: forMembers(404, 50) },
  'GET /api/v4/audit_events': { status: forAdmins(200) },
  'GET /api/v4/audit_events/:audit_event_id': { status: forAdmins(404) },
  'GET /api/v4/projects/:id/error_tracking/settings': { status: forMembers(200, 40) },
  'PUT /api/v4/projects/:id/error_tracking/settings': { body: { active: true, integrated: true }, status: writing(forMembers(200, 40)) },
  'PATCH /api/v4/projects/:id/error_tracking/settings': { body: { active: true }, status: writing(forMembers(200, 40)) },
  'GET /api/v4/projects/:id/error_tracking/client_keys': { status: forMembers(200, 40) },
  'POST /api/v4/projects/:id/error_tracking/client_keys': { status: writing(forMembers(201, 40)) },
  'DELETE /api/v4/projects/:id/error_tracking/client_keys/:key_id': { status: writing(forMembers(404, 40)) },
  'GET /api/v4/projects/:id/error_tracking/errors': { status: forMembers(200, 30) },
  'GET /api/v4/projects/:id/error_tracking/errors/:fingerprint': { status: forMembers(404, 30) },
  'GET /api/v4/projects/:id/error_tracking/errors/:fingerprint/events': { status: forMembers(404, 30) },
  'GET /admin/processes': { status: { ...usual, stranger: 403, guest: 403, developer: 403, maintainer: 403, admin: 200, readOnly: 403 } },
  'GET /admin/queues/api/queues': {
    status: { ...usual, stranger: 403, guest: 403, developer: 403, maintainer: 403, admin: 200, readOnly: 403 }
  }
}

t.test('who may do what, route by route', async t => {
  const { app, platform, call } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'Private' })
  const { body: group } = await call('POST', '/groups', { name: 'Private', path: 'a-group' })
  const tokens = await populate(platform.pool, project.id, group.id)

  await call('PUT', `/projects/${project.id}/error_tracking/settings`, { active: true, integrated: true })

  for (const [route, { body, status }] of Object.entries(table)) {
    const [method, path] = route.split(' ') as ['GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', string]
    const url = path
      .replace('/groups/:id', `/groups/${group.id}`)
      .replace(':id', project.id)
      .replace(/:(key_id|fingerprint|user_id|audit_event_id)/, '0')

    for (const person of people) {
      const headers = person === 'nobody' ? {} : { 'private-token': tokens[person] }
      const response = await app.inject({ method, url, payload: body, headers })

      t.equal(response.statusCode, status[person], `${route} as ${person}`)
    }
  }
})

t.test('no route is missing from the table', async t => {
  const { app } = await openApp(t)
  const routes = app
    .printRoutes({ commonPrefix: false, includeHooks: false })
    .split('\n')
    .filter(line => line.includes('('))
  const known = new Set(Object.keys(table).map(route => route.split(' ')[1]))
  const stack: string[] = []
  const found = new Set<string>()

  for (const line of routes) {
    const [, indent = '', segment = ''] = /^((?:│ {3}| {4})*)[├└]── (.*?) \(/.exec(line) ?? []
    const depth = indent.length / 4

    stack.length = depth
    stack.push(segment)
    const path = stack.join('')
    if (path.startsWith('/api/v4')) found.add(path.replace(/\/$/, ''))
  }

  t.ok(found.size >= 8, 'routes were found at all')
  for (const path of found) t.ok(known.has(path), path)
})

t.test('a token is taken from wherever clients put it', async t => {
  const { app } = await openApp(t)
  const ways: { headers?: Record<string, string>; query?: Record<string, string> }[] = [
    { headers: { 'private-token': rootToken } },
    { headers: { authorization: `Bearer ${rootToken}` } },
    { query: { private_token: rootToken } },
    { query: { access_token: rootToken } }
  ]

  for (const way of ways) t.equal((await app.inject({ url: '/api/v4/user', ...way })).statusCode, 200)
})

t.test('use of a token is noted, at most once a minute', async t => {
  const { app, platform } = await openApp(t)
  const lastUse = async () => (await platform.pool.query('SELECT last_used_at FROM access_tokens')).rows[0].last_used_at
  const ask = () => app.inject({ url: '/api/v4/user', headers: { 'private-token': rootToken } })

  t.equal(await lastUse(), null)
  await ask()
  const first = await lastUse()
  t.ok(first)
  await ask()
  t.same(await lastUse(), first)
})

type Pool = Awaited<ReturnType<typeof openApp>>['platform']['pool']

/** People with every relation to a project and a group, each with a token. */
async function populate(pool: Pool, projectId: number, groupId: number) {
  const levels: Partial<Record<Person, number>> = {
    guest: 10,
    developer: 30,
    maintainer: 40,
    blocked: 40,
    wrongScope: 40,
    readOnly: 40,
    expired: 40,
    revoked: 40
  }
  const tokens: Partial<Record<Person, string>> = { admin: rootToken, 'made-up': 'glpat-nobody-ever-had-this-one' }

  for (const person of people) {
    if (['nobody', 'admin', 'made-up'].includes(person)) continue
    const token = `glpat-token-of-the-${person}`
    const { rows } = await pool.query(`INSERT INTO users (username, name, email, state) VALUES ($1, $1, $1, $2) RETURNING id`, [
      person,
      person === 'blocked' ? 'blocked' : 'active'
    ])

    await pool.query(
      'INSERT INTO access_tokens (user_id, name, token_hash, scopes, expires_at, revoked_at) VALUES ($1, $2, $3, $4, $5, $6)',
      [
        rows[0].id,
        person,
        hashSecret(token),
        [person === 'wrongScope' ? 'read_user' : person === 'readOnly' ? 'read_api' : 'api'],
        person === 'expired' ? new Date(Date.now() - 1000) : null,
        person === 'revoked' ? new Date() : null
      ]
    )
    if (levels[person])
      await pool.query('INSERT INTO members (project_id, group_id, user_id, access_level) VALUES ($1, NULL, $3, $4), (NULL, $2, $3, $4)', [
        projectId,
        groupId,
        rows[0].id,
        levels[person]
      ])
    tokens[person] = token
  }

  return tokens as Record<Person, string>
}
