import t, { type Test } from 'tap'
import { openApp } from '../support/world.ts'
import { aMember } from './a-member.ts'
import { Visitor } from './visitor.ts'

/** The same story in a project and in a group. */
const places = {
  project: { create: '/projects', of: (id: number) => ({ api: `/projects/${id}`, page: `/projects/${id}/members` }) },
  group: { create: '/groups', of: (id: number) => ({ api: `/groups/${id}`, page: `/groups/${id}/-/members` }) }
}

async function openMembers(t: Test, kind: keyof typeof places) {
  const world = await openApp(t)
  const { body } = await world.call('POST', places[kind].create, { name: 'Shop', path: 'shop' })
  const { api, page } = places[kind].of(body.id)
  const root = new Visitor(world.app)

  await root.signIn()

  return {
    ...world,
    ...body,
    api,
    page,
    root,
    ann: await aMember(world, 'ann'),
    memberOf: async (id: number) => (await world.call('GET', `${api}/members/${id}`)).body
  }
}

function problemsOf(body: string) {
  return [...body.matchAll(/<p class="(?:error|problem)"[^>]*>([^<]+)</g)].map(([, text]) => text)
}

for (const kind of ['project', 'group'] as const) {
  t.test(`people are added to a ${kind}, get another role and a last day, and are removed`, async t => {
    const { root, ann, page, memberOf, call, api } = await openMembers(t, kind)

    t.match((await root.get(page)).body, /Add member/)
    t.hasStrict(await root.post(page, { who: '@ANN', access_level: '20', expires_at: '2099-12-31' }), {
      statusCode: 303,
      headers: { location: page }
    })
    t.hasStrict(await memberOf(ann.id), { access_level: 20, expires_at: '2099-12-31' })
    t.match((await root.get(page)).body, /Name of ann is now a member[\s\S]+href="\/ann"[\s\S]+Reporter</)
    t.equal((await root.post(`${page}/${ann.id}`, { access_level: '40', expires_at: '' })).statusCode, 303)
    t.hasStrict(await memberOf(ann.id), { access_level: 40, expires_at: null })
    t.equal((await root.post(`${page}/${ann.id}/removal`)).statusCode, 303)
    t.equal((await call('GET', `${api}/members/${ann.id}`)).status, 404)
    t.same((await root.post(`${page}/${ann.id}/removal`)).statusCode, 404, 'who is no member cannot be removed')
  })

  t.test(`a part of a name gives no access to a ${kind}: the user chooses`, async t => {
    const world = await openMembers(t, kind)
    const { root, ann, page, memberOf } = world

    await aMember(world, 'joanna')
    await root.get(page)
    const answered = await root.post(page, { who: 'name of', access_level: '30', expires_at: '' })
    const { body } = await root.get(answered.headers.location!)
    t.match(
      body,
      new RegExp(`value="name of"[\\s\\S]+Choose one:[\\s\\S]+value="${ann.id}" formnovalidate aria-label="Add @ann"[\\s\\S]+@joanna`)
    )
    await root.post(page, { who: 'name of', access_level: '30', user_id: String(ann.id) })
    t.hasStrict(await memberOf(ann.id), { access_level: 30 })
    t.same(problemsOf((await root.post(page, { who: 'ann', access_level: '30' })).body), ['Member already exists.'])
    t.equal(
      (await root.post(page, { who: 'joanna@example.com', access_level: '10' })).headers.location,
      page,
      'admins find e-mail addresses'
    )
    t.same(problemsOf((await root.get(`${page}?who=nix`)).body), ['No user was found for “nix”.'])
  })

  t.test(`what the API refuses in a ${kind} is said in place`, async t => {
    const { root, page } = await openMembers(t, kind)
    const refusal = async (fields: Record<string, string>) =>
      problemsOf((await root.post(page, { who: 'ann', access_level: '30', ...fields })).body)

    await root.get(page)
    t.same(await refusal({ expires_at: '2001-01-01' }), ['Cannot be a date in the past.'])
    t.same(await refusal({ expires_at: 'soon' }), ['Enter a date such as 2030-12-31.'])
    t.same(await refusal({ access_level: '31' }), ['Choose one of the roles.'])
    t.same(await refusal({ who: ' ' }), ['Enter a name, a username or an e-mail address.'])
    t.equal((await root.post(`${page}/999999`, { access_level: '30' })).statusCode, 404)
  })
}

t.test('each may do on the page what the API lets them', async t => {
  const world = await openMembers(t, 'project')
  const { root, ann, page, api, call, memberOf } = world
  const ben = await aMember(world, 'ben')

  t.equal((await ann.get(page)).statusCode, 404, 'strangers do not see a private project')
  t.equal((await ann.post(page, { who: 'ben', access_level: '10' })).statusCode, 404)
  t.equal((await new Visitor(world.app).get(page)).statusCode, 401)
  await call('POST', `${api}/members`, { user_id: ann.id, access_level: 30 })
  const { body } = await ann.get(page)
  t.match(body, /href="\/root"[\s\S]+Leave the project/)
  t.notMatch(body, /Add member|Save</)
  t.equal((await ann.post(page, { who: 'ben', access_level: '10' })).statusCode, 403)
  t.equal((await ann.post(`${page}/${world.id}`, { access_level: '10' })).statusCode, 403)
  t.equal((await ann.post(`${page}/1/removal`)).statusCode, 403)

  await call('PUT', `${api}/members/${ann.id}`, { access_level: 40 })
  t.notMatch((await ann.get(page)).body, /value="50"/, 'maintainers make no owners')
  t.equal((await ann.post(page, { who: 'ben', access_level: '50' })).statusCode, 403)
  t.notMatch((await ann.get(`${page}?who=ben%40example.com`)).body, /Choose one/, 'private addresses find no user')
  t.equal((await ann.post(page, { who: 'ben@example.com', access_level: '10' })).headers.location, page, 'but they can be invited')
  t.hasStrict(await memberOf(ben.id), { access_level: 10 })
  t.hasStrict(await ben.post(`${page}/${ben.id}/removal`), { statusCode: 303, headers: { location: '/projects' } })
  t.match((await ben.get('/projects')).body, /You left Shop\./)
  t.match(await root.post(`${page}/1/removal`), { statusCode: 400, body: /The owner of a personal project cannot be removed\./ })
})

t.test('the last owner of a group stays, and the page says why', async t => {
  const { root, page, memberOf } = await openMembers(t, 'group')

  await root.get(page)
  for (const [path, fields] of [
    [`${page}/1/removal`, {}],
    [`${page}/1`, { access_level: '30', expires_at: '' }]
  ] as const) {
    const { statusCode, body } = await root.post(path, fields)

    t.same([statusCode, problemsOf(body)], [400, ['A group must keep at least one owner.']])
  }
  t.hasStrict(await memberOf(1), { access_level: 50 })
})

t.test('members from elsewhere are shown with where their role comes from', async t => {
  const world = await openMembers(t, 'group')
  const { root, ann, call, page, id } = world
  const ben = await aMember(world, 'ben')
  const { body: sub } = await call('POST', '/groups', { name: 'Web', path: 'web', parent_id: id })
  const { body: project } = await call('POST', '/projects', { name: 'P', namespace_id: sub.id })
  const { body: others } = await call('POST', '/groups', { name: 'Others', path: 'others' })
  const elsewhere = async (url: string, visitor: Visitor = root) => (await visitor.get(url)).body.split('Inherited members')[1]!

  await call('POST', `/groups/${id}/members`, { user_id: ann.id, access_level: 30 })
  await call('POST', `/groups/${others.id}/members`, { user_id: ben.id, access_level: 40 })
  await call('POST', `/projects/${project.id}/share`, { group_id: others.id, group_access: 20 })
  await call('POST', `/projects/${project.id}/members`, { user_id: ann.id, access_level: 20 })
  const url = `/projects/${project.id}/members`
  t.match(await elsewhere(url), /@ann<[\s\S]+Developer[\s\S]+Inherited from <a href="\/groups\/shop">/, 'also those who are direct members')
  t.match(await elsewhere(url), /@ben<[\s\S]+Reporter[\s\S]+Shared with <a href="\/groups\/others">/)
  t.match((await root.get(url)).body, /Members of this project[\s\S]+@ann[\s\S]+Reporter[\s\S]+Inherited members/)
  t.match(await elsewhere(page), /No members/)
  t.match(await elsewhere(`/groups/${sub.id}/-/members`), /@ann<[\s\S]+Inherited from <a href="\/groups\/shop">/)
  t.notMatch((await root.get(`${url}?search=ben`)).body, /@ann</)

  const eve = await aMember(world, 'eve')
  await call('PUT', `/groups/${id}`, { visibility: 'internal' })
  await call('PUT', `/groups/${sub.id}`, { visibility: 'internal' })
  await call('PUT', `/projects/${project.id}`, { visibility: 'internal' })
  t.match(await elsewhere(url, eve), /@ben<[\s\S]+Shared with a group/, 'non-members do not learn about private groups')
  t.notMatch(await elsewhere(url, eve), /others/)
})

t.test('a project is shared with a group, and no longer', async t => {
  const world = await openMembers(t, 'project')
  const { root, ann, page, api, call } = world
  const { body: team } = await call('POST', '/groups', { name: 'Team', path: 'team' })
  const shares = async () => (await call('GET', api)).body.shared_with_groups
  const fields = { group_id: String(team.id), access_level: '20', expires_at: '2099-12-31' }

  t.match((await root.get(page)).body, new RegExp(`Groups with access[\\s\\S]+<option value="${team.id}">team<`))
  t.equal((await root.post(`${page}/groups`, fields)).statusCode, 303)
  t.hasStrict((await shares())[0], { group_id: team.id, group_access_level: 20, expires_at: '2099-12-31' })
  t.match((await root.get(page)).body, /href="\/groups\/team"[\s\S]+Reporter at most[\s\S]+Until <time [^>]+>31 Dec 2099</)
  t.same(problemsOf((await root.post(`${page}/groups`, fields)).body), ['The group already has access.'])
  t.equal((await root.post(`${page}/groups`, { ...fields, group_id: '' })).statusCode, 404)
  await call('POST', `${api}/members`, { user_id: ann.id, access_level: 30 })
  t.equal((await ann.get(page)).statusCode, 200)
  t.equal((await ann.post(`${page}/groups/${team.id}/removal`)).statusCode, 403)
  t.equal((await root.post(`${page}/groups/${team.id}/removal`)).statusCode, 303)
  t.same(await shares(), [])
})

t.test('an archived project loses members, and gets none', async t => {
  const { root, ann, page, api, call } = await openMembers(t, 'project')

  await call('POST', `${api}/members`, { user_id: ann.id, access_level: 30 })
  await call('POST', `${api}/archive`)
  await root.get(page)
  t.match(await root.post(`${page}/${ann.id}`, { access_level: '40' }), { statusCode: 403, body: /the project is archived\./ })
  t.equal((await root.post(`${page}/${ann.id}/removal`)).statusCode, 303)
})
