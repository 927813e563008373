import t from 'tap'
import { hasExactly } from '../support/has-exactly.ts'
import { openApp } from '../support/world.ts'
import { aPerson } from './people.ts'

t.test('a group is transferred with everything in it, and back to the top', async t => {
  const world = await openApp(t)
  const { call } = world
  const ann = await aPerson(world, 'ann')
  const group = async (path: string, parent_id?: number) => (await call('POST', '/groups', { name: path, path, parent_id })).body
  const [top, moved] = [await group('top'), await group('moved')]
  const inner = await group('inner', moved.id)
  const { body: project } = await call('POST', '/projects', { name: 'P', namespace_id: inner.id })
  const transfer = (group_id?: number) => call('POST', `/groups/${moved.id}/transfer`, { group_id })
  const paths = async () => [
    (await call('GET', `/groups/${inner.id}`)).body.full_path,
    (await call('GET', `/projects/${project.id}`)).body.path_with_namespace
  ]

  await call('POST', `/groups/${top.id}/members`, { user_id: ann.id, access_level: 20 })
  t.equal((await ann.call('GET', `/projects/${project.id}`)).status, 404)
  hasExactly(t, await transfer(top.id), { status: 201, body: { parent_id: top.id, full_path: 'top/moved', full_name: 'top / moved' } })
  t.same(await paths(), ['top/moved/inner', 'top/moved/inner/p'])
  t.equal((await ann.call('GET', `/projects/${project.id}/issues`)).status, 200, 'members of the new parent inherit')
  t.equal((await call('GET', '/groups/moved%2Finner')).status, 301)
  hasExactly(t, (await call('GET', `/groups/${top.id}/descendant_groups`)).body, [{ id: inner.id }, { id: moved.id }])
  hasExactly(t, (await ann.call('GET', `/projects/${project.id}/groups`)).body, [{ id: inner.id }, { id: moved.id }, { id: top.id }])
  hasExactly(t, await transfer(top.id), {
    status: 400,
    body: { message: 'Transfer failed: Group is already associated to the parent group.' }
  })

  hasExactly(t, await transfer(), { status: 201, body: { parent_id: null, full_path: 'moved' } })
  t.same(await paths(), ['moved/inner', 'moved/inner/p'])
  t.equal((await ann.call('GET', `/projects/${project.id}`)).status, 404)
  hasExactly(t, await transfer(), { status: 400, body: { message: 'Transfer failed: Group is already a root group.' } })
  hasExactly(t, await transfer(inner.id), {
    status: 400,
    body: { message: 'Transfer failed: Cannot transfer group to one of its subgroup.' }
  })
  await group('moved', top.id)
  t.equal((await transfer(top.id)).status, 400, 'the path is taken')
  t.equal((await transfer(4711)).status, 404)
  const events = (await call('GET', `/groups/${moved.id}/audit_events`)).body.map(({ event_name: name }: { event_name: string }) => name)
  t.same(
    events.filter((name: string) => name === 'group_transferred'),
    ['group_transferred', 'group_transferred']
  )
})

t.test('a transfer needs an owner of the group who maintains the new parent, and leaves an owner behind', async t => {
  const world = await openApp(t)
  const { call } = world
  const [ann, bob] = [await aPerson(world, 'ann'), await aPerson(world, 'bob')]
  const { body: top } = await ann.call('POST', '/groups', { name: 'top', path: 'top' })
  const { body: sub } = await ann.call('POST', '/groups', { name: 'sub', path: 'sub', parent_id: top.id })
  const { body: other } = await call('POST', '/groups', { name: 'other', path: 'other', visibility: 'public' })

  await ann.call('POST', `/groups/${top.id}/members`, { user_id: bob.id, access_level: 40 })
  t.equal((await bob.call('POST', `/groups/${sub.id}/transfer`)).status, 403)
  t.equal((await ann.call('POST', `/groups/${sub.id}/transfer`, { group_id: other.id })).status, 403)
  await ann.call('DELETE', `/groups/${sub.id}/members/${ann.id}`)
  t.equal((await ann.call('POST', `/groups/${sub.id}/transfer`)).status, 201)
  hasExactly(t, (await ann.call('GET', `/groups/${sub.id}/members`)).body, [{ id: ann.id, access_level: 50 }])
})
