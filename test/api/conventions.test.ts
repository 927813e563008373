import type { LightMyRequestResponse } from 'fastify'
import t from 'tap'
import { anEnvelope, anException, openProject } from '../support/factories.ts'
import { openApp, rootToken } from '../support/world.ts'

const admin = { 'private-token': rootToken }

t.test('errors have the shape that clients expect', async t => {
  const { app, call } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'P' })
  const settings = `/projects/${project.id}/error_tracking/settings`

  t.hasStrict(await call('GET', '/nowhere'), { status: 404, body: { error: '404 Not Found' } })
  t.hasStrict(await call('GET', '/projects/999999'), { status: 404, body: { message: '404 Project Not Found' } })
  t.hasStrict(await call('GET', settings), { status: 404, body: { message: '404 Error Tracking Setting Not Found' } })
  t.hasStrict(await call('PATCH', settings, { active: true }), { status: 404 })
  t.hasStrict(await call('PUT', settings, { active: true }), { status: 400, body: { error: 'integrated is missing' } })
  t.hasStrict(await call('PUT', settings, { active: 'perhaps', integrated: true }), { status: 400, body: { error: 'active is invalid' } })
  t.hasStrict(await call('PATCH', settings, {}), { status: 400, body: { error: 'active is missing' } })
  t.hasStrict(await call('GET', settings, undefined, null), { status: 401, body: { message: '401 Unauthorized' } })
  t.match(await call('POST', '/projects', {}), { status: 400, body: { error: /name, path are missing/ } })
  t.match(await call('POST', '/projects', { name: 'P', path: '../up' }), { status: 400, body: { message: { path: [/can contain only/] } } })
  t.hasStrict(await call('POST', '/projects', { name: 'P' }), { status: 400, body: { message: { path: ['has already been taken'] } } })
  t.hasStrict(await call('POST', '/projects', { name: 'P', visibility: 'secret' }), {
    status: 400,
    body: { error: 'visibility does not have a valid value' }
  })
  t.hasStrict(await call('POST', '/projects', { name: 'P', namespace_id: 4711 }), {
    status: 400,
    body: { message: { namespace: ['is not valid'] } }
  })

  const broken = await app.inject({
    method: 'POST',
    url: '/api/v4/projects',
    payload: '{"name":',
    headers: { ...admin, 'content-type': 'application/json' }
  })
  t.hasStrict([broken.statusCode, broken.json()], [400, { error: 'The body is not valid JSON' }])
})

t.test('an unexpected error reveals no internals', async t => {
  const { app, platform } = await openApp(t, { isPrivate: true })

  await platform.pool.query('ALTER TABLE access_tokens RENAME TO hidden')
  const response = await app.inject({ url: '/api/v4/user', headers: admin })

  t.equal(response.statusCode, 500)
  t.same(response.json(), { message: '500 Internal Server Error' })
})

t.test('parameters are read from the query and from a JSON body', async t => {
  const { app, call } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'P' })
  const url = `/api/v4/projects/${project.id}/error_tracking`
  const put = (query: string, payload?: string, type?: string) =>
    app.inject({ method: 'PUT', url: `${url}/settings${query}`, payload, headers: { ...admin, ...(type && { 'content-type': type }) } })

  t.hasStrict((await put('?active=true&integrated=true')).json(), { active: true, integrated: true }, 'in the query alone')
  t.hasStrict((await put('?active=false&integrated=true', '{}', 'application/json')).json(), { active: false }, 'with an empty object')
  t.hasStrict((await put('', '{"active":true,"integrated":true,"unknown":1}', 'application/json')).json(), { active: true }, 'in the body')
  t.hasStrict(
    (await put('', 'active=1&integrated=on', 'application/x-www-form-urlencoded')).json(),
    { active: true, integrated: true },
    'in a form'
  )
  const empty = await app.inject({ method: 'POST', url: `${url}/client_keys`, headers: { ...admin, 'content-type': 'application/json' } })
  t.equal(empty.statusCode, 201, 'JSON that is empty')
})

t.test('routes of the API have 405, ETag and CORS', async t => {
  const { app } = await openApp(t)
  const first = await app.inject({ url: '/api/v4/user', headers: admin })
  const again = await app.inject({ url: '/api/v4/user', headers: { ...admin, 'if-none-match': String(first.headers.etag) } })
  const wrong = await app.inject({ method: 'DELETE', url: '/api/v4/user' })
  const asked = await app.inject({ method: 'OPTIONS', url: '/api/v4/projects/1' })

  t.same([again.statusCode, again.body], [304, ''])
  t.hasStrict([wrong.statusCode, wrong.headers.allow, wrong.json()], [405, 'GET, HEAD, OPTIONS', { error: '405 Not Allowed' }])
  t.same([asked.statusCode, asked.headers['access-control-allow-origin']], [204, '*'])
  t.match(asked.headers.allow, /\bGET\b/)
})

t.test("settings and client keys have GitLab's field names", async t => {
  const { call } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'P' })
  const path = `/projects/${project.id}/error_tracking`

  t.hasStrict(await call('PUT', `${path}/settings`, { active: true, integrated: true }), {
    status: 200,
    body: { active: true, integrated: true, project_name: null, tracker_external_url: null, sentry_external_url: null, api_url: null }
  })
  const { status, body: key } = await call('POST', `${path}/client_keys`)

  t.equal(status, 201)
  t.match(key.public_key, /^glet_[0-9a-f]{32}$/)
  t.equal(key.tracker_dsn, `http://${key.public_key}@tocsin.test/errortracking/api/v1/projects/${project.id}`)
  t.equal(key.sentry_dsn, key.tracker_dsn)
  t.same((await call('GET', `${path}/client_keys`)).body, [key])
  t.hasStrict(await call('DELETE', `${path}/client_keys/${key.id}`), { status: 204, body: undefined })
  t.hasStrict(await call('DELETE', `${path}/client_keys/${key.id}`), { status: 404 })
})

t.test('a project is found by its encoded path', async t => {
  const { call } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'My Shop (new)', path: 'my.shop' })

  t.hasStrict(await call('GET', '/projects/root%2Fmy.shop'), { status: 200, body: { id: project.id, path_with_namespace: 'root/my.shop' } })
  t.equal((await call('GET', '/projects/root/my.shop')).status, 404)
  t.equal((await call('POST', '/projects', { name: 'Ünïcode Näme!' })).body.path, 'u-ni-code-na-me')
})

t.test('pages of errors and events have no gaps or duplicates', async t => {
  const { send, untilStored, call, path, app } = await openProject(t)

  for (let n = 0; n < 25; n++) await send(anEnvelope({ ...anException(`E${n}`), timestamp: 1_795_170_000 + (n % 3) }))
  for (let n = 0; n < 7; n++) await send(anEnvelope({ ...anException('Often'), timestamp: Date.now() / 1000 - n }))
  const all = await untilStored(32)
  const ids: number[] = []
  let url: string | undefined = `/api/v4${path}/errors?per_page=10`

  while (url) {
    const response: LightMyRequestResponse = await app.inject({ url, headers: admin })
    ids.push(...response.json().map((error: { fingerprint: number }) => error.fingerprint))
    url = /<http:\/\/tocsin\.test([^>]+)>; rel="next"/.exec(String(response.headers.link))?.[1]
  }
  t.same(
    ids,
    all.map((error: { fingerprint: number }) => error.fingerprint)
  )

  const often = all.find((error: { name: string }) => error.name === 'Often').fingerprint
  for (const sort of ['occurred_at_asc', 'occurred_at_desc']) {
    const first = await app.inject({ url: `/api/v4${path}/errors/${often}/events?limit=4&sort=${sort}`, headers: admin })
    const next = new URL(/<([^>]+)>/.exec(String(first.headers.link))![1]!)
    const second = await app.inject({ url: `${next.pathname}${next.search}`, headers: admin })
    const times = [...first.json(), ...second.json()].map((event: { occurred_at: string }) => event.occurred_at)

    t.equal(times.length, 7)
    t.same(times, sort.endsWith('asc') ? times.toSorted() : times.toSorted().reverse(), sort)
    t.notMatch(second.headers.link, /rel="next"/)
  }
  t.hasStrict(await call('GET', `${path}/errors?cursor=nonsense`), { status: 400, body: { error: 'cursor is invalid' } })
  t.hasStrict(await call('GET', `${path}/errors?cursor=${Buffer.from('["x",1]').toString('base64url')}`), { status: 400 })
  t.hasStrict(await call('GET', `${path}/errors?status=odd`), { status: 400, body: { error: 'status does not have a valid value' } })
  t.hasStrict(await call('GET', `${path}/errors?per_page=0`), { status: 400 })
  t.equal((await call('GET', `${path}/errors?per_page=1000`)).status, 200, 'larger pages are cut to the largest')
})
