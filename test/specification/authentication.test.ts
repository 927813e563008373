import { createHash } from 'node:crypto'
import t from 'tap'
import { decide, openAuthorization, pkce, sentTo } from '../oauth/authorizing.ts'
import { Visitor } from '../pages/visitor.ts'
import { aPerson } from '../projects/people.ts'
import { aJobToken } from '../support/job-tokens.ts'
import { listen } from '../support/listen.ts'
import { openApp, rootPassword, rootToken } from '../support/world.ts'
import { prove } from './prove.ts'
import { authentication } from './statements/rules.ts'

const world = await openAuthorization(t)
const { app, call, platform, url, visitor, exchange, client } = world
const { body: project } = await call('POST', '/projects', { name: 'Shop', initialize_with_readme: true })
const ann = await aPerson(world, 'ann')

/** The user as whom a request is made, or the status that refuses it. */
async function userOf(headers: Record<string, string>, query: Record<string, string> = {}) {
  const answer = await app.inject({ url: '/api/v4/user', headers, query })

  return answer.statusCode === 200 ? answer.json().username : answer.statusCode
}

async function newToken(path: string, scopes: string[] = ['api']) {
  const { body } = await call('POST', path, { name: 'a token', scopes, access_level: 40 })

  return body.token as string
}

prove(t, authentication, {
  'OAuth 2.0 access token': async t => {
    const form = { grant_type: 'password', username: 'root', password: rootPassword }
    const { access_token: token } = (await app.inject({ method: 'POST', url: '/oauth/token', payload: form })).json()

    t.equal(await userOf({ authorization: `Bearer ${token}` }), 'root')
    t.equal(await userOf({}, { access_token: token }), 'root')
  },
  'personal, project or group access token': async t => {
    const { body: group } = await call('POST', '/groups', { name: 'Team', path: 'team' })
    const tokens = [rootToken, await newToken(`/projects/${project.id}/access_tokens`), await newToken(`/groups/${group.id}/access_tokens`)]

    for (const token of tokens) {
      const names = [
        await userOf({ 'private-token': token }),
        await userOf({ authorization: `Bearer ${token}` }),
        await userOf({}, { private_token: token })
      ]

      t.type(names[0], 'string')
      t.same(new Set(names).size, 1)
    }
  },
  'job token': async t => {
    const secret = 'glcbt-of-the-specification'

    await aJobToken(platform.pool, { projectId: project.id, userId: 1, secret })
    t.equal((await app.inject({ url: '/api/v4/job', headers: { 'job-token': secret } })).statusCode, 200)
    t.equal((await app.inject({ url: `/api/v4/job?job_token=${secret}` })).statusCode, 200)
    t.equal(await userOf({ 'job-token': secret }), 401)
  },
  'session cookie': async t => {
    t.ok(visitor.cookies._service_session)
    t.equal(await userOf({ cookie: `_service_session=${visitor.cookies._service_session}` }), 'root')
    t.equal((await call('POST', '/session', { login: 'root', password: rootPassword }, null)).status, 404)
  },
  'impersonation token': async t => {
    const path = `/users/${ann.id}/impersonation_tokens`
    const token = await newToken(path)

    t.equal(await userOf({ 'private-token': token }), 'ann')
    t.equal((await ann.call('POST', path, { name: 'mine', scopes: ['api'] })).status, 403)
    const off = await openApp(t, { env: { impersonation_enabled: 'false' } })
    const bob = await aPerson(off, 'bob')
    const { body } = await off.call('POST', `/users/${bob.id}/impersonation_tokens`, { name: 'i', scopes: ['api'] })

    t.equal((await off.call('GET', '/user', undefined, body.token ?? 'none')).status, 401)
  },
  'deploy tokens': async t => {
    const { body } = await call('POST', `/projects/${project.id}/deploy_tokens`, { name: 'd', scopes: ['read_repository'] })

    t.match(body.token, /^gldt-/)
    t.equal(await userOf({ 'private-token': body.token }), 401)
  },
  'key of an alert integration': async t => {
    const { body: made } = await call('POST', `/projects/${project.id}/alert_integrations`, { name: 'Any' })
    const basic = `Basic ${Buffer.from(`:${made.token}`).toString('base64')}`

    await world.work('alerts')
    for (const authorization of [`Bearer ${made.token}`, basic]) {
      const answer = await app.inject({
        method: 'POST',
        url: new URL(made.url).pathname,
        headers: { authorization },
        payload: { title: 'A' }
      })

      t.equal(answer.statusCode, 200, 'clients turn credentials of a URL into HTTP Basic')
    }
  },
  sudo: async t => {
    const headers = { 'private-token': rootToken }

    t.equal(await userOf({ ...headers, sudo: 'ANN' }), 'ann')
    t.equal(await userOf(headers, { sudo: String(ann.id) }), 'ann')
  },
  state: async t => {
    const page = await visitor.get(url({ state: 'unpredictable & kept' }))

    t.hasStrict(sentTo(await decide(visitor, page, 'approve')), { state: 'unpredictable & kept' })
  },
  code_verifier: async t => {
    for (const [verifier, status] of [
      [`${'aZ09-._~'.repeat(6)}`, 200],
      [`${'a'.repeat(42)}!`, 400]
    ] as const) {
      const code_challenge = createHash('sha256').update(verifier).digest('base64url')
      const page = await visitor.get(url({ code_challenge, code_challenge_method: 'S256' }))
      const answer = page.statusCode === 200 ? await decide(visitor, page, 'approve') : page

      t.equal((await exchange(client, sentTo(answer).code!, { code_verifier: verifier })).status, status, verifier)
    }
  },
  code_challenge: async t => {
    const { parameters } = pkce()
    const page = await visitor.get(url({ ...parameters, code_challenge_method: 'plain' }))

    t.hasStrict(sentTo(page), { error: 'invalid_code_challenge_method' })
  },
  scope: async t => {
    const page = await visitor.get(`${url({ scope: undefined })}&scope=read_user+openid`)
    const answer = page.statusCode === 200 ? await decide(visitor, page, 'approve') : page
    const { body } = await exchange(client, sentTo(answer).code!)

    t.equal(body.scope, 'read_user openid')
  },
  'Git over HTTPS': async t => {
    const read = await newToken(`/users/1/personal_access_tokens`, ['read_repository'])
    const write = await newToken(`/users/1/personal_access_tokens`, ['write_repository'])
    const host = await listen(app)
    const ask = async (token: string, service: string) => {
      const headers = { authorization: `Basic ${Buffer.from(`oauth2:${token}`).toString('base64')}`, connection: 'close' }
      const answer = await fetch(`${host}/${project.path_with_namespace}.git/info/refs?service=git-${service}-pack`, { headers })

      await answer.arrayBuffer()

      return answer.status
    }

    t.strictSame([await ask(read, 'upload'), await ask(read, 'receive')], [200, 403])
    t.strictSame([await ask(write, 'upload'), await ask(write, 'receive')], [200, 200])
  },
  'missing or wrong credentials': async t => {
    t.equal(await userOf({}), 401)
    t.equal(await userOf({ 'private-token': 'glpat-wrong' }), 401)
    t.equal(await userOf({ authorization: 'Bearer wrong' }), 401)
    t.equal((await new Visitor(app).get('/-/profile')).statusCode, 401, 'a page asks to sign in')
  }
})
