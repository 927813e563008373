import t from 'tap'
import { openApp } from '../support/world.ts'
import { aPerson } from './people.ts'

const paths = ({ body }: { body: { full_path: string }[] }) => body.map(({ full_path }) => full_path)

t.test('owners list the groups that they may transfer a project or a group to', async t => {
  const world = await openApp(t)
  const ann = await aPerson(world, 'ann')
  const create = async (path: string, parent_id?: number) => (await ann.call('POST', '/groups', { name: path, path, parent_id })).body
  const [top, other] = [await create('top'), await create('other')]
  const sub = await create('sub', top.id)
  await create('inner', sub.id)
  const { body: project } = await ann.call('POST', '/projects', { name: 'P', namespace_id: sub.id })
  const { body: shared } = await world.call('POST', '/groups', { name: 'shared', path: 'shared' })

  await world.call('POST', `/groups/${shared.id}/members`, { user_id: ann.id, access_level: 30 })
  const ofProject = await ann.call('GET', `/projects/${project.id}/transfer_locations`)
  t.same(paths(ofProject), ['top/sub/inner', 'other', 'top'], 'by name, without the one that it is in')
  t.same(Object.keys(ofProject.body[0]).sort(), ['avatar_url', 'full_name', 'full_path', 'id', 'name', 'web_url'])
  t.same(paths(await ann.call('GET', `/projects/${project.id}/transfer_locations?search=oth`)), ['other'])
  t.same(paths(await ann.call('GET', `/groups/${sub.id}/transfer_locations`)), ['other'], 'not into its parent or itself')
  t.same(paths(await ann.call('GET', `/groups/${other.id}/transfer_locations`)), ['top/sub/inner', 'top/sub', 'top'])
  await world.call('PUT', `/groups/${shared.id}/members/${ann.id}`, { access_level: 40 })
  t.same(paths(await ann.call('GET', `/groups/${sub.id}/transfer_locations`)), ['other', 'shared'], 'maintainers of the target')
  t.same(paths(await world.call('GET', `/groups/${sub.id}/transfer_locations`)), ['other', 'shared'], 'admins')
  t.equal((await ann.call('GET', `/groups/${shared.id}/transfer_locations`)).status, 403, 'maintainers do not transfer')
  for (const { full_path: path, id } of ofProject.body.slice(1, 2)) {
    t.equal((await ann.call('PUT', `/projects/${project.id}/transfer`, { namespace: id })).status, 200, path)
  }
})
