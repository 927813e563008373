import t from 'tap'
import { aPerson } from '../identity/people.ts'
import { rootToken } from '../support/world.ts'
import { openGitServer } from './git-clients.ts'

t.test('the wiki of a group is a repository that its developers push to', async t => {
  const server = await openGitServer(t)
  const { call } = server
  const { body: group } = await call('POST', '/groups', { name: 'Company', path: 'company', visibility: 'private' })
  const { body: team } = await call('POST', '/groups', { name: 'Team', path: 'team', parent_id: group.id })
  const people = Object.fromEntries(
    await Promise.all(
      Object.entries({ stranger: 0, guest: 10, reporter: 20, developer: 30 }).map(async ([name, level]) => {
        const person = await aPerson(call, name)

        if (level > 0) await call('POST', `/groups/${group.id}/members`, { user_id: person.id, access_level: level })

        return [name, person.token]
      })
    )
  )
  const rows: [token: string | undefined, fetch: number, push: number][] = [
    [undefined, 401, 401],
    [people.stranger, 404, 404],
    [people.guest, 200, 403],
    [people.reporter, 200, 403],
    [people.developer, 200, 200],
    [rootToken, 200, 200]
  ]

  for (const path of ['company.wiki', 'company/team.wiki']) {
    for (const [token, ...expected] of rows) {
      const headers = token === undefined ? {} : { authorization: `Basic ${Buffer.from(`any:${token}`).toString('base64')}` }
      const statuses = ['git-upload-pack', 'git-receive-pack'].map(
        async service => (await fetch(`http://127.0.0.1:${server.port}/${path}.git/info/refs?service=${service}`, { headers })).status
      )

      t.same(await Promise.all(statuses), expected, `${path} for ${token}`)
    }
  }

  const client = await server.client(server.url(`any:${people.developer}`, 'company/team.wiki'))

  await client.commit('home.md')
  await client.ok('push', 'origin', 'main')
  await call('PUT', `/groups/${team.id}`, { path: 'crew' })
  const reader = await server.client(server.url(`any:${people.guest}`, 'company/team.wiki'))

  await reader.ok('pull', '--quiet', 'origin', 'main')
  t.equal(await reader.ok('show', 'HEAD:home.md'), 'home.md', 'its former path leads to it')
})
