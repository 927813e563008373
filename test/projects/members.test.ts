import t from 'tap'
import { hasExactly } from '../support/has-exactly.ts'
import { openApp } from '../support/world.ts'
import { aPerson } from './people.ts'

async function openTeam(t: Parameters<typeof openApp>[0]) {
  const world = await openApp(t)
  const { call } = world
  const [ann, bob, cleo] = [await aPerson(world, 'ann'), await aPerson(world, 'bob'), await aPerson(world, 'cleo')]
  const { body: group } = await call('POST', '/groups', { name: 'G', path: 'g' })
  const { body: project } = await call('POST', '/projects', { name: 'P', namespace_id: group.id })

  return { ...world, ann, bob, cleo, group, project, inGroup: `/groups/${group.id}/members`, inProject: `/projects/${project.id}/members` }
}

t.test('a member is added, read, updated and removed', async t => {
  const { call, ann, bob, inProject } = await openTeam(t)

  t.hasStrict(await call('POST', inProject, { user_id: ann.id, access_level: 30, expires_at: '2099-12-31' }), {
    status: 201,
    body: {
      id: ann.id,
      username: 'ann',
      name: 'Name of ann',
      state: 'active',
      avatar_url: null,
      web_url: 'http://tocsin.test/ann',
      access_level: 30,
      expires_at: '2099-12-31',
      membership_state: 'active',
      created_by: { username: 'root' }
    }
  })
  t.hasStrict(await call('POST', inProject, { user_id: ann.id, access_level: 10 }), {
    status: 409,
    body: { message: 'Member already exists' }
  })
  t.hasStrict(await call('GET', `${inProject}/${ann.id}`), { status: 200, body: { access_level: 30 } }, 'twice is once')
  t.hasStrict(await call('PUT', `${inProject}/${ann.id}`, { access_level: 20 }), { body: { access_level: 20, expires_at: '2099-12-31' } })
  t.hasStrict(await call('PUT', `${inProject}/${ann.id}?expires_at=`, { access_level: 20 }), { body: { expires_at: null } })
  hasExactly(t, await call('GET', `${inProject}?query=NAME`), { body: [{ username: 'ann' }], headers: { 'x-total': '1' } })
  t.same((await call('GET', `${inProject}?skip_users[]=${ann.id}`)).body, [])
  t.same((await call('GET', `${inProject}?user_ids[]=${bob.id}`)).body, [])
  t.hasStrict(await call('DELETE', `${inProject}/${ann.id}`), { status: 204 })
  t.hasStrict(await call('DELETE', `${inProject}/${ann.id}`), { status: 404, body: { message: '404 Member Not Found' } })
})

t.test('invalid members are refused with the reason', async t => {
  const { call, ann, inProject } = await openTeam(t)

  t.match(await call('POST', inProject, { user_id: ann.id, access_level: 33 }), { status: 400, body: { error: /access_level/ } })
  t.match(await call('POST', inProject, { access_level: 30 }), { status: 400, body: { error: /user_id, username are missing/ } })
  t.hasStrict(await call('POST', inProject, { user_id: 4711, access_level: 30 }), { status: 404, body: { message: '404 User Not Found' } })
  t.hasStrict(await call('POST', inProject, { user_id: 'ann', access_level: 30 }), { status: 400, body: { error: 'user_id is invalid' } })
  hasExactly(t, await call('POST', inProject, { username: 'ANN', access_level: 30, expires_at: '2001-01-01' }), {
    status: 400,
    body: { message: { expires_at: ['cannot be a date in the past'] } }
  })
  t.equal((await call('POST', inProject, { username: 'ANN', access_level: 15, expires_at: 'soon' })).status, 400)
  t.equal((await call('POST', inProject, { username: 'ANN', access_level: 15 })).status, 201)
})

t.test('several members are added in one request', async t => {
  const { call, ann, bob, cleo, inGroup } = await openTeam(t)

  t.hasStrict(await call('POST', inGroup, { user_id: `${ann.id},${bob.id}`, access_level: 20 }), {
    status: 201,
    body: { status: 'success' }
  })
  t.hasStrict(await call('POST', inGroup, { username: 'bob, cleo', access_level: 20 }), {
    status: 201,
    body: { status: 'error', message: { bob: 'Member already exists' } }
  })
  t.hasStrict(await call('GET', `${inGroup}/${cleo.id}`), { status: 200 })
})

t.test('members of a group inherit their highest role in everything in it', async t => {
  const { call, ann, group, inGroup, inProject, project } = await openTeam(t)

  await call('POST', inGroup, { user_id: ann.id, access_level: 40 })
  await call('POST', inProject, { user_id: ann.id, access_level: 20 })
  t.hasStrict((await call('GET', `${inProject}/${ann.id}`)).body, { access_level: 20 })
  t.hasStrict((await call('GET', `${inProject}/all/${ann.id}`)).body, { access_level: 40 })
  hasExactly(t, (await call('GET', `${inProject}/all`)).body, [
    { username: 'root', access_level: 50 },
    { username: 'ann', access_level: 40 }
  ])
  const { body: sub } = await call('POST', '/groups', { name: 'S', path: 's', parent_id: group.id })
  t.equal((await call('GET', `/groups/${sub.id}/members/${ann.id}`)).status, 404)
  t.hasStrict((await call('GET', `/groups/${sub.id}/members/all/${ann.id}`)).body, { access_level: 40 })
  t.hasStrict((await ann.call('PUT', `/projects/${project.id}`, { description: 'by a maintainer of the group' })).status, 200)
})

t.test('maintainers manage members up to their own role', async t => {
  const { call, ann, bob, cleo, inProject } = await openTeam(t)

  await call('POST', inProject, { user_id: ann.id, access_level: 40 })
  await call('POST', inProject, { user_id: bob.id, access_level: 50 })
  t.equal((await ann.call('POST', inProject, { user_id: cleo.id, access_level: 50 })).status, 403)
  t.equal((await ann.call('POST', inProject, { user_id: cleo.id, access_level: 40 })).status, 201)
  t.equal((await ann.call('PUT', `${inProject}/${bob.id}`, { access_level: 10 })).status, 403)
  t.equal((await ann.call('DELETE', `${inProject}/${bob.id}`)).status, 403)
  t.equal((await ann.call('PUT', `${inProject}/${ann.id}`, { access_level: 50 })).status, 403, 'maintainers cannot promote themselves')
  t.equal((await ann.call('PUT', `${inProject}/${cleo.id}`, { access_level: 30 })).status, 200)
  t.equal((await cleo.call('DELETE', `${inProject}/${ann.id}`)).status, 403)
  t.equal((await cleo.call('DELETE', `${inProject}/${cleo.id}`)).status, 204, 'members may leave')
  t.equal((await cleo.call('GET', inProject)).status, 404)
})

t.test('a group keeps at least one owner', async t => {
  const { call, ann, bob, inGroup } = await openTeam(t)
  const { body: root } = await call('GET', '/user')
  const lastOne = { status: 400, body: { message: { base: ['a group must keep at least one owner'] } } }

  t.hasStrict(await call('DELETE', `${inGroup}/${root.id}`), lastOne)
  t.hasStrict(await call('PUT', `${inGroup}/${root.id}`, { access_level: 40 }), lastOne)
  await call('POST', inGroup, { user_id: ann.id, access_level: 40 })
  t.equal((await ann.call('POST', inGroup, { user_id: bob.id, access_level: 10 })).status, 403, 'only owners manage the members of a group')
  await call('PUT', `${inGroup}/${ann.id}`, { access_level: 50 })

  const both = await Promise.all([call('DELETE', `${inGroup}/${root.id}`), ann.call('DELETE', `${inGroup}/${ann.id}`)])
  t.same(both.map(({ status }) => status).sort(), [204, 400], 'also when two owners leave at once')
})

t.test('an inherited owner is enough for a subgroup, also when it is the member who leaves it', async t => {
  const { call, ann, inGroup, group } = await openTeam(t)
  const { body: root } = await call('GET', '/user')
  const { body: sub } = await call('POST', '/groups', { name: 'S', path: 's', parent_id: group.id })
  const inSubgroup = `/groups/${sub.id}/members`

  t.equal((await call('DELETE', `${inSubgroup}/${root.id}`)).status, 204)
  await call('POST', inSubgroup, { user_id: ann.id, access_level: 50 })
  t.equal((await call('DELETE', `${inSubgroup}/${ann.id}`)).status, 204, 'the other one is an owner of the group above')
  t.equal((await call('DELETE', `${inGroup}/${root.id}`)).status, 400)
})

t.test('a bot, a blocked user and an expiring owner do not count as another owner', async t => {
  const world = await openApp(t)
  const { call, platform } = world
  const bob = await aPerson(world, 'bob')
  const { body: group } = await call('POST', '/groups', { name: 'Team', path: 'team' })
  const members = `/groups/${group.id}/members`
  const lastOne = { status: 400, body: { message: { base: ['a group must keep at least one owner'] } } }
  const { body: bot } = await call('POST', `/groups/${group.id}/access_tokens`, { name: 'bot', scopes: ['api'], access_level: 50 })

  t.hasStrict(await call('DELETE', `${members}/1`), lastOne, 'a bot')
  t.hasStrict(
    await call('PUT', `${members}/1`, { access_level: 50, expires_at: '2999-12-31' }),
    lastOne,
    'with an expiry, no owner would remain'
  )
  await call('POST', members, { user_id: bob.id, access_level: 50, expires_at: '2999-12-31' })
  t.hasStrict(await call('DELETE', `${members}/1`), lastOne, 'an owner whose membership expires')
  t.equal((await call('PUT', `${members}/${bob.id}`, { access_level: 50, expires_at: '' })).status, 200)
  await platform.pool.query(`UPDATE users SET state = 'blocked' WHERE id = $1`, [bob.id])
  t.hasStrict(await call('DELETE', `${members}/1`), lastOne, 'a blocked user')
  await platform.pool.query(`UPDATE users SET state = 'active' WHERE id = $1`, [bob.id])
  t.equal((await call('DELETE', `${members}/1`)).status, 204)

  const { body: project } = await call('POST', '/projects', { name: 'Other' })
  hasExactly(t, await call('POST', `/projects/${project.id}/members`, { user_id: bot.user_id, access_level: 30 }), {
    status: 400,
    body: { message: { user: ['is the bot of an access token and cannot be added'] } }
  })
})

t.test('external users create no groups and projects', async t => {
  const world = await openApp(t)
  const { body: group } = await world.call('POST', '/groups', { name: 'Team', path: 'team' })
  const eve = await aPerson(world, 'eve', { isExternal: true })

  await world.call('POST', `/groups/${group.id}/members`, { user_id: eve.id, access_level: 40 })
  t.equal((await eve.call('POST', '/projects', { name: 'Own' })).status, 403)
  t.equal((await eve.call('POST', '/projects', { name: 'Shared', namespace_id: group.id })).status, 403)
  t.equal((await eve.call('POST', '/groups', { name: 'G', path: 'g' })).status, 403)
  t.equal((await eve.call('POST', '/groups', { name: 'G', path: 'g', parent_id: group.id })).status, 403)
})

t.test('the owner of a personal project stays its member', async t => {
  const { call, ann } = await openTeam(t)
  const { body: project } = await ann.call('POST', '/projects', { name: 'Own' })

  hasExactly(t, (await ann.call('GET', `/projects/${project.id}/members`)).body, [{ username: 'ann', access_level: 50 }])
  t.equal((await ann.call('DELETE', `/projects/${project.id}/members/${ann.id}`)).status, 403)
  t.equal((await call('DELETE', `/projects/${project.id}/members/${ann.id}`)).status, 403)
})

t.test('an expired member can be added again', async t => {
  const { call, ann, inProject, platform } = await openTeam(t)

  await call('POST', inProject, { user_id: ann.id, access_level: 30 })
  await platform.pool.query(`UPDATE members SET expires_at = '2020-01-01' WHERE user_id = $1`, [ann.id])
  t.equal((await call('GET', `${inProject}/${ann.id}`)).status, 404)
  t.equal((await call('PUT', `${inProject}/${ann.id}`, { access_level: 20 })).status, 404)
  t.hasStrict(await call('POST', inProject, { user_id: ann.id, access_level: 20 }), {
    status: 201,
    body: { access_level: 20, expires_at: null }
  })
})
