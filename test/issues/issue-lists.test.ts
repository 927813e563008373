import t from 'tap'
import { aPerson } from '../projects/people.ts'
import { without } from '../support/extras.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { openApp } from '../support/world.ts'

type World = Awaited<ReturnType<typeof openApp>>
type Person = Awaited<ReturnType<typeof aPerson>>

const titles = ({ body }: { body: { title: string }[] }) => body.map(({ title }) => title)

/** A group with two projects, a project of its own kind beside them, and Ann, a reporter in the group's. */
async function aGroup(world: World) {
  const { call } = world
  const ann = await aPerson(world, 'ann')
  const { body: group } = await call('POST', '/groups', { name: 'Team', path: 'team' })
  const { body: sub } = await call('POST', '/groups', { name: 'Sub', path: 'sub', parent_id: group.id })
  const create = async (name: string, namespace_id?: number) => (await call('POST', '/projects', { name, namespace_id })).body
  const [shop, till, secret] = [await create('Shop', group.id), await create('Till', sub.id), await create('Secret')]

  await call('POST', `/groups/${group.id}/members`, { user_id: ann.id, access_level: 20 })

  return { ann, group, shop, till, secret }
}

t.test('issues are listed over all projects that the caller sees, and over those of a group', async t => {
  const world = await openApp(t)
  const { call } = world
  const { ann, group, shop, till, secret } = await aGroup(world)

  await ann.call('POST', `/projects/${shop.id}/issues`, { title: 'One', assignee_ids: [ann.id] })
  await call('POST', `/projects/${till.id}/issues`, { title: 'Two', assignee_ids: [ann.id] })
  await ann.call('POST', `/projects/${till.id}/issues`, { title: 'Three', labels: 'bug' })
  await call('POST', `/projects/${secret.id}/issues`, { title: 'Hidden' })

  t.same(titles(await ann.call('GET', '/issues')), ['Three', 'One'], 'by default, what the caller created')
  t.same(titles(await ann.call('GET', '/issues?scope=assigned_to_me')), ['Two', 'One'])
  t.same(titles(await ann.call('GET', '/issues?scope=all')), ['Three', 'Two', 'One'])
  t.same(titles(await ann.call('GET', '/issues?scope=all&labels=None&order_by=title&sort=asc')), ['One', 'Two'])
  t.same(titles(await ann.call('GET', `/issues?scope=created_by_me&author_id=1`)), [], 'the scope is one more filter')
  t.same(titles(await ann.call('GET', `/groups/${group.id}/issues`)), ['Three', 'Two', 'One'])
  t.same(titles(await call('GET', '/issues?scope=all')), ['Hidden', 'Three', 'Two', 'One'])
  await ann.call('PUT', `/projects/${shop.id}/issues/1`, { state_event: 'close' })
  t.same(titles(await ann.call('GET', '/issues?scope=all&state=closed')), ['One'])
  const pages = [await ann.call('GET', '/issues?scope=all&pagination=keyset&order_by=created_at&per_page=2')]
  const next = /<[^>]*\/api\/v4([^>]*)>; rel="next"/.exec(String(pages[0]!.headers.link))![1]!
  t.same([...titles(pages[0]!), ...titles(await ann.call('GET', next))], ['Three', 'Two', 'One'], 'by keyset')
  await call('POST', `/projects/${shop.id}/archive`)
  t.same(titles(await ann.call('GET', '/issues')), ['Three'], 'archived projects are left out')
  t.same(titles(await ann.call('GET', '/issues?non_archived=false')), ['Three', 'One'])
  await call('PUT', `/projects/${till.id}`, { issues_access_level: 'disabled' })
  t.same(titles(await ann.call('GET', '/issues?scope=all')), [])
})

t.test('filters of issues can be negated', async t => {
  const world = await openApp(t)
  const { call } = world
  const { ann, shop } = await aGroup(world)
  const path = `/projects/${shop.id}/issues`

  await ann.call('POST', path, { title: 'One', description: 'crash', labels: 'bug' })
  await call('POST', path, { title: 'Two', labels: 'bug,late', assignee_ids: [ann.id] })
  await call('POST', path, { title: 'Three crash', confidential: true })
  for (const [query, found] of [
    ['not[labels]=late', ['Three crash', 'One']],
    ['not[labels]=bug,late', ['Three crash']],
    ['not[author_username]=ann', ['Three crash', 'Two']],
    [`not[assignee_id]=${ann.id}`, ['Three crash', 'One']],
    ['not[assignee_username][]=ann', ['Three crash', 'One']],
    ['not[milestone]=None', []],
    ['not[iids][]=1&not[iids][]=2', ['Three crash']],
    ['not[search]=crash&not[in]=title', ['Two', 'One']],
    ['search=crash', ['Three crash', 'One']],
    ['search=crash&in=title', ['Three crash']],
    ['search=crash&in=title,description', ['Three crash', 'One']],
    ['confidential=true', ['Three crash']],
    ['confidential=false', ['Two', 'One']]
  ] as const) {
    t.same(titles(await ann.call('GET', `${path}?${query}`)), found, query)
  }
  for (const query of ['scope=mine', 'in=body', 'confidential=perhaps', 'not[labels][a]=b', 'not=1']) {
    t.equal((await ann.call('GET', `${path}?${query}`)).status, 400, query)
  }
})

t.test('owners delete an issue with its comments and its activity, once', async t => {
  const world = await openApp(t)
  const { call } = world
  const { ann, shop } = await aGroup(world)
  const path = `/projects/${shop.id}/issues`

  await ann.call('POST', path, { title: 'One' })
  await ann.call('POST', path, { title: 'Two' })
  await ann.call('POST', `${path}/1/notes`, { body: 'A comment' })
  t.equal((await ann.call('DELETE', `${path}/1`)).status, 403)
  t.equal((await call('DELETE', `${path}/1`)).status, 204)
  t.same(await call('DELETE', `${path}/1`).then(({ status }) => status), 404)
  t.same(titles(await ann.call('GET', path)), ['Two'])
  const { body: events } = await call('GET', `/projects/${shop.id}/events`)
  t.same(
    events.flatMap(({ target_title: title }: { target_title: string | null }) => title ?? []),
    ['Two', 'Shop']
  )
  hasExactly(t, (await call('GET', `/projects/${shop.id}/audit_events`)).body.slice(0, 1), [
    { event_name: 'issue_deleted', details: { iid: 1, target_details: 'One', target_type: 'Issue' } }
  ])
  t.equal((await call('POST', path, { title: 'Three' })).body.iid, 3, 'numbers are not used again')
})

t.test('an admin gets an issue by its id', async t => {
  const world = await openApp(t)
  const { ann, secret } = await aGroup(world)
  const { body: issue } = await world.call('POST', `/projects/${secret.id}/issues`, { title: 'Hidden' })

  t.same((await world.call('GET', `/issues/${issue.id}`)).body, issue)
  t.equal((await ann.call('GET', `/issues/${issue.id}`)).status, 403)
})

t.test(
  'a confidential issue is seen by reporters and its author alone, wherever issues are shown',
  { skip: without('planning') },
  async t => {
    const world = await openApp(t)
    const { call } = world
    const { body: group } = await call('POST', '/groups', { name: 'Open', path: 'open', visibility: 'public' })
    const { body: project } = await call('POST', '/projects', { name: 'P', namespace_id: group.id, visibility: 'public' })
    const { body: milestone } = await call('POST', `/projects/${project.id}/milestones`, { title: 'M' })
    const people: Record<string, Person> = {}

    for (const name of ['author', 'stranger', 'guest', 'reporter']) people[name] = await aPerson(world, name)
    await call('POST', `/projects/${project.id}/members`, { user_id: people.guest!.id, access_level: 10 })
    await call('POST', `/projects/${project.id}/members`, { user_id: people.reporter!.id, access_level: 20 })
    const path = `/projects/${project.id}/issues`
    const { body: issue } = await people.author!.call('POST', path, { title: 'leaks keys', confidential: true })
    await call('PUT', `${path}/1`, { milestone_id: milestone.id, assignee_ids: [people.guest!.id] })
    await people.author!.call('POST', `${path}/1/notes`, { body: 'leaks them here' })
    await call('POST', path, { title: 'Other' })
    await call('POST', `${path}/2/links`, { target_project_id: project.id, target_issue_iid: 1 })
    const places = {
      [`${path}`]: ['reporter'],
      [`${path}/1`]: ['author', 'reporter'],
      [`${path}/1/notes`]: ['author', 'reporter'],
      [`${path}/1/discussions`]: ['author', 'reporter'],
      [`${path}/1/participants`]: ['reporter'],
      [`${path}/2/links`]: ['reporter'],
      [`${path}?search=leaks`]: ['reporter'],
      '/issues?scope=all': ['author', 'reporter'],
      [`/groups/${group.id}/issues`]: ['author', 'reporter'],
      [`/projects/${project.id}/milestones/${milestone.id}/issues`]: ['author', 'reporter'],
      [`/projects/${project.id}/events`]: ['reporter'],
      '/users/author/events': ['reporter']
    }

    t.equal(issue.confidential, true)
    for (const [place, seers] of Object.entries(places)) {
      for (const [name, person] of [...Object.entries(people), ['anonymous', undefined] as const]) {
        const { body } = person ? await person.call('GET', place) : await call('GET', place, undefined, null)
        const isSeen = /leaks|@guest|"username":"author".*"state"/.test(JSON.stringify(body))

        t.equal(isSeen, seers.includes(name), `${name} at ${place}`)
      }
    }
    for (const [name, all] of [
      ['stranger', 0],
      ['guest', 0],
      ['author', 1],
      ['reporter', 2]
    ] as const) {
      t.equal((await people[name]!.call('GET', '/issues?scope=all')).body.length, all, name)
    }
    await call('PUT', `${path}/1`, { confidential: false })
    t.match(JSON.stringify((await people.guest!.call('GET', `/projects/${project.id}/events`)).body), /leaks keys/)
    t.same((await call('GET', `${path}/1/notes`)).body[0].body, 'made the issue visible to everyone')
    await call('PUT', `${path}/1`, { confidential: false })
    t.equal(
      (await call('GET', `${path}/1/notes?activity_filter=only_activity`)).body.filter(({ body }: { body: string }) => /visible/.test(body))
        .length,
      1
    )
  }
)

t.test(
  'issues are sorted by milestone, priority of labels and thumbs up, those without last, and by offset only',
  { skip: without('planning') },
  async t => {
    const world = await openApp(t)
    const { call } = world
    const { shop } = await aGroup(world)
    const path = `/projects/${shop.id}`
    const milestone = async (title: string, due_date?: string) => (await call('POST', `${path}/milestones`, { title, due_date })).body.id

    await call('POST', `${path}/labels`, { name: 'soon', color: 'red', priority: 1, description: 'S' })
    await call('POST', `${path}/labels`, { name: 'later', color: 'blue', priority: 2 })
    await call('POST', `${path}/issues`, { title: 'None', milestone_id: await milestone('open') })
    await call('POST', `${path}/issues`, { title: 'Late', labels: 'later', milestone_id: await milestone('2', '2031-01-01') })
    await call('POST', `${path}/issues`, { title: 'Early', labels: 'soon,later', milestone_id: await milestone('1', '2030-01-01') })
    const sorted = async (order: string, sort: string, at = path) =>
      titles(await call('GET', `${at}/issues?order_by=${order}&sort=${sort}&scope=all`))

    for (const order of ['milestone_due', 'label_priority']) {
      t.same(await sorted(order, 'asc'), ['Early', 'Late', 'None'], order)
      t.same(await sorted(order, 'desc'), ['Late', 'Early', 'None'], order)
      t.same(await sorted(order, 'asc', ''), ['Early', 'Late', 'None'], `${order}, of all projects`)
    }
  }
)

t.test('lists of issues have the labels with their details on request', { skip: without('planning') }, async t => {
  const world = await openApp(t)
  const { call } = world
  const { shop, group } = await aGroup(world)

  await call('POST', `/projects/${shop.id}/labels`, { name: 'soon', color: '#ff0000', description: 'S' })
  await call('POST', `/projects/${shop.id}/issues`, { title: 'One', labels: 'soon' })
  for (const path of [`/projects/${shop.id}/issues`, `/groups/${group.id}/issues`, '/issues']) {
    const [issue] = (await call('GET', `${path}?with_labels_details=true`)).body

    hasExactly(t, issue.labels, [{ name: 'soon', color: '#ff0000', text_color: '#FFFFFF', description: 'S', description_html: 'S' }])
    t.same((await call('GET', path)).body[0].labels, ['soon'])
  }
})
