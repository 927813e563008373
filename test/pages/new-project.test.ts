import t, { type Test } from 'tap'
import { openApp } from '../support/world.ts'
import { aMember } from './a-member.ts'
import { Visitor } from './visitor.ts'

async function openForm(t: Test) {
  const world = await openApp(t)
  const root = new Visitor(world.app)

  await root.signIn()

  return { ...world, root }
}

t.test('a project is created on a page, and its setup follows', async t => {
  const { call, root } = await openForm(t)
  const { body: group } = await call('POST', '/groups', { name: 'Team', path: 'team' })

  t.match((await root.get('/')).body, /href="\/projects\/new">New project</)
  t.match((await root.get('/projects')).body, /href="\/projects\/new">New project</)
  t.match((await root.get('/team')).body, new RegExp(`href="/projects/new\\?namespace_id=${group.id}"`))
  t.match((await root.get(`/projects/new?namespace_id=${group.id}`)).body, new RegExp(`value="${group.id}" selected>team<`))
  const answered = await root.post('/projects', {
    name: 'My Shop',
    namespace_id: String(group.id),
    description: 'Sells.',
    visibility: 'private'
  })
  const { body: project } = await call('GET', '/projects/team%2Fmy-shop')

  t.hasStrict(answered, { statusCode: 303, headers: { location: `/projects/${project.id}/setup` } })
  t.hasStrict(project, { name: 'My Shop', description: 'Sells.', visibility: 'private', namespace: { id: group.id } })
  const setup = (await root.get(answered.headers.location!)).body
  t.match(setup, /Project created\.[\s\S]+<h1>Setup<[\s\S]+Waiting for the first event/)
  t.match(
    setup,
    new RegExp(`dsn: [^/]+//glet_[0-9a-f]{32}@tocsin.test/errortracking/api/v1/projects/${project.id}`),
    'the snippet has the DSN'
  )
})

t.test('what the API refuses is said beside the field, and what was typed stays', async t => {
  const { call, root } = await openForm(t)
  const { body: group } = await call('POST', '/groups', { name: 'Team', path: 'team' })
  const { body: user } = await call('GET', '/user')
  const refusal = async (fields: Record<string, string>) => {
    const { statusCode, body } = await root.post('/projects', { name: 'P', namespace_id: String(user.namespace_id), ...fields })

    t.equal(statusCode, 400)
    t.match(body, new RegExp(`id="name" name="name" [^>]* value="${fields.name ?? 'P'}"`))

    return [...body.matchAll(/<p class="(?:error|problem)"[^>]*>([^<]+)</g)].map(([, text]) => text)
  }

  await root.get('/projects/new')
  t.same(await refusal({ path: '-' }), [
    'Can contain only letters, digits, &#39;_&#39;, &#39;-&#39; and &#39;.&#39;, must start with a letter, a digit or &#39;_&#39;, and cannot end in &#39;.git&#39; or &#39;.atom&#39;.'
  ])
  t.same(await refusal({ name: '' }), ['Enter 1 to 255 characters.'])
  t.same(await refusal({ visibility: 'public', namespace_id: String(group.id) }), ['Public is not allowed in a private group.'])
  t.same(await refusal({ namespace_id: '999999' }), ['Is not valid.'])
  await call('POST', '/projects', { name: 'P' })
  t.same(await refusal({}), ['Has already been taken.'])
})

t.test('who may not create projects is told why', async t => {
  const world = await openForm(t)
  const { call } = world
  const ext = await aMember(world, 'ext', { external: true })
  const full = await aMember(world, 'full', { projects_limit: 0 })

  for (const [visitor, reason] of [
    [ext, 'External users cannot create projects.'],
    [full, 'Your limit of 0 personal projects is reached.']
  ] as const) {
    for (const page of ['/', '/projects', '/projects/new']) {
      const { body } = await visitor.get(page)

      t.match(body, reason, page)
      t.notMatch(body, /href="\/projects\/new"|<button>Create project/, page)
    }
  }
  t.equal((await ext.post('/projects', { name: 'P' })).statusCode, 403)
  t.equal((await full.post('/projects', { name: 'P' })).statusCode, 400)

  const { body: group } = await call('POST', '/groups', { name: 'Team', path: 'team' })
  await call('POST', `/groups/${group.id}/members`, { user_id: full.id, access_level: 30 })
  t.match((await full.get('/projects/new')).body, new RegExp(`limit of 0 personal[\\s\\S]+<option value="${group.id}">team<`))
  t.equal((await full.post('/projects', { name: 'P', namespace_id: String(group.id) })).statusCode, 303)
})

t.test('a group and a subgroup are created on a page', async t => {
  const world = await openForm(t)
  const { call, root } = world

  t.match((await root.get('/projects')).body, /href="\/groups\/-\/new">New group</)
  await root.get('/groups/-/new')
  t.hasStrict(await root.post('/groups/-/new', { name: 'Team', visibility: 'internal' }), {
    statusCode: 303,
    headers: { location: '/groups/team' }
  })
  const { body: group } = await call('GET', '/groups/team')
  t.match((await root.get('/groups/team')).body, new RegExp(`href="/groups/-/new\\?parent_id=${group.id}">New subgroup`))
  await root.post('/groups/-/new', { name: 'Web', path: 'web', parent_id: String(group.id), description: 'Pages.' })
  t.hasStrict(await call('GET', '/groups/team%2Fweb'), { body: { parent_id: group.id, description: 'Pages.', visibility: 'private' } })
  t.match((await root.get('/groups/team')).body, /href="\/groups\/team\/web"><strong>Web</)
  t.match(await root.post('/groups/-/new', { name: 'Projects' }), { statusCode: 400, body: /projects is a reserved name/i })
  t.match(await root.post('/groups/-/new', { name: 'Team' }), { statusCode: 400, body: /Has already been taken/ })

  const ann = await aMember(world, 'ann', { can_create_group: false })
  t.notMatch((await ann.get('/projects')).body, /New group/)
  t.match((await ann.get('/groups/-/new')).body, /You may create groups only within others\./)
  t.equal((await ann.post('/groups/-/new', { name: 'Other' })).statusCode, 403)
  await call('POST', `/groups/${group.id}/members`, { user_id: ann.id, access_level: 40 })
  t.equal((await ann.post('/groups/-/new', { name: 'Other', parent_id: String(group.id) })).statusCode, 303)
  t.equal((await new Visitor(world.app).get('/groups/-/new')).statusCode, 401)
})
