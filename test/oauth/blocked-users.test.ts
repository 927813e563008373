import t from 'tap'
import { aPerson } from '../identity/people.ts'
import { basic, openProvider } from './provider.ts'

t.test('tokens of a blocked user are not valid, and become valid again when the user is unblocked', async t => {
  const { app, call, register, approve, authorize, exchange, refresh, post, statusWith } = await openProvider(t)
  const { id } = await aPerson(call, 'ann')
  const client = await register()
  const scopes = ['api', 'openid']
  const tokens = await authorize(client, { username: 'ann', scopes })
  const code = await approve(client, { username: 'ann', scopes })
  const userinfo = () => app.inject({ url: '/oauth/userinfo', headers: { authorization: `Bearer ${tokens.access_token}` } })
  const info = () => app.inject(`/oauth/token/info?access_token=${tokens.access_token}`)
  const introspect = async (token: string) => (await post('introspect', { token }, basic(client))).body

  await call('POST', `/users/${id}/block`)
  const [shown, described] = [await userinfo(), await info()]

  t.same([shown.statusCode, shown.body], [401, ''])
  t.match(shown.headers['www-authenticate'], 'error="invalid_token"')
  t.equal(described.statusCode, 401)
  t.match(described.headers['www-authenticate'], 'error="invalid_token"')
  t.same(await introspect(tokens.access_token), { active: false })
  t.same(await introspect(tokens.refresh_token), { active: false })
  t.equal(await statusWith(tokens.access_token), 403, "as GitLab's API")
  t.equal((await exchange(client, code)).body.error, 'invalid_grant')
  t.equal((await refresh(client, tokens.refresh_token)).body.error, 'invalid_grant')

  await call('POST', `/users/${id}/unblock`)
  t.equal((await userinfo()).json().sub, String(id))
  t.equal((await info()).statusCode, 200)
  t.equal((await introspect(tokens.refresh_token)).active, true)
  t.equal(await statusWith(tokens.access_token), 200)
  t.equal((await exchange(client, code)).status, 200)
  t.equal((await refresh(client, tokens.refresh_token)).status, 200, 'the refusals used nothing up')
})
