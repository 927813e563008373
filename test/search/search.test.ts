import t from 'tap'
import { aPerson } from '../projects/people.ts'
import { without } from '../support/extras.ts'
import { anEnvelope, openProject } from '../support/factories.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { eventually, openApp } from '../support/world.ts'

type World = Awaited<ReturnType<typeof openApp>>

const names = ({ body }: { body: { name?: string; title?: string; username?: string }[] }) =>
  body.map(({ title, username, name }) => title ?? username ?? name)

/** A group with a subgroup, a project in each and one beside them. Ann is a reporter in the group. */
async function openTown(world: World) {
  const { call } = world
  const ann = await aPerson(world, 'ann')
  const { body: team } = await call('POST', '/groups', { name: 'Team', path: 'team' })
  const { body: sub } = await call('POST', '/groups', { name: 'Sub', path: 'sub', parent_id: team.id })
  const create = async (name: string, namespace_id?: number) => (await call('POST', '/projects', { name, namespace_id })).body
  const [shop, till, secret] = [await create('Shop one', team.id), await create('Till one', sub.id), await create('Secret one')]

  await call('POST', `/groups/${team.id}/members`, { user_id: ann.id, access_level: 20 })

  return { ann, team, sub, shop, till, secret }
}

t.test('projects are searched everywhere and in groups, those that the caller sees', async t => {
  const world = await openApp(t)
  const { ann, team, sub, shop } = await openTown(world)

  t.same(names(await ann.call('GET', '/search?scope=projects&search=ONE')), ['Till one', 'Shop one'])
  t.same(names(await ann.call('GET', '/search?scope=projects&search=one&sort=asc&order_by=created_at')), ['Shop one', 'Till one'])
  t.same(names(await world.call('GET', '/search?scope=projects&search=one')), ['Secret one', 'Till one', 'Shop one'])
  t.same(names(await ann.call('GET', `/groups/${team.id}/search?scope=projects&search=one`)), ['Till one', 'Shop one'])
  t.same(names(await ann.call('GET', `/groups/${sub.id}/-/search?scope=projects&search=one`)), ['Till one'])
  const page = await ann.call('GET', '/search?scope=projects&search=one&per_page=1&page=2')
  t.same([names(page), page.headers['x-total'], page.headers['x-next-page']], [['Shop one'], '2', ''])
  await world.call('POST', `/projects/${shop.id}/archive`)
  t.same(names(await ann.call('GET', '/search?scope=projects&search=one')), ['Till one'])
  t.same(names(await ann.call('GET', '/search?scope=projects&search=one&include_archived=true')), ['Till one', 'Shop one'])
})

t.test('issues and milestones are searched everywhere, in a group and in a project', { skip: without('planning') }, async t => {
  const world = await openApp(t)
  const { ann, team, sub, shop, till, secret } = await openTown(world)

  for (const { id, name } of [shop, till, secret]) {
    await world.call('POST', `/projects/${id}/issues`, {
      title: `Crash in ${name}`,
      description: 'it %_ ends',
      confidential: id === till.id
    })
    await world.call('POST', `/projects/${id}/milestones`, { title: `Crash of ${name}` })
  }
  await world.call('POST', `/groups/${sub.id}/milestones`, { title: 'Sub', description: 'No crash' })
  await world.call('PUT', `/projects/${shop.id}/issues/1`, { state_event: 'close' })
  for (const [query, found] of [
    ['/search?scope=issues&search=crash', ['Crash in Till one', 'Crash in Shop one']],
    ['/search?scope=issues&search=%25_ ends&sort=asc', ['Crash in Shop one', 'Crash in Till one']],
    ['/search?scope=issues&search=c%25h', []],
    ['/search?scope=issues&search=crash&state=opened', ['Crash in Till one']],
    ['/search?scope=issues&search=crash&state=all&confidential=false', ['Crash in Shop one']],
    [`/groups/${sub.id}/search?scope=issues&search=crash`, ['Crash in Till one']],
    [`/projects/${shop.id}/search?scope=issues&search=crash`, ['Crash in Shop one']],
    ['/search?scope=milestones&search=crash', ['Sub', 'Crash of Till one', 'Crash of Shop one']],
    [`/groups/${team.id}/search?scope=milestones&search=crash`, ['Sub', 'Crash of Till one', 'Crash of Shop one']],
    [`/groups/${sub.id}/search?scope=milestones&search=crash`, ['Sub', 'Crash of Till one']],
    [`/projects/${till.id}/-/search?scope=milestones&search=crash`, ['Crash of Till one']]
  ] as const) {
    t.same(names(await ann.call('GET', query)), found, query)
  }
  await world.call('POST', `/projects/${shop.id}/archive`)
  t.same(names(await ann.call('GET', '/search?scope=issues&search=crash')), ['Crash in Till one'])
  t.same(names(await ann.call('GET', '/search?scope=issues&search=crash&include_archived=true')), [
    'Crash in Till one',
    'Crash in Shop one'
  ])
  t.same(names(await ann.call('GET', `/projects/${shop.id}/search?scope=issues&search=crash`)), ['Crash in Shop one'])
})

t.test('users are searched everywhere, and among the members of a group or project', async t => {
  const world = await openApp(t)
  const { ann, team, shop, secret } = await openTown(world)

  await aPerson(world, 'bob')
  t.same(names(await ann.call('GET', '/search?scope=users&search=name of')), ['ann', 'bob'])
  t.same(names(await ann.call('GET', `/groups/${team.id}/search?scope=users&search=name of`)), ['ann'])
  t.same(names(await ann.call('GET', `/projects/${shop.id}/search?scope=users&search=name of`)), ['ann'], 'inherited members')
  t.equal((await ann.call('GET', `/projects/${secret.id}/search?scope=users&search=name`)).status, 404)
})

t.test('errors are searched in projects where the caller is a developer', async t => {
  const world = await openProject(t)
  const { call, project, send } = world
  const ann = await aPerson(world, 'ann')

  await world.work('errors')
  await send(anEnvelope({ message: 'The till burns' }))
  const found = await eventually(async () => {
    const { body } = await call('GET', '/search?scope=errors&search=till burns')

    return body.length > 0 && body
  }, 'the error is found')
  hasExactly(t, found, [{ project_id: project.id, status: 'unresolved', event_count: 1 }])
  const path = `/projects/${project.id}/search?scope=errors&search=burns`
  t.same((await call('GET', path)).body.length, 1)
  await call('POST', `/projects/${project.id}/members`, { user_id: ann.id, access_level: 20 })
  for (const query of ['/search?scope=errors&search=burns', path]) t.same((await ann.call('GET', query)).body, [], query)
  await call('PUT', `/projects/${project.id}/members/${ann.id}`, { access_level: 30 })
  for (const query of ['/search?scope=errors&search=burns', path]) t.same((await ann.call('GET', query)).body.length, 1, query)
})

t.test('a search without text, or in a scope that does not exist, is refused', async t => {
  const world = await openApp(t)
  const { ann, shop } = await openTown(world)

  for (const query of ['', '?scope=issues', '?search=a', '?scope=issues&search=', '?scope=issues&search=%20', '?scope=blobs&search=a']) {
    t.equal((await ann.call('GET', `/search${query}`)).status, 400, query)
  }
  hasExactly(t, await ann.call('GET', '/search?scope=merge_requests&search=a'), {
    status: 400,
    body: { error: 'scope does not have a valid value' }
  })
  t.equal((await ann.call('GET', `/projects/${shop.id}/search?scope=projects&search=a`)).status, 400)
})
