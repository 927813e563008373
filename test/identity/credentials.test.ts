import cookie from '@fastify/cookie'
import Fastify from 'fastify'
import t from 'tap'
import { guards } from '#api/guards/guards.ts'
import { renderProblems } from '#api/problems/render-problems.ts'
import { accessTokenStrategy } from '#identity/credentials/access-token.ts'
import { jobTokenStrategy } from '#identity/credentials/job-token.ts'
import { identifyWith } from '#identity/identify.ts'
import { aJobToken } from '../support/job-tokens.ts'
import { openApp, rootToken } from '../support/world.ts'
import { aPerson } from './people.ts'

t.test('a token is read from each header and parameter that clients use', async t => {
  const { app } = await openApp(t)
  const ways: { headers?: Record<string, string>; query?: Record<string, string> }[] = [
    { headers: { 'private-token': rootToken } },
    { headers: { authorization: `Bearer ${rootToken}` } },
    { headers: { authorization: `bearer ${rootToken}` } },
    { query: { private_token: rootToken } },
    { query: { access_token: rootToken } }
  ]

  for (const way of ways) t.equal((await app.inject({ url: '/api/v4/user', ...way })).statusCode, 200)
})

t.test('a token records its last use, at most once a minute', async t => {
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

t.test('an expired or revoked token is refused with the reason', async t => {
  const { call, platform } = await openApp(t)
  const { token, tokenId } = await aPerson(call, 'jane')
  const ask = async () => (await call('GET', '/user', undefined, token)).body

  t.hasStrict(await ask(), { username: 'jane' })
  await platform.pool.query(`UPDATE access_tokens SET revoked_at = now() WHERE id = $1`, [tokenId])
  t.same(await ask(), {
    error: 'invalid_token',
    error_description: 'Token was revoked. You have to re-authorize from the user.'
  })
  await platform.pool.query(`UPDATE access_tokens SET revoked_at = NULL, expires_at = now() WHERE id = $1`, [tokenId])
  t.same(await ask(), {
    error: 'invalid_token',
    error_description: 'Token is expired. You can either do re-authorization or token refresh.'
  })
  await platform.pool.query(`DELETE FROM access_tokens WHERE id = $1`, [tokenId])
  t.same(await ask(), { message: '401 Unauthorized' })
})

t.test('an invalid credential is refused on public routes as well', async t => {
  const { app } = await openApp(t)
  const wrong: Record<string, string>[] = [
    { 'private-token': 'glpat-made-up' },
    { authorization: 'Bearer gldt-made-up' },
    { 'deploy-token': 'gldt-made-up' },
    { 'job-token': 'glcbt-made-up' }
  ]

  t.equal((await app.inject({ url: '/api/v4/users' })).statusCode, 200)
  for (const headers of wrong) t.equal((await app.inject({ url: '/api/v4/users', headers })).statusCode, 401, JSON.stringify(headers))
  t.equal((await app.inject({ url: '/api/v4/users?job_token=x' })).statusCode, 401)
})

t.test('a token is limited to its scopes, and the error names the scopes that would suffice', async t => {
  const { call } = await openApp(t)
  const { token } = await aPerson(call, 'jane', { scopes: ['read_user'] })

  t.equal((await call('GET', '/user', undefined, token)).status, 200)
  t.equal((await call('GET', '/users?pagination=keyset&order_by=id&sort=asc', undefined, token)).status, 200)
  t.same(await call('GET', '/personal_access_tokens', undefined, token).then(({ status, body }) => [status, body]), [
    403,
    {
      error: 'insufficient_scope',
      error_description: 'The request requires higher privileges than provided by the access token.',
      scope: 'api read_api'
    }
  ])
  t.hasStrict(await call('POST', '/projects', { name: 'P' }, token), { status: 403, body: { scope: 'api' } })
})

t.test('impersonation tokens are refused when impersonation is disabled', async t => {
  for (const [env, status] of [
    [{}, 200],
    [{ IMPERSONATION_ENABLED: 'false' }, 401],
    [{ impersonation_enabled: 'false' }, 401]
  ] as const) {
    const { call } = await openApp(t, { env })
    const { id } = await aPerson(call, 'jane')
    const { body: made } = await call('POST', `/users/${id}/impersonation_tokens`, { name: 'i', scopes: ['api'] })
    const { status: given, body } = await call('GET', '/user', undefined, made.token)

    t.equal(given, status)
    if (status === 401) t.equal(body.error_description, 'Token is an impersonation token but impersonation was disabled.')
  }
})

t.test('a job token is accepted only by routes that opt in, and only while the job runs', async t => {
  const { platform, config } = await openApp(t)
  const app = Fastify()

  app.decorate('platform', { config } as never)
  renderProblems(app)
  await app.register(cookie)
  await app.register(guards, {
    identify: identifyWith(platform.fork, [jobTokenStrategy, accessTokenStrategy]),
    intakeTimeoutMs: 2000
  })
  app.get('/for-jobs', { onRequest: app.requireUser, config: { allowsJobToken: true } }, async request => ({
    by: request.caller?.by,
    name: request.caller?.user.username
  }))
  app.get('/for-others', { onRequest: app.allowAnyone }, async () => ({}))
  t.teardown(() => app.close())

  const { rows } = await platform.pool.query('SELECT id FROM projects')
  const jobId = await aJobToken(platform.pool, { projectId: rows[0].id, userId: 1, secret: 'glcbt-running' })
  await aJobToken(platform.pool, { projectId: rows[0].id, userId: 1, secret: 'glcbt-over', expiresAt: new Date() })
  const ask = (url: string, headers = {}) => app.inject({ url, headers })

  t.same((await ask('/for-jobs', { 'job-token': 'glcbt-running' })).json(), {
    by: { kind: 'job', projectId: rows[0].id, jobId },
    name: 'root'
  })
  t.equal((await ask('/for-jobs?job_token=glcbt-running')).statusCode, 200)
  t.equal((await ask('/for-jobs', { 'job-token': 'glcbt-over' })).statusCode, 401)
  t.equal((await ask('/for-jobs', { 'private-token': 'glcbt-running' })).statusCode, 401)
  t.equal((await ask('/for-others', { 'job-token': 'glcbt-running' })).statusCode, 401)
})

t.test('a blocked user gets a 403 with the reason', async t => {
  const { call } = await openApp(t)
  const { id, token } = await aPerson(call, 'jane')

  await call('POST', `/users/${id}/block`)
  t.hasStrict(await call('GET', '/user', undefined, token), {
    status: 403,
    body: { message: '403 Forbidden - Your account has been blocked' }
  })
  await call('POST', `/users/${id}/unblock`)
  t.equal((await call('GET', '/user', undefined, token)).status, 200)
})
