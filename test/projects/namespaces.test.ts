import t from 'tap'
import { hasExactly } from '../support/has-exactly.ts'
import { openApp } from '../support/world.ts'
import { aPerson } from './people.ts'

type World = Awaited<ReturnType<typeof openApp>>

const paths = ({ body }: { body: { full_path: string }[] }) => body.map(({ full_path }) => full_path)
const usernames = ({ body }: { body: { username: string }[] }) => body.map(({ username }) => username)

/** Groups `team` and `team/sub`, where Ann owns the latter, a private group `secret`, and a project in `team/sub`. */
async function someGroups(world: World) {
  const { call } = world
  const ann = await aPerson(world, 'ann')
  const create = async (path: string, parent_id?: number) => (await call('POST', '/groups', { name: path, path, parent_id })).body
  const team = await create('team')
  const [sub, secret] = [await create('sub', team.id), await create('secret')]
  const { body: project } = await call('POST', '/projects', { name: 'Shop', namespace_id: sub.id })

  await call('POST', `/groups/${sub.id}/members`, { user_id: ann.id, access_level: 50 })

  return { ann, team, sub, secret, project }
}

t.test('users list their own namespace and their groups, admins all', async t => {
  const world = await openApp(t)
  const { ann } = await someGroups(world)

  t.same(paths(await ann.call('GET', '/namespaces')), ['ann', 'team', 'team/sub'])
  t.same(paths(await ann.call('GET', '/namespaces?owned_only=true')), ['ann', 'team/sub'])
  t.same(paths(await ann.call('GET', '/namespaces?top_level_only=true')), ['ann', 'team'])
  t.same(paths(await ann.call('GET', '/namespaces?search=sub&full_path_search=true')), ['team/sub'])
  t.same(paths(await world.call('GET', '/namespaces')).toSorted(), ['ann', 'root', 'secret', 'team', 'team/sub'])
  t.same(paths(await world.call('GET', '/namespaces?search=secret')), ['secret'])
})

t.test('a namespace shows its counts to its owners', async t => {
  const world = await openApp(t)
  const { ann, team, sub, secret } = await someGroups(world)
  const { body: own } = await ann.call('GET', '/namespaces/ann')

  hasExactly(t, own, { path: 'ann', kind: 'user', parent_id: null, avatar_url: null, projects_count: 0, root_repository_size: 0 })
  t.notOk('members_count_with_descendants' in own)
  t.match(own.web_url, /\/ann$/)
  const { body: group } = await ann.call('GET', '/namespaces/team%2Fsub')
  hasExactly(t, group, { id: sub.id, name: 'sub', kind: 'group', parent_id: team.id, members_count_with_descendants: 2 })
  t.match(group.web_url, /\/groups\/team\/sub$/)
  t.notOk('projects_count' in group, 'of top-level namespaces only')
  const { body: parent } = await ann.call('GET', `/namespaces/${team.id}`)
  t.equal(parent.full_path, 'team')
  t.notOk('members_count_with_descendants' in parent)
  hasExactly(t, (await world.call('GET', '/namespaces/team')).body, { projects_count: 1, members_count_with_descendants: 2 })
  for (const id of [secret.id, 'secret', 'root', 0, 'none']) {
    hasExactly(t, await ann.call('GET', `/namespaces/${id}`), { status: 404, body: { message: '404 Namespace Not Found' } }, String(id))
  }
})

t.test('a path is checked, and another one suggested', async t => {
  const world = await openApp(t)
  const { ann, team, secret } = await someGroups(world)
  const check = async (path: string) => (await ann.call('GET', `/namespaces/${path}`)).body

  t.same(await check('Team/exists'.replace('/', '%2F')), { message: '404 Namespace Not Found' }, 'a path is one parameter')
  t.same(await check('Team/exists'), { exists: true, suggests: ['Team1'] })
  await world.call('POST', '/groups', { name: 'team1', path: 'team1' })
  t.same(await check('team/exists'), { exists: true, suggests: ['team2'] })
  t.same(await check('ann/exists'), { exists: true, suggests: ['ann1'] })
  t.same(await check('admin/exists'), { exists: true, suggests: ['admin1'] }, 'reserved')
  t.same(await check('sub/exists'), { exists: false, suggests: [] }, 'only at the top level')
  t.same(await check(`sub/exists?parent_id=${team.id}`), { exists: true, suggests: ['sub1'] })
  t.same(await check(`team/exists?parent_id=${team.id}`), { exists: false, suggests: [] })
  await world.call('POST', '/groups', { name: 'inner', path: 'inner', parent_id: secret.id })
  t.same(await check(`inner/exists?parent_id=${secret.id}`), { exists: false, suggests: [] }, 'in a group that the caller does not see')
})

t.test('the users of a project are its members, including inherited ones', async t => {
  const world = await openApp(t)
  const { ann, project } = await someGroups(world)
  const bob = await aPerson(world, 'bob')
  const path = `/projects/${project.id}/users`

  t.equal((await bob.call('GET', path)).status, 404)
  await world.call('POST', `/projects/${project.id}/members`, { user_id: bob.id, access_level: 10 })
  const found = await bob.call('GET', path)
  t.same(usernames(found).toSorted(), ['ann', 'bob', 'root'])
  t.same(Object.keys(found.body[0]).sort(), ['avatar_url', 'id', 'name', 'state', 'username', 'web_url'])
  t.same(usernames(await bob.call('GET', `${path}?search=Name of a`)), ['ann'])
  t.same(usernames(await bob.call('GET', `${path}?search=name&skip_users[]=${ann.id}`)), ['bob'])
})

t.test('the projects that a user starred are listed, of those that the caller sees', async t => {
  const world = await openApp(t)
  const { ann, project } = await someGroups(world)
  const bob = await aPerson(world, 'bob')
  const { body: open } = await world.call('POST', '/projects', { name: 'Open', visibility: 'public' })
  const names = ({ body }: { body: { name: string }[] }) => body.map(({ name }) => name)

  for (const { id } of [project, open]) await ann.call('POST', `/projects/${id}/star`)
  t.same(names(await ann.call('GET', '/users/ann/starred_projects')), ['Open', 'Shop'])
  t.same(names(await ann.call('GET', `/users/${ann.id}/starred_projects?order_by=name&sort=desc&simple=true`)), ['Shop', 'Open'])
  t.same(names(await bob.call('GET', '/users/ann/starred_projects')), ['Open'])
  t.same(names(await world.call('GET', '/users/ann/starred_projects', undefined, null)), ['Open'])
  t.same(names(await bob.call('GET', '/users/bob/starred_projects')), [])
  t.equal((await bob.call('GET', '/users/none/starred_projects')).status, 404)
  await world.platform.pool.query('UPDATE users SET is_private_profile = true WHERE id = $1', [ann.id])
  t.same(names(await bob.call('GET', '/users/ann/starred_projects')), [], 'a private profile')
  t.same(names(await ann.call('GET', '/users/ann/starred_projects')), ['Open', 'Shop'])
})
