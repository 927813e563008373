import t from 'tap'
import { deleteEndedGrants } from '#oauth/grants/delete-ended-grants.ts'
import { rootPassword } from '../support/world.ts'
import { openProvider } from './provider.ts'

const dayMs = 24 * 3600 * 1000

t.test('ended codes, tokens and grants are deleted after 30 days, live ones never', async t => {
  const { register, authorize, approve, refresh, post, statusWith, platform, auditEvents } = await openProvider(t)
  const client = await register()
  const count = async (table: string) => Number((await platform.pool.query(`SELECT count(*) AS count FROM ${table}`)).rows[0].count)
  const counts = async () => [await count('oauth_grants'), await count('oauth_tokens'), await count('oauth_codes')]
  const deleteAt = (days: number) => deleteEndedGrants(platform.fork(), new Date(Date.now() + days * dayMs))

  const live = await authorize(client)
  const { body: next } = await refresh(client, live.refresh_token)
  const revoked = await authorize(client)

  await post('revoke', { token: revoked.access_token, client_id: client.client_id, client_secret: client.client_secret })
  await post('token', { grant_type: 'password', username: 'root', password: rootPassword })
  await approve(client)
  t.same(await counts(), [3, 4, 3])

  await deleteAt(29)
  t.same(await counts(), [3, 4, 2], 'the code that was not used has expired')
  t.equal(await statusWith(next.access_token), 200)
  for (const _twice of [1, 2]) {
    await deleteAt(31)
    t.same(await counts(), [1, 1, 1])
  }
  t.equal((await refresh(client, next.refresh_token)).status, 200, 'a refresh token that was not used is kept')
  t.ok((await auditEvents('oauth_grant_created')).length > 0)
})
