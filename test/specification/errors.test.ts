import t, { type Test } from 'tap'
import { openTracker, token } from '../errors/tracker.ts'
import { anEventId, anException, openProject } from '../support/factories.ts'
import { eventually } from '../support/world.ts'
import { fields, prove } from './prove.ts'
import { sdkPayloads, trackingEndpoints } from './statements/endpoints.ts'
import { clientKey, trackingSettings } from './statements/resources.ts'

const { call, path, project, key, platform, send, errors } = await openProject(t)
const settings = `${path}/settings`
const keys = `${path}/client_keys`
const { body: shown } = await call('GET', settings)

prove(t, trackingSettings, {
  ...fields(shown, { active: true, integrated: true, project_name: null, tracker_external_url: null }),
  api_url: async t => {
    const { host } = await openTracker(t)
    const { body: other } = await call('POST', '/projects', { name: `Elsewhere ${anEventId()}` })
    const api_url = `${host}/api/0/projects/shop/web/`
    const body = { active: true, integrated: false, api_url, token }
    const external = await call('PUT', `/projects/${other.id}/error_tracking/settings`, body)

    t.equal(shown.api_url, null)
    t.hasStrict(external.body, { api_url, project_name: 'Shop / Web', tracker_external_url: `${host}/shop/web/`, integrated: false })
  }
})

prove(
  t,
  clientKey,
  fields(key, {
    id: Number.isInteger,
    active: true,
    public_key: /^glet_[0-9a-f]{32}$/,
    tracker_dsn: `http://${key.public_key}@tocsin.test/errortracking/api/v1/projects/${project.id}`
  })
)

prove(t, trackingEndpoints, {
  'GET /projects/:id/error_tracking/settings': async t => t.equal((await call('GET', settings)).status, 200),
  'PUT /projects/:id/error_tracking/settings': async t => {
    t.hasStrict(await call('PUT', settings, { active: true, integrated: true }), { status: 200, body: { active: true, integrated: true } })
    t.equal((await call('PUT', settings, { active: true })).status, 400)
    t.equal((await call('PUT', settings, { integrated: true })).status, 400)
  },
  'PATCH /projects/:id/error_tracking/settings': async t => {
    t.hasStrict(await call('PATCH', settings, { active: false }), { status: 200, body: { active: false, integrated: true } })
    t.hasStrict((await call('PATCH', settings, { active: true, integrated: true })).body, { active: true, integrated: true })
    t.equal((await call('PATCH', settings, { integrated: true })).status, 400)
  },
  'GET /projects/:id/error_tracking/client_keys': async t => t.hasStrict((await call('GET', keys)).body, [{ id: key.id }]),
  'POST /projects/:id/error_tracking/client_keys': async t =>
    t.hasStrict(await call('POST', keys), { status: 201, body: { active: true } }),
  'DELETE /projects/:id/error_tracking/client_keys/:key_id': async t => {
    const { body } = await call('POST', keys)

    t.hasStrict(await call('DELETE', `${keys}/${body.id}`), { status: 204, body: undefined })
  }
})

type Send = (event: object) => Promise<{ statusCode: number }>

const post = (kind: string, payload: string, client: string) =>
  send(
    payload,
    { 'x-sentry-auth': `Sentry sentry_version=7, sentry_client=${client}, sentry_key=${key.public_key}` },
    `/errortracking/api/v1/projects/api/${project.id}/${kind}/`
  )
const byStore =
  (client: string): Send =>
  event =>
    post('store', JSON.stringify(event), client)
const byEnvelope = (client: string, item = 'event'): Send => {
  return event => post('envelope', [{}, { type: item }, event].map(line => JSON.stringify(line)).join('\n'), client)
}

/** An exception and a message become errors of their names. */
function accepts(platform: string, sendEvent: Send) {
  return async (t: Test) => {
    const [type, message] = [`${platform}Error`, `A message from ${platform}`]

    t.equal((await sendEvent({ event_id: anEventId(), ...anException(type), platform })).statusCode, 200)
    t.equal((await sendEvent({ event_id: anEventId(), message, level: 'info', platform })).statusCode, 200)
    for (const name of [type, message])
      await eventually(async () => (await errors('?per_page=100')).some((error: { name: string }) => error.name === name), name)
  }
}

function acceptsSessions(client: string) {
  return async (t: Test) => {
    const started = async () => Number((await platform.pool.query('SELECT sum(started) FROM error_sessions')).rows[0].sum)
    const before = await started()
    const session = { sid: anEventId(), init: true, started: new Date().toISOString(), status: 'exited', attrs: { release: 'shop@1.0' } }

    t.equal((await byEnvelope(client, 'session')(session)).statusCode, 200)
    await eventually(async () => (await started()) === before + 1, 'the session is counted')
  }
}

function all(...proofs: ((t: Test) => Promise<void>)[]) {
  return async (t: Test) => {
    for (const proof of proofs) await proof(t)
  }
}

prove(t, sdkPayloads, {
  Go: accepts('go', byStore('sentry.go/0.12.0')),
  Java: accepts('java', byEnvelope('sentry.java/7.1.0')),
  NodeJS: accepts('node', byEnvelope('sentry.javascript.node/8.55.0')),
  PHP: accepts('php', byStore('sentry.php/2.5.0')),
  Python: all(accepts('python', byEnvelope('sentry.python/2.1.0')), acceptsSessions('sentry.python/2.1.0')),
  Ruby: accepts('ruby', byEnvelope('sentry-ruby/5.1.0')),
  Rust: all(accepts('rust', byEnvelope('sentry.rust/0.32.0')), acceptsSessions('sentry.rust/0.32.0'))
})
