import { Gitlab } from '@gitbeaker/rest'
import t from 'tap'
import { listen } from '../support/listen.ts'
import { openApp, rootToken } from '../support/world.ts'
import { aPerson } from './people.ts'

async function subjects(t: Parameters<typeof openApp>[0]) {
  const { app, call, platform } = await openApp(t)
  const person = await aPerson(call, 'jane')
  const { body: group } = await call('POST', '/groups', { name: 'Team', path: 'team' })
  const { body: project } = await call('POST', '/projects', { name: 'Shop', visibility: 'public' })

  return { app, call, platform, token: person.token, ids: { users: person.id, groups: group.id as number, projects: project.id as number } }
}

t.test('admins set, read, list and delete custom attributes of users, groups and projects', async t => {
  const { call, platform, ids } = await subjects(t)

  for (const [path, id] of Object.entries(ids)) {
    const url = `/${path}/${id}/custom_attributes`
    const set = (key: string, value: string) => call('PUT', `${url}/${key}`, { value })

    t.same((await call('GET', url)).body, [])
    t.hasStrict(await set('team', 'a'), { status: 200, body: { key: 'team', value: 'a' } })
    t.hasStrict(await set('team', 'b'), { status: 200, body: { key: 'team', value: 'b' } })
    t.equal((await set('cost%20centre', '42')).status, 200)
    t.same((await call('GET', `${url}/team`)).body, { key: 'team', value: 'b' })
    const both = [
      { key: 'team', value: 'b' },
      { key: 'cost centre', value: '42' }
    ]
    t.same((await call('GET', url)).body, both)
    t.same((await call('GET', `/${path}/${id}?with_custom_attributes=true`)).body.custom_attributes, both)
    t.equal((await call('GET', `/${path}/${id}`)).body.custom_attributes, undefined)
    t.equal((await call('DELETE', `${url}/team`)).status, 204)
    t.equal((await call('DELETE', `${url}/team`)).status, 404)
    t.hasStrict(await call('GET', `${url}/team`), { status: 404, body: { message: '404 Custom Attribute Not Found' } })
    t.equal((await call('PUT', `${url}/team`, {})).status, 400)
    t.equal((await call('GET', `/${path}/4711/custom_attributes`)).status, 404)
  }
  t.equal((await call('GET', '/users/jane/custom_attributes')).body.length, 1)
  t.equal((await call('DELETE', `/users/${ids.users}`)).status, 204)
  const { rows } = await platform.pool.query('SELECT user_id, key FROM custom_attributes WHERE user_id IS NOT NULL')
  t.same(rows, [], 'attributes are deleted with their user')
})

t.test('lists are filtered by custom attributes, for admins only', async t => {
  const { call, token, ids } = await subjects(t)

  for (const [path, id] of Object.entries(ids)) {
    const list = async (query: string, by?: string) =>
      (await call('GET', `/${path}?${query}`, undefined, by)).body.map((row: { id: number }) => row.id)

    await call('PUT', `/${path}/${id}/custom_attributes/team`, { value: 'a b' })
    await call('PUT', `/${path}/${id}/custom_attributes/site`, { value: 'Bern' })
    t.same(await list('custom_attributes[team]=a+b'), [id])
    t.same(await list('custom_attributes[team]=a+b&custom_attributes[site]=Bern&with_custom_attributes=true'), [id])
    t.same(await list('custom_attributes[team]=a+b&custom_attributes[site]=Basel'), [])
    t.same(await list('custom_attributes[team]=a'), [])
    t.same(await list('custom_attributes[team]=a+b', token), [], 'others cannot find out attributes')
    t.equal((await call('GET', `/${path}?custom_attributes=team`)).status, 400)
    const [row] = (await call('GET', `/${path}?custom_attributes[team]=a+b&with_custom_attributes=true`)).body
    t.same(row.custom_attributes, [
      { key: 'team', value: 'a b' },
      { key: 'site', value: 'Bern' }
    ])
    const rows = (await call('GET', `/${path}?with_custom_attributes=true`, undefined, token)).body
    t.ok(rows.every((row: object) => !('custom_attributes' in row)))
  }
})

t.test('a user, group or project has at most 100 custom attributes', async t => {
  const { call, platform, ids } = await subjects(t)
  const url = `/users/${ids.users}/custom_attributes`

  await platform.pool.query(
    `INSERT INTO custom_attributes (user_id, key, value) SELECT $1, 'k' || n, 'v' FROM generate_series(1, 99) AS n`,
    [ids.users]
  )
  const statuses = await Promise.all(['a', 'b', 'c'].map(async key => (await call('PUT', `${url}/${key}`, { value: 'v' })).status))

  t.same(statuses.sort(), [200, 400, 400])
  t.equal((await call('PUT', `${url}/k1`, { value: 'w' })).status, 200, 'existing ones can be changed')
})

t.test('gitbeaker manages custom attributes', async t => {
  const { app, ids } = await subjects(t)
  const host = await listen(app)
  const { UserCustomAttributes } = new Gitlab({ host, token: rootToken })

  t.same(await UserCustomAttributes.set(ids.users, 'team', 'a'), { key: 'team', value: 'a' })
  t.same(await UserCustomAttributes.all(ids.users), [{ key: 'team', value: 'a' }])
  await UserCustomAttributes.remove(ids.users, 'team')
  t.same(await UserCustomAttributes.all(ids.users), [])
})
