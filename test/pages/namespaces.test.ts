import t from 'tap'
import { openApp } from '../support/world.ts'
import { Visitor } from './visitor.ts'

t.test('every web_url of the API is a page', async t => {
  const { app, call, config } = await openApp(t)
  const visitor = new Visitor(app)
  const { body: group } = await call('POST', '/groups', { name: 'Team', path: 'team', visibility: 'private' })
  const { body: subgroup } = await call('POST', '/groups', { name: 'Web', path: 'web', parent_id: group.id })
  const { body: project } = await call('POST', '/projects', { name: 'Shop', namespace_id: subgroup.id })
  const { body: issue } = await call('POST', `/projects/${project.id}/issues`, { title: 'Checkout is down', issue_type: 'incident' })
  const { body: user } = await call('GET', '/user')
  const pathOf = (url: string) => url.slice(config.baseUrl.length)

  t.equal((await visitor.get(pathOf(project.web_url))).statusCode, 404, 'strangers do not see a private project')
  t.equal((await visitor.get(pathOf(group.web_url))).statusCode, 404)
  await visitor.signIn()
  t.hasStrict(await visitor.get(pathOf(project.web_url)), { statusCode: 302, headers: { location: `/projects/${project.id}` } })
  t.match(await visitor.get(pathOf(group.web_url)), { statusCode: 200, body: /<h1>Team</ })
  for (const url of [subgroup.web_url, project.namespace.web_url]) {
    t.match(await visitor.get(pathOf(url)), { statusCode: 200, body: new RegExp(`<h1>Web<[\\s\\S]+/projects/${project.id}"`) }, url)
  }
  t.match(await visitor.get(pathOf(user.web_url)), { statusCode: 200, body: /<h1>Administrator<[\s\S]+@root/ })
  t.match(await visitor.get(pathOf(issue.web_url)), { statusCode: 200, body: /Checkout is down/ })

  await call('PUT', `/projects/${project.id}`, { path: 'store' })
  t.hasStrict(
    await visitor.get(pathOf(project.web_url)),
    { statusCode: 302, headers: { location: `/projects/${project.id}` } },
    'a former path, too'
  )
  t.equal((await visitor.get('/team/web/none')).statusCode, 404)
  t.equal((await visitor.get('/%3Cb%3E')).statusCode, 404)
})

t.test('a private profile shows others its name only', async t => {
  const { app, call } = await openApp(t)
  const password = 'a password of ada'
  const visitor = new Visitor(app)

  await call('POST', '/users', { username: 'ada', name: 'Ada', email: 'ada@example.com', password, bio: 'Counts.', private_profile: true })
  await call('POST', '/users', { username: 'bob', name: 'Bob', email: 'bob@example.com', password, bio: 'Builds.' })
  await visitor.signIn({ login: 'bob', password })
  await visitor.post('/users/password', { password: 'another one of bob', again: 'another one of bob' })
  const { body } = await visitor.get('/ada')
  t.match(body, /<h1>Ada</)
  t.notMatch(body, /Counts/)
  t.match((await visitor.get('/bob')).body, /Builds[\s\S]+Edit your profile/)
})
