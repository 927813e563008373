import t from 'tap'
import { routesOf } from '../api/routes.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { openMarkableGroup, today } from './marking.ts'
import { aPerson } from './people.ts'

const reason = { message: '403 Forbidden - the group is marked for deletion' }

t.test('what is in a marked group is marked with it, and restored with it', async t => {
  const { call, top, sub, upper, lower, platform } = await openMarkableGroup(t)
  const pathOf = async (url: string) => {
    const { body } = await call('GET', url)

    return [body.full_path ?? body.path_with_namespace, body.marked_for_deletion_on]
  }
  const moved = `top-deletion_scheduled-${top.id}`

  t.hasStrict(await call('POST', `/groups/${top.id}/restore`), { status: 400, body: { message: 'Group has not been marked for deletion' } })
  t.equal((await call('DELETE', '/groups/top')).status, 202)
  t.hasStrict(await call('DELETE', `/groups/${top.id}`), { status: 400, body: { message: 'Group has been already marked for deletion' } })
  t.same(await pathOf(`/groups/${top.id}`), [moved, today()])
  t.same(await pathOf(`/groups/${sub.id}`), [`${moved}/sub`, today()])
  t.same(await pathOf(`/projects/${upper.id}`), [`${moved}/upper`, today()])
  t.same(await pathOf(`/projects/${lower.id}`), [`${moved}/sub/lower`, today()])
  t.hasStrict(await call('POST', `/groups/${sub.id}/restore`), {
    status: 400,
    body: { message: 'Group is in a group that is marked for deletion' }
  })
  t.hasStrict(await call('POST', `/projects/${lower.id}/restore`), {
    status: 400,
    body: { message: 'Project is in a group that is marked for deletion' }
  })
  t.equal((await call('DELETE', `/projects/${lower.id}`)).status, 400)

  t.hasStrict(await call('POST', `/groups/${top.id}/restore`), { status: 201, body: { full_path: 'top', marked_for_deletion_on: null } })
  t.equal((await call('POST', `/groups/${top.id}/restore`)).status, 400)
  for (const [url, path] of [
    [`/groups/${sub.id}`, 'top/sub'],
    [`/projects/${upper.id}`, 'top/upper'],
    [`/projects/${lower.id}`, 'top/sub/lower']
  ] as const) {
    t.same(await pathOf(url), [path, null])
  }
  t.equal((await call('PUT', `/projects/${lower.id}`, { description: 'D' })).status, 200)
  const { rows } = await platform.pool.query(
    `SELECT name, details FROM audit_events WHERE entity_id = $1 AND entity_type = 'Group' AND name <> 'group_created' ORDER BY id`,
    [top.id]
  )
  hasExactly(t, rows, [
    { name: 'group_marked_for_deletion', details: { entity_path: 'top', projects: 2 } },
    { name: 'group_restored', details: { entity_path: 'top' } }
  ])
})

t.test('what was marked before its group stays marked when the group is restored', async t => {
  const { call, top, sub, upper, lower } = await openMarkableGroup(t)
  const markOf = async (url: string) => (await call('GET', url)).body.marked_for_deletion_on

  await call('DELETE', `/projects/${upper.id}`)
  await call('DELETE', `/groups/${sub.id}`)
  await call('DELETE', `/groups/${top.id}`)
  t.equal((await call('POST', `/projects/${upper.id}/restore`)).status, 400, 'its group is marked')
  await call('POST', `/groups/${top.id}/restore`)
  for (const url of [`/projects/${upper.id}`, `/groups/${sub.id}`, `/projects/${lower.id}`]) t.equal(await markOf(url), today(), url)
  t.equal((await call('POST', `/projects/${upper.id}/restore`)).body.path_with_namespace, 'top/upper')
  t.equal((await call('POST', `/groups/${sub.id}/restore`)).body.full_path, 'top/sub')
  t.equal(await markOf(`/projects/${lower.id}`), null)
})

t.test('a marked group is deleted at once with permanently_remove and its path, a subgroup in it, too', async t => {
  const { call, top, sub, upper, lower } = await openMarkableGroup(t)
  const remove = (id: number, fullPath: string) => call('DELETE', `/groups/${id}`, { permanently_remove: true, full_path: fullPath })
  const statuses = (...urls: string[]) => Promise.all(urls.map(async url => (await call('GET', url)).status))

  t.hasStrict(await remove(top.id, 'top'), { status: 400, body: { message: 'Group must be marked for deletion first.' } })
  await call('DELETE', `/groups/${top.id}`)
  t.equal((await remove(top.id, 'sub')).status, 400)
  t.equal((await remove(sub.id, `top-deletion_scheduled-${top.id}/sub`)).status, 202)
  t.same(await statuses(`/groups/${top.id}`, `/groups/${sub.id}`, `/projects/${upper.id}`, `/projects/${lower.id}`), [200, 404, 200, 404])
  t.equal((await remove(top.id, 'top')).status, 202)
  t.same(await statuses(`/groups/${top.id}`, `/projects/${upper.id}`), [404, 404])
})

t.test('nothing is changed in a marked group, or added to it', async t => {
  const { app, call, top, sub, upper } = await openMarkableGroup(t)
  const { body: other } = await call('POST', '/projects', { name: 'Other' })
  const { body: group } = await call('POST', '/groups', { name: 'Else', path: 'else' })
  const allowed =
    /^DELETE \S+\/groups\/:id$|\/restore$|^DELETE \S+\/(members|access_tokens|deploy_tokens|share|invitations|access_requests)\/|\/notification_settings$|reset_registration_token$/
  const routes = routesOf(app).filter(route => !route.startsWith('GET ') && / \/api\/v4\/groups\/:id(\/|$)/.test(route))

  t.ok(routes.length > 20, 'there are routes')
  await call('DELETE', `/groups/${top.id}`)
  for (const route of routes.filter(route => !allowed.test(route))) {
    const [method, path] = route.split(' ') as ['PUT', string]
    const url = path.replace('/api/v4/groups/:id', `/groups/${sub.id}`).replaceAll(/:\w+/g, '0')

    t.hasStrict(await call(method, url, {}), { status: 403, body: reason }, route)
  }
  t.hasStrict(await call('POST', '/projects', { name: 'P', namespace_id: sub.id }), { status: 403, body: reason })
  t.hasStrict(await call('POST', '/groups', { name: 'G', path: 'g', parent_id: top.id }), { status: 403, body: reason })
  t.hasStrict(await call('PUT', `/projects/${other.id}/transfer`, { namespace: top.id }), { status: 403, body: reason })
  t.hasStrict(await call('POST', `/groups/${group.id}/transfer`, { group_id: top.id }), { status: 403, body: reason })
  t.hasStrict(await call('PUT', `/projects/${upper.id}`, { name: 'Q' }), {
    status: 403,
    body: { message: '403 Forbidden - the project is marked for deletion' }
  })
  t.equal((await call('GET', `/groups/${top.id}/members`)).status, 200)
})

t.test('lists of groups filter by the mark', async t => {
  const { call, top, sub } = await openMarkableGroup(t)
  const { body: other } = await call('POST', '/groups', { name: 'Town', path: 'town' })
  const ids = async (url: string) => (await call('GET', url)).body.map(({ id }: { id: number }) => id)

  await call('DELETE', `/groups/${top.id}`)
  t.same(await ids('/groups'), [sub.id, top.id, other.id])
  t.same(await ids('/groups?active=true'), [other.id])
  t.same(await ids('/groups?active=false'), [sub.id, top.id])
  t.same(await ids(`/groups?marked_for_deletion_on=${today()}`), [sub.id, top.id])
  t.same(await ids('/groups?marked_for_deletion_on=2020-02-29'), [])
  t.same((await ids(`/groups/${top.id}/projects?active=true`)).length, 0)
})

t.test('only owners restore a group, and others do not learn of a hidden one', async t => {
  const world = await openMarkableGroup(t)
  const { call, top } = world
  const [ann, bob, cyd] = await Promise.all(['ann', 'bob', 'cyd'].map(name => aPerson(world, name)))

  await call('POST', `/groups/${top.id}/members`, { user_id: ann!.id, access_level: 50 })
  await call('POST', `/groups/${top.id}/members`, { user_id: bob!.id, access_level: 40 })
  t.equal((await bob!.call('DELETE', `/groups/${top.id}`)).status, 403)
  await ann!.call('DELETE', `/groups/${top.id}`)
  t.equal((await bob!.call('POST', `/groups/${top.id}/restore`)).status, 403)
  t.equal((await cyd!.call('POST', `/groups/${top.id}/restore`)).status, 404)
  t.equal((await cyd!.call('PUT', `/groups/${top.id}`, {})).status, 404)
  t.equal((await ann!.call('POST', `/groups/${top.id}/restore`)).status, 201)
})
