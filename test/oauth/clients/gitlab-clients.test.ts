import type { AddressInfo } from 'node:net'
import { Gitlab } from '@gitbeaker/rest'
import express from 'express'
import passport from 'passport'
import { Strategy as GitlabStrategy } from 'passport-gitlab2'
import { AuthorizationCode, ResourceOwnerPassword } from 'simple-oauth2'
import t from 'tap'
import { rootPassword } from '../../support/world.ts'
import { anApplication } from '../authorizing.ts'
import { authorizeWithForms, openIssuer } from './issuer.ts'

t.test('passport-gitlab2 signs a user in to an Express application', async t => {
  const world = await openIssuer(t)
  const app = express()
  const server = app.listen(0, '127.0.0.1')

  await new Promise(listening => server.once('listening', listening))
  t.teardown(() => server.close())
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const callbackURL = `${address}/auth/callback`
  const { client_id: clientID, client_secret: clientSecret } = await anApplication(world.platform, { redirectUris: [callbackURL] })
  const verify = (
    accessToken: string,
    refreshToken: string,
    { username, emails }: Record<string, unknown>,
    done: (...all: unknown[]) => void
  ) => done(null, { accessToken, refreshToken, username, emails })

  passport.use(new GitlabStrategy({ clientID, clientSecret, callbackURL, baseURL: world.issuer, scope: ['read_user'] }, verify))
  app.use(passport.initialize())
  app.get('/auth', passport.authenticate('gitlab', { session: false }))
  app.get(
    '/auth/callback',
    passport.authenticate('gitlab', { session: false }),
    (request: { user: object }, response: { json: (body: object) => void }) => response.json(request.user)
  )
  const { headers } = await fetch(`${address}/auth`, { redirect: 'manual' })
  const answer = await fetch(await authorizeWithForms(world, headers.get('location')!))
  const user = (await answer.json()) as Record<string, string>
  const { body: root } = await world.call('GET', '/user')

  t.equal(user.username, 'root')
  t.same(user.emails, [{ value: root.email }])
  t.match(user.accessToken, /^[0-9a-f]{64}$/)
  t.match(user.refreshToken, /^[0-9a-f]{64}$/)
})

t.test('simple-oauth2 gets, refreshes and revokes tokens', async t => {
  const world = await openIssuer(t)
  const { client_id: id, client_secret: secret } = await anApplication(world.platform)
  const redirect_uri = 'https://client.example/callback'
  const auth = { tokenHost: world.issuer, tokenPath: '/oauth/token', authorizePath: '/oauth/authorize', revokePath: '/oauth/revoke' }
  const client = new AuthorizationCode({ client: { id, secret }, auth })
  const url = client.authorizeURL({ redirect_uri, scope: 'read_user', state: 'a-state' })
  const code = (await authorizeWithForms(world, url)).searchParams.get('code')
  const first = await client.getToken({ code, redirect_uri })
  const second = await first.refresh()
  const statusWith = async ({ token }: { token: { access_token: string } }) =>
    (await world.app.inject({ url: `/api/v4/user?access_token=${token.access_token}` })).statusCode

  t.equal(first.expired(), false)
  t.equal(await statusWith(first), 401)
  t.equal(await statusWith(second), 200)
  await second.revokeAll()
  t.equal(await statusWith(second), 401)
})

t.test('simple-oauth2 exchanges a password', async t => {
  const world = await openIssuer(t)
  const { client_id: id, client_secret: secret } = await anApplication(world.platform, { owner: null })
  const client = new ResourceOwnerPassword({ client: { id, secret }, auth: { tokenHost: world.issuer } })
  const { token } = await client.getToken({ username: 'root', password: rootPassword })

  t.equal(token.token_type, 'bearer')
  t.equal(token.scope, 'api')
  t.equal(token.refresh_token, undefined)
})

t.test('gitbeaker works with the access token of an application', async t => {
  const world = await openIssuer(t)
  const { client_id: uid, client_secret: secret } = await anApplication(world.platform, { owner: null })
  const response = await fetch(`${world.issuer}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'password', username: 'root', password: rootPassword, client_id: uid, client_secret: secret })
  })
  const { access_token: oauthToken } = (await response.json()) as { access_token: string }
  const { Projects, Users } = new Gitlab({ host: world.issuer, oauthToken })
  const project = await Projects.create({ name: 'Shop' })

  t.equal((await Users.showCurrentUser()).username, 'root')
  t.equal((await Projects.show(project.id)).name, 'Shop')
})
