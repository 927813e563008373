import t, { type Test } from 'tap'
import { openApp } from '../support/world.ts'
import { aMember } from './a-member.ts'
import { Visitor } from './visitor.ts'

async function openSettings(t: Test) {
  const world = await openApp(t)
  const { call, app } = world
  const { body: group } = await call('POST', '/groups', { name: 'Team', path: 'team', visibility: 'internal' })
  const { body: project } = await call('POST', '/projects', { name: 'Shop', path: 'shop', namespace_id: group.id })
  const root = new Visitor(app)

  await root.signIn()
  await root.get('/-/profile')

  return {
    ...world,
    root,
    group,
    project,
    ofProject: `/projects/${project.id}/settings`,
    ofGroup: `/groups/${group.id}/-/settings`,
    stored: async (kind: 'projects' | 'groups', id: number) => (await call('GET', `/${kind}/${id}`)).body
  }
}

function problemsOf(body: string) {
  return [...body.matchAll(/<p class="(?:error|problem)"[^>]*>([^<]+)</g)].map(([, text]) => text)
}

t.test('name, description and visibility of a project and a group are changed on a page', async t => {
  const { root, project, group, ofProject, ofGroup, stored } = await openSettings(t)

  for (const [kind, id, url] of [
    ['projects', project.id, ofProject],
    ['groups', group.id, ofGroup]
  ] as const) {
    t.equal((await root.post(url, { name: 'Store', description: 'Sells.', visibility: 'internal' })).headers.location, url)
    t.hasStrict(await stored(kind, id), { name: 'Store', description: 'Sells.', visibility: 'internal' })
    t.match((await root.get(url)).body, /Settings saved\.[\s\S]+value="Store"[\s\S]+>Sells\.<[\s\S]+value="internal" selected/)
    t.same(problemsOf((await root.post(url, { name: '', visibility: 'internal' })).body), ['Enter 1 to 255 characters.'])
    t.equal((await root.post(url, { name: 'N', visibility: 'secret' })).statusCode, 400)
    await root.post(url, { name: 'N', description: '' })
    t.hasStrict(await stored(kind, id), { name: 'N', visibility: 'internal' }, 'a form without a visibility leaves it')
  }
  t.same(problemsOf((await root.post(ofProject, { name: 'N', visibility: 'public' })).body), ['Public is not allowed in a internal group.'])
})

t.test('a project and a group get another path, and move to another group', async t => {
  const { root, call, project, group, ofProject, ofGroup, stored } = await openSettings(t)
  const { body: other } = await call('POST', '/groups', { name: 'Other', path: 'other', visibility: 'internal' })

  await call('POST', '/projects', { name: 'Taken', path: 'taken', namespace_id: group.id })
  t.same(problemsOf((await root.post(`${ofProject}/path`, { path: 'taken' })).body), ['Has already been taken.'])
  await root.post(`${ofProject}/path`, { path: 'store' })
  t.hasStrict(await stored('projects', project.id), { path_with_namespace: 'team/store' })
  t.match((await root.get(ofProject)).body, new RegExp(`<option value="${other.id}">other<`))
  await root.post(`${ofProject}/transfer`, { target: String(other.id) })
  t.hasStrict(await stored('projects', project.id), { path_with_namespace: 'other/store' })

  await root.post(`${ofGroup}/path`, { path: 'crew' })
  await root.post(`${ofGroup}/transfer`, { target: String(other.id) })
  t.hasStrict(await stored('groups', group.id), { full_path: 'other/crew' })
  t.match((await root.get(ofGroup)).body, /None \(top-level group\)/)
  t.same(problemsOf((await root.post(`${ofGroup}/transfer`, { target: String(group.id) })).body), [
    'Transfer failed: Cannot transfer group to one of its subgroup.'
  ])
  await root.post(`${ofGroup}/transfer`, { target: '' })
  t.hasStrict(await stored('groups', group.id), { full_path: 'crew' })
})

t.test('a project is archived and unarchived', async t => {
  const { root, project, ofProject, stored } = await openSettings(t)

  t.equal((await root.post(`${ofProject}/archive`, { archived: 'true' })).statusCode, 303)
  t.equal((await stored('projects', project.id)).archived, true)
  t.match((await root.get(ofProject)).body, /archived<[\s\S]+it is read-only[\s\S]+Unarchive the project/)
  t.match(await root.post(ofProject, { name: 'N' }), { statusCode: 403, body: /the project is archived\./ })
  t.equal((await root.post(`${ofProject}/archive`, { archived: 'false' })).statusCode, 303)
  t.equal((await stored('projects', project.id)).archived, false)
})

t.test('a project and a group are deleted by those who enter the path', async t => {
  const { root, call, project, group, ofProject, ofGroup } = await openSettings(t)

  for (const [url, path, wrong] of [
    [ofProject, 'team/shop', 'shop'],
    [ofGroup, 'team', '']
  ] as const) {
    const { statusCode, body } = await root.post(`${url}/deletion`, { full_path: wrong })

    t.same([statusCode, problemsOf(body)], [400, [`Enter the path ${path} to confirm.`]])
    t.match(body, /<details open>/)
    t.hasStrict(await root.post(`${url}/deletion`, { full_path: path }), { statusCode: 303, headers: { location: '/projects' } })
    t.match((await root.get('/projects')).body, /was deleted\./)
    t.equal((await root.get(url)).statusCode, 404)
  }
  t.equal((await call('GET', `/projects/${project.id}`)).status, 404)
  t.equal((await call('GET', `/groups/${group.id}`)).status, 404)
})

t.test('maintainers change name and description, owners the rest, and others nothing', async t => {
  const world = await openSettings(t)
  const { app, call, project, group, ofProject, ofGroup, stored } = world
  const ann = await aMember(world, 'ann')
  const changes = ['path', 'transfer', 'archive', 'deletion']

  t.equal((await new Visitor(app).get(ofProject)).statusCode, 401)
  t.equal((await ann.get(ofProject)).statusCode, 404)
  await call('POST', `/projects/${project.id}/members`, { user_id: ann.id, access_level: 30 })
  t.equal((await ann.get(ofProject)).statusCode, 403)
  t.notMatch((await ann.get(`/projects/${project.id}/members`)).body, />Settings<\/a>\s*<\/nav>/)
  await call('PUT', `/projects/${project.id}/members/${ann.id}`, { access_level: 40 })
  const { body } = await ann.get(ofProject)
  t.notMatch(body, /name="visibility"|Delete…|Transfer/)
  t.equal((await ann.post(ofProject, { name: 'Store', description: '' })).statusCode, 303)
  t.equal((await ann.post(ofProject, { name: 'Store', visibility: 'internal' })).statusCode, 403)
  for (const change of changes)
    t.equal((await ann.post(`${ofProject}/${change}`, { full_path: 'team/shop', path: 'p' })).statusCode, 403, change)
  await call('POST', `/groups/${group.id}/members`, { user_id: ann.id, access_level: 40 })
  t.equal((await ann.get(ofGroup)).statusCode, 403)
  for (const change of ['path', 'transfer', 'deletion'])
    t.equal((await ann.post(`${ofGroup}/${change}`, { full_path: 'team' })).statusCode, 403, change)
  t.hasStrict(await stored('projects', project.id), { name: 'Store', path: 'shop', visibility: 'private', archived: false })
})
