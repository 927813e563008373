import { Gitlab } from '@gitbeaker/rest'
import t from 'tap'
import { anEnvelope, openProject } from '../support/factories.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { listen } from '../support/listen.ts'
import { eventually, openApp, rootToken } from '../support/world.ts'
import { openTracker, token } from './tracker.ts'

const secretKey = 'a key that is made for these tests only'

t.test('a GitLab client manages the settings and client keys', async t => {
  const { app, config, call } = await openApp(t)
  const host = await listen(app)

  config.baseUrl = host
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const { ErrorTrackingSettings: Settings, ErrorTrackingClientKeys: Keys } = new Gitlab({ host, token: rootToken })
  const none = { cause: { description: '404 Error Tracking Setting Not Found' } }

  await t.rejects(Settings.show(project.id), none)
  await t.rejects(Settings.edit(project.id, true), none)
  t.hasStrict(await Settings.create(project.id, true, true), { active: true, integrated: true, project_name: null, api_url: null })
  t.hasStrict(await Settings.edit(project.id, false), { active: false, integrated: true })
  t.hasStrict(await Settings.edit(project.id, true, { integrated: true }), { active: true })
  t.hasStrict(await Settings.show('root/shop'), { active: true, integrated: true, sentry_external_url: null })

  const first = await Keys.create(project.id)
  const second = await Keys.create(project.id)
  t.equal(first.active, true)
  t.match(first.public_key, /^glet_[0-9a-f]{32}$/)
  t.match(first.sentry_dsn, new RegExp(`/errortracking/api/v1/projects/${project.id}$`))
  t.same(
    (await Keys.all(project.id, { perPage: 1 })).map(({ id }) => id),
    [first.id, second.id],
    'page by page'
  )
  // The client leaves it to its caller to name the key.
  await Keys.remove(project.id, { keyId: first.id } as object)
  t.same(
    (await Keys.all(project.id)).map(({ id }) => id),
    [second.id]
  )
  t.hasStrict(await call('DELETE', `/projects/${project.id}/error_tracking/client_keys`), {
    status: 400,
    body: { error: 'key_id is missing' }
  })
})

t.test('parameters are read from the query, a form or JSON', async t => {
  const { app, call } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const url = `/api/v4/projects/${project.id}/error_tracking/settings`
  const headers = { 'private-token': rootToken }
  const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' }

  for (const request of [
    { url: `${url}?active=true&integrated=true`, headers },
    { url, headers: form, payload: 'active=1&integrated=true' },
    { url, headers, payload: { active: 'true', integrated: true } }
  ]) {
    t.hasStrict((await app.inject({ method: 'PUT', ...request })).json(), { active: true, integrated: true })
    t.hasStrict((await app.inject({ method: 'PATCH', ...request })).json(), { active: true, integrated: true })
  }
  t.hasStrict((await app.inject({ method: 'PATCH', url, headers, payload: { integrated: true } })).json(), { error: 'active is missing' })
  t.hasStrict((await app.inject({ method: 'PUT', url, headers, payload: { active: true } })).json(), { error: 'integrated is missing' })
})

t.test('an external tracker is checked before it is linked', async t => {
  const { host, close } = await openTracker(t)
  const { call, platform } = await openApp(t, { env: { SECRET_KEY: secretKey } })
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const path = `/projects/${project.id}/error_tracking/settings`
  const api_url = `${host}/api/0/projects/shop/web/`
  const link = (more: object) => call('PUT', path, { active: true, integrated: false, ...more })

  hasExactly(t, await link({}), { status: 400, body: { message: { api_url: ['is a required field'], token: ['is a required field'] } } })
  for (const [given, message] of [
    [{ api_url, token: 'another' }, { token: [/refused.*401/] }],
    [{ api_url: `${host}/nothing/`, token }, { api_url: [/404/] }],
    [{ api_url: `${host}/elsewhere/`, token }, { api_url: [/302.*not followed/] }],
    [{ api_url: `${host}/page/`, token }, { api_url: [/JSON/] }],
    [{ api_url: `${host}/broken/`, token }, { api_url: [/500/] }],
    [{ api_url: 'http://127.0.0.1:9/', token }, { api_url: [/cannot be reached/] }],
    [{ api_url: 'http://nowhere.invalid/', token }, { api_url: [/ENOTFOUND|EAI_AGAIN|no address/] }],
    [{ api_url: 'ftp://shop.test/', token }, { api_url: [/http or https/] }],
    [{ api_url: 'http://user:pass@shop.test/', token }, { api_url: [/user name/] }]
  ] as const) {
    const answer = await link(given)
    t.equal(answer.status, 400, JSON.stringify(message))
    t.match(answer.body.message, message, JSON.stringify(message))
  }
  t.equal((await call('GET', path)).status, 404, 'nothing was kept of what did not answer')

  const linked = await link({ api_url, token })
  const expected = { active: true, integrated: false, api_url, project_name: 'Shop / Web', sentry_external_url: `${host}/shop/web/` }
  t.hasStrict(linked, { status: 200, body: expected })
  t.notMatch(JSON.stringify(linked), token)
  const { rows } = await platform.pool.query('SELECT * FROM error_settings WHERE project_id = $1', [project.id])
  t.notOk(rows[0].tracker_token.includes(token), 'the token is not stored as it is')

  t.hasStrict((await call('PATCH', path, { active: false })).body, { ...expected, active: false })
  t.hasStrict((await call('PATCH', path, { active: true })).body, expected, 'the token that is kept still opens it')
  hasExactly(
    t,
    await call('PATCH', path, { active: true, api_url: `http://localhost:${new URL(host).port}/api/0/projects/shop/web/` }),
    { status: 400, body: { message: { token: ['is a required field'] } } },
    'another host does not get it'
  )
  t.hasStrict(await call('PATCH', path, { active: true, integrated: true, token }), { status: 400 })
  close()
  t.hasStrict(
    await call('PATCH', path, { active: true, scrubbing: false }),
    { status: 200, body: { ...expected, scrubbing: false } },
    'other settings change while the tracker is away'
  )
  t.hasStrict((await call('PATCH', path, { active: true, integrated: true })).body, { integrated: true, api_url: null, project_name: null })
})

t.test('the URL of an external tracker must not be in a private network', async t => {
  const { call } = await openApp(t, { env: { SECRET_KEY: secretKey, OUTBOUND_PRIVATE_NETWORKS: 'false' } })
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })

  for (const host of [
    '127.0.0.1',
    '2130706433',
    '[::1]',
    '[::ffff:10.0.0.1]',
    '169.254.169.254',
    '10.1.2.3',
    '[fd00::1]',
    'localhost',
    '0'
  ]) {
    const body = { active: true, integrated: false, api_url: `http://${host}:5432/`, token }
    const answer = await call('PUT', `/projects/${project.id}/error_tracking/settings`, body)

    t.match(answer, { status: 400, body: { message: { api_url: [/private network/] } } }, host)
  }
})

t.test('intake rejects events when tracking is external or disabled', async t => {
  const { host } = await openTracker(t)
  const { call, send, path, project, app, errors } = await openProject(t, {
    env: { SECRET_KEY: secretKey }
  })
  const status = async () => (await send(anEnvelope())).statusCode
  const refuses = (statusCode: number) => eventually(async () => (await status()) === statusCode, `intake answers ${statusCode}`)

  t.equal(await status(), 200)
  await call('PUT', `${path}/settings`, { active: true, integrated: false, api_url: `${host}/api/0/projects/shop/web/`, token })
  await refuses(403)
  t.ok(Array.isArray(await errors()), 'what came before can still be read')

  await call('PUT', `${path}/settings`, { active: true, integrated: true })
  await refuses(200)
  t.hasStrict(await call('PUT', `/projects/${project.id}`, { monitor_access_level: 'disabled' }), {
    body: { monitor_access_level: 'disabled' }
  })
  await refuses(403)
  for (const [method, url, body] of [
    ['GET', `${path}/settings`],
    ['PUT', `${path}/settings`, { active: true, integrated: false, api_url: host, token }],
    ['PATCH', `${path}/settings`, { active: true }],
    ['GET', `${path}/client_keys`],
    ['POST', `${path}/client_keys`],
    ['GET', `${path}/errors`],
    ['GET', `${path}/errors/1`],
    ['GET', `${path}/releases`],
    ['GET', `${path}/feedback`]
  ] as const) {
    t.hasStrict(await call(method, url, body), { status: 404, body: { message: '404 Not Found' } }, `${method} ${url}`)
  }
  const headers = { 'private-token': rootToken }
  t.equal((await app.inject({ url: `/errortracking/api/v1/projects/${project.id}/errors`, headers })).statusCode, 404)

  await call('PUT', `/projects/${project.id}`, { monitor_access_level: 'enabled' })
  await refuses(200)
})
