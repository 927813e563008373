import t from 'tap'
import { hasExactly } from '../support/has-exactly.ts'
import { openApp } from '../support/world.ts'
import { aPerson, inDays } from './people.ts'

type World = Awaited<ReturnType<typeof openApp>>

async function aGroup({ platform }: World, path: string) {
  const { rows } = await platform.pool.query(
    `INSERT INTO namespaces (kind, name, path, full_path) VALUES ('group', $1, $1, $1) RETURNING id`,
    [path]
  )

  return rows[0].id as number
}

for (const type of ['project', 'group'] as const) {
  const open = async (t: Parameters<typeof openApp>[0]) => {
    const world = await openApp(t)
    const id = type === 'project' ? (await world.call('POST', '/projects', { name: 'Shop' })).body.id : await aGroup(world, 'shops')
    const join = (userId: number, level: number) =>
      world.platform.pool.query(`INSERT INTO members (${type}_id, user_id, access_level) VALUES ($1, $2, $3)`, [id, userId, level])

    return { ...world, id, join, path: `/${type}s/${id}/access_tokens` }
  }

  t.test(`a ${type} token authenticates as a bot with the given role`, async t => {
    const { call, path, id, platform } = await open(t)
    const { status, body: made } = await call('POST', path, { name: 'bot', scopes: ['api'], access_level: 30, expires_at: inDays(10) })

    t.equal(status, 201)
    t.hasStrict(made, { name: 'bot', access_level: 30, resource_type: type, resource_id: id, expires_at: inDays(10) })
    t.match(made, { token: /^glpat-/ })
    const { body: bot } = await call('GET', '/user', undefined, made.token)
    t.hasStrict(bot, { id: made.user_id, name: 'bot', bot: true, is_admin: false })
    t.match(bot.username, new RegExp(`^${type}_${id}_bot_[0-9a-f]{32}$`))
    t.equal((await call('GET', path, undefined, made.token)).status, 403, 'a developer cannot manage tokens')
    if (type === 'project') t.equal((await call('GET', `/projects/${id}`, undefined, made.token)).status, 200)

    const { token: _, ...shown } = made
    const { body: tokens } = await call('GET', path)
    hasExactly(t, tokens, [{ ...shown, last_used_at: tokens[0].last_used_at }])
    t.type(tokens[0].last_used_at, 'string')
    t.hasStrict((await call('GET', `${path}/${made.id}`)).body, { id: made.id, access_level: 30 })
    t.equal((await call('GET', `${path}/4711`)).status, 404)
    const { rows } = await platform.pool.query(
      `SELECT entity_type, entity_id FROM audit_events WHERE name = '${type}_access_token_created'`
    )
    t.same(rows, [{ entity_type: type === 'project' ? 'Project' : 'Group', entity_id: id }])
  })

  t.test(`the bot of a ${type} is blocked with its last token, but not by a rotation`, async t => {
    const { call, path, platform } = await open(t)
    const { body: made } = await call('POST', path, { name: 'bot', scopes: ['api'] })
    const { status, body: next } = await call('POST', `${path}/${made.id}/rotate`, { expires_at: inDays(3) })

    t.equal(status, 201)
    t.hasStrict(next, { user_id: made.user_id, access_level: 40, expires_at: inDays(3) })
    t.equal((await call('GET', '/user', undefined, next.token)).status, 200)
    t.equal((await call('DELETE', `${path}/${next.id}`)).status, 204)
    t.equal((await call('DELETE', `${path}/${next.id}`)).status, 204, 'revoking it again changes nothing')
    t.hasStrict((await call('GET', `${path}/${next.id}`)).body, { revoked: true, access_level: null })
    t.hasStrict((await call('GET', `/users/${made.user_id}`)).body, { state: 'blocked' })
    const { rows } = await platform.pool.query('SELECT 1 FROM members WHERE user_id = $1', [made.user_id])
    t.same(rows, [])
  })

  t.test(`a user cannot create or rotate a ${type} token with a higher role than their own`, async t => {
    const { call, path, join } = await open(t)
    const role = type === 'project' ? 40 : 50
    const jane = await aPerson(call, 'jane')
    const make = (access_level: number, by: string) => call('POST', path, { name: 't', scopes: ['api'], access_level }, by)

    await join(jane.id, role)
    t.equal((await make(role, jane.token)).status, 201)
    t.hasStrict(await make(12, jane.token), { status: 400, body: { error: 'access_level does not have a valid value' } })
    if (type === 'project') {
      const { body: owners } = await call('POST', path, { name: 'o', scopes: ['api'], access_level: 50 })

      t.equal((await make(50, jane.token)).status, 403)
      t.equal((await call('POST', `${path}/${owners.id}/rotate`, undefined, jane.token)).status, 403)
    }
    const { body: bot } = await make(role, jane.token)
    t.equal((await make(10, bot.token)).status, 403, 'a bot cannot create tokens')
    t.equal((await call('POST', '/user/personal_access_tokens', { name: 't', scopes: ['api'] }, bot.token)).status, 403)
    t.equal((await call('POST', `/users/${bot.user_id}/personal_access_tokens`, { name: 't', scopes: ['api'] })).status, 403)
  })

  t.test(`a ${type} token cannot have user or admin scopes`, async t => {
    const { call, path } = await open(t)

    for (const scope of ['sudo', 'admin_mode', 'read_user', 'odd']) {
      hasExactly(t, await call('POST', path, { name: 't', scopes: [scope] }), {
        status: 400,
        body: { message: { scopes: ['can only contain available scopes'] } }
      })
    }
    t.equal((await call('GET', '/users?username=t')).body.length, 0, 'no bot is left behind')
  })
}

t.test('the owner of a parent group manages the tokens of its subgroups', async t => {
  const world = await openApp(t)
  const jane = await aPerson(world.call, 'jane')
  const outer = await aGroup(world, 'outer')
  const { rows } = await world.platform.pool.query(
    `INSERT INTO namespaces (kind, name, path, full_path, parent_id) VALUES ('group', 'Inner', 'inner', 'outer/inner', $1) RETURNING id`,
    [outer]
  )

  await world.platform.pool.query('INSERT INTO members (group_id, user_id, access_level) VALUES ($1, $2, 50)', [outer, jane.id])
  t.equal((await world.call('GET', `/groups/${rows[0].id}/access_tokens`, undefined, jane.token)).status, 200)
  t.equal((await world.call('GET', '/groups/outer%2Finner/access_tokens', undefined, jane.token)).status, 200)
})
