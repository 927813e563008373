import { Gitlab } from '@gitbeaker/rest'
import t from 'tap'
import { hasExactly } from '../support/has-exactly.ts'
import { listen } from '../support/listen.ts'
import { openApp, rootToken } from '../support/world.ts'
import { inDays } from './people.ts'

async function clients(t: Parameters<typeof openApp>[0]) {
  const { app } = await openApp(t)
  const host = await listen(app)

  return { client: (token = rootToken, sudo?: string) => new Gitlab({ host, token, sudo }) }
}

t.test('gitbeaker creates, finds, blocks and deletes users', async t => {
  const { client } = await clients(t)
  const { Users } = client()
  const password = 'long enough'

  for (const username of ['ann', 'bob', 'cid', 'dan']) {
    t.hasStrict(await Users.create({ username, name: username, email: `${username}@example.com`, password, skipConfirmation: true }), {
      username
    })
  }
  const all = await Users.all({ pagination: 'keyset', orderBy: 'username', sort: 'asc', perPage: 2 } as never)
  t.same(
    all.map(user => user.username),
    ['ann', 'bob', 'cid', 'dan', 'root']
  )
  t.equal((await Users.all({ perPage: 2 })).length, 5, 'without keyset parameters as well')
  const [bob] = await Users.all({ username: 'bob' })

  t.equal((await Users.show(bob!.id)).username, 'bob')
  await Users.block(bob!.id)
  t.equal((await Users.show(bob!.id)).state, 'blocked')
  await Users.unblock(bob!.id)
  t.equal((await Users.show(bob!.id)).state, 'active')
  await Users.remove(bob!.id, { hardDelete: true })
  await t.rejects(Users.show(bob!.id), { cause: { description: '404 User Not Found' } })
  await t.rejects(Users.create({ username: 'ann', name: 'a', email: 'x@example.com', password }), {
    cause: { description: 'Username has already been taken' }
  })
  t.equal((await client(rootToken, 'ann').Users.showCurrentUser()).username, 'ann')
})

t.test('gitbeaker updates a user with a form', async t => {
  const { client } = await clients(t)
  const { Users } = client()
  const { id } = await Users.create({ username: 'ann', name: 'Ann', email: 'ann@example.com', forceRandomPassword: true })

  t.hasStrict(await Users.edit(id, { name: 'Ann B', admin: true, bio: 'Writes' }), { name: 'Ann B', is_admin: true, bio: 'Writes' })
})

t.test('gitbeaker creates, shows, rotates and revokes tokens', async t => {
  const { client } = await clients(t)
  const { PersonalAccessTokens, Users } = client()
  const { id } = await Users.create({ username: 'ann', name: 'Ann', email: 'ann@example.com', forceRandomPassword: true })
  const made = await PersonalAccessTokens.create(id, 'ci', ['api'], { expiresAt: inDays(30) })

  t.hasStrict(made, { name: 'ci', user_id: id, expires_at: inDays(30) })
  const custom = client(made.token).PersonalAccessTokens
  t.hasStrict(await custom.show(), { id: made.id })
  t.hasStrict(await custom.show({ tokenId: made.id }), { id: made.id })
  hasExactly(t, await PersonalAccessTokens.all({ userId: id, state: 'active' }), [{ id: made.id }])
  const next = (await custom.rotate(made.id, { expiresAt: inDays(60) })) as unknown as { id: number; token: string; expires_at: string }

  t.equal(next.expires_at, inDays(60))
  await t.rejects(custom.show(), { cause: { description: /invalid_token/ } })
  await PersonalAccessTokens.remove({ tokenId: next.id })
  await t.rejects(client(next.token).PersonalAccessTokens.show())
})

t.test('gitbeaker creates and revokes impersonation and project tokens', async t => {
  const { client } = await clients(t)
  const { UserImpersonationTokens, ProjectAccessTokens, Users } = client()
  const { id } = await Users.create({ username: 'ann', name: 'Ann', email: 'ann@example.com', forceRandomPassword: true })
  const made = await UserImpersonationTokens.create(id, 'i', ['api'], { expiresAt: inDays(3) } as never)

  t.hasStrict(await client(made.token).Users.showCurrentUser(), { username: 'ann' })
  hasExactly(t, await UserImpersonationTokens.all(id, { state: 'active' }), [{ id: made.id, impersonation: true }])
  t.hasStrict(await UserImpersonationTokens.show(id, made.id), { name: 'i' })
  await UserImpersonationTokens.revoke(id, made.id)
  t.same(await UserImpersonationTokens.all(id, { state: 'active' }), [])

  const bot = await ProjectAccessTokens.create('root/demo', 'bot', ['api'], inDays(9), { accessLevel: 30 })
  t.hasStrict(await client(bot.token).Users.showCurrentUser(), { name: 'bot' })
  hasExactly(t, await ProjectAccessTokens.all('root/demo'), [{ id: bot.id, access_level: 30 }])
  await ProjectAccessTokens.revoke('root/demo', bot.id)
  await t.rejects(client(bot.token).Users.showCurrentUser())
})
