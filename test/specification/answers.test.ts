import t from 'tap'
import { aPerson } from '../projects/people.ts'
import { captchaEnv, openAkismet, openPublicProject } from '../spam/services.ts'
import { eventually, openApp, rootToken } from '../support/world.ts'
import { prove } from './prove.ts'
import { errorBodies, statusCodes } from './statements/rules.ts'

const world = await openApp(t)
const { app, call } = world
const { body: project } = await call('POST', '/projects', { name: 'Shop' })
const ann = await aPerson(world, 'ann')
const one = `/projects/${project.id}`
const admin = { 'private-token': rootToken }
const ask = (url: string, headers: Record<string, string> = {}) => app.inject({ url: `/api/v4${url}`, headers: { ...admin, ...headers } })

prove(t, statusCodes, {
  200: async t => t.equal((await call('GET', one)).status, 200),
  201: async t => t.equal((await call('POST', `${one}/labels`, { name: 'a', color: '#112233' })).status, 201),
  202: async t => {
    const { body } = await call('POST', '/projects', { name: 'Doomed' })

    t.equal((await call('DELETE', `/projects/${body.id}`)).status, 202)
  },
  204: async t => t.hasStrict(await call('DELETE', `${one}/labels/a`), { status: 204, body: undefined }),
  301: async t => {
    const { body } = await call('POST', '/projects', { name: 'Former' })

    await call('PUT', `/projects/${body.id}`, { path: 'latter' })
    t.hasStrict(await call('GET', '/projects/root%2Fformer'), { status: 301, headers: { location: `/api/v4/projects/${body.id}` } })
  },
  304: async t => {
    const { etag } = (await ask('/user')).headers

    t.equal((await ask('/user', { 'if-none-match': String(etag) })).statusCode, 304)
  },
  400: async t => t.equal((await call('POST', '/projects', {})).status, 400),
  401: async t => t.equal((await call('GET', '/user', undefined, null)).status, 401),
  403: async t => t.equal((await ann.call('POST', '/users', { name: 'B', username: 'b', email: 'b@example.com' })).status, 403),
  404: async t => {
    t.equal((await ann.call('GET', one)).status, 404, 'not visible')
    t.equal((await call('GET', '/nowhere')).status, 404)
  },
  405: async t => t.hasStrict(await call('DELETE', '/user'), { status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } }),
  409: async t => {
    const { body } = await call('POST', '/projects', { name: 'Joined' })
    const join = () => call('POST', `/projects/${body.id}/members`, { user_id: ann.id, access_level: 30 })

    t.strictSame([(await join()).status, (await join()).status], [201, 409])
  },
  410: async t => t.equal((await call('POST', '/runners/reset_registration_token')).status, 410),
  412: async t => {
    const headers = { ...admin, 'if-unmodified-since': 'Mon, 06 Jan 2020 00:00:00 GMT' }

    t.equal((await app.inject({ method: 'DELETE', url: `/api/v4${one}`, headers })).statusCode, 412)
    t.equal((await call('GET', one)).status, 200)
  },
  414: async t => t.equal((await call('GET', `/projects?unknown=${'x'.repeat(8200)}`)).status, 414),
  422: async t => t.equal((await call('POST', `${one}/hooks`, { url: 'ftp://a.example' })).status, 422),
  429: async t => {
    const { call } = await openApp(t, { env: { RATE_LIMIT_USER: '1' } })

    await call('GET', '/user')
    t.equal((await call('GET', '/user')).status, 429)
  },
  500: async t => {
    const { call, platform } = await openApp(t, { isPrivate: true })

    await platform.pool.query('ALTER TABLE access_tokens RENAME TO hidden')
    t.hasStrict(await call('GET', '/user'), { status: 500, body: { message: '500 Internal Server Error' } })
  },
  503: async t => {
    const { app } = await openApp(t, { env: { OVERLOAD_HEAP_PERCENT: '1' } })

    await eventually(async () => (await app.inject('/api/v4/user')).statusCode === 503, 'the overload is noticed')
    t.hasStrict(await app.inject('/api/v4/user'), { headers: { 'retry-after': '5' }, body: '{"message":"503 Service Unavailable"}' })
  }
})

/** The answer to an issue that is spam. */
async function spam(t: Parameters<typeof openAkismet>[0], env: (url: string) => Record<string, string>) {
  const akismet = await openAkismet(t)
  const { project, ann } = await openPublicProject(t, { ...akismet.env, ...env(akismet.url) })

  return ann.call('POST', `/projects/${project.id}/issues`, { title: 'viagra' })
}

prove(t, errorBodies, {
  401: async t => t.same((await call('GET', '/user', undefined, null)).body, { message: '401 Unauthorized' }),
  '400, missing attribute': async t => {
    t.match((await call('PUT', `${one}/error_tracking/settings`, { active: true })).body, { message: /integrated/ })
  },
  '400, validation': async t => {
    const { status, body } = await call('POST', '/projects', { name: 'Shop' })

    t.strictSame([status, body], [400, { message: { path: ['has already been taken'] } }])
  },
  '404, unknown route': async t => t.same((await call('GET', '/nowhere')).body, { error: '404 Not Found' }),
  '403, sudo without admin': async t => {
    const answer = await ask('/user', { 'private-token': ann.token, sudo: 'root' })

    t.strictSame([answer.statusCode, answer.json()], [403, { message: '403 Forbidden - Must be admin to use sudo' }])
  },
  '403, sudo without scope': async t => {
    const { body } = await call('POST', '/users/1/personal_access_tokens', { name: 'weak', scopes: ['api'] })
    const answer = await ask('/user', { 'private-token': body.token, sudo: 'ann' })

    t.hasStrict([answer.statusCode, answer.json()], [403, { error: 'insufficient_scope', scope: 'sudo' }])
    t.type(answer.json().error_description, 'string')
  },
  '404, sudo target': async t => {
    const answer = await ask('/user', { sudo: 'nobody' })

    t.strictSame([answer.statusCode, answer.json()], [404, { message: "404 User with ID or username 'nobody' Not Found" }])
  },
  'spam, no CAPTCHA': async t => {
    const { status, body } = await spam(t, () => ({}))

    t.strictSame([status, body], [409, { message: { error: 'Your issue has been recognized as spam and has been discarded.' } }])
  },
  'spam, with CAPTCHA': async t => {
    const akismet = await openAkismet(t)
    const { app, project, ann } = await openPublicProject(t, { ...akismet.env, ...captchaEnv(akismet.url) })
    const url = `/projects/${project.id}/issues`
    const { body } = await ann.call('POST', url, { title: 'viagra' })
    const headers = {
      'private-token': ann.token,
      'x-service-captcha-response': 'solved',
      'x-service-spam-log-id': String(body.spam_log_id)
    }
    const again = await app.inject({ method: 'POST', url: `/api/v4${url}`, headers, payload: { title: 'viagra' } })

    t.equal(body.needs_captcha_response, true)
    t.equal(again.statusCode, 201)
  },
  'external error tracking without monitoring': async t => {
    const { body } = await call('POST', '/projects', { name: 'Unmonitored', monitor_access_level: 'disabled' })
    const settings = { active: true, integrated: false, api_url: 'https://a.example/api/0/projects/a/b/', token: 'x' }

    t.equal((await call('PUT', `/projects/${body.id}/error_tracking/settings`, settings)).status, 404)
  },
  'path that is not encoded': async t => t.equal((await call('GET', '/projects/root/shop')).status, 404)
})
