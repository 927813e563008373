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
  for (const accept of ['*/*', 'image/avif,*/*', ''])
    t.match(
      await app.inject({ url: pathOf(project.web_url), headers: { accept } }),
      { statusCode: 404, body: /<a href="\/users\/sign_in\?return_to=/ },
      accept
    )
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

t.test('a web_url is a page for every client that does not ask for JSON', async t => {
  const { app, call } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'Shop', visibility: 'public' })
  const { body: issue } = await call('POST', `/projects/${project.id}/issues`, { title: 'Down' })
  const ask = async (url: string, headers: Record<string, string>) => {
    const { statusCode, headers: answered } = await app.inject({ url: new URL(url).pathname, headers })

    return [statusCode, /json/.test(String(answered['content-type']))]
  }

  for (const headers of [{}, { accept: '*/*' }, { accept: 'text/*;q=0.5, */*;q=0.1' }, { accept: 'text/html' }] as Record<
    string,
    string
  >[]) {
    t.same(await ask(project.web_url, headers), [302, false], String(headers.accept))
    t.same(await ask(issue.web_url, headers), [401, false], 'a sign-in page, as for a browser')
    t.same(await ask(issue.author.web_url, headers), [200, false])
  }
  t.same(await ask(project.web_url, { accept: 'application/json' }), [404, true])
  t.same(await ask('http://tocsin.test/no/such', { accept: '*/*' }), [404, false], 'whether there is such a project or not')
  for (const route of ['api/v4/no/such', 'files/no/such', 'such'])
    t.same(await ask(`http://tocsin.test/${route}`, { accept: '*/*' }), [404, true], 'an unknown route')
})

t.test('a visitor who is not signed in is led from what is not found to signing in, and back', async t => {
  const { app, call } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'Shop', visibility: 'private' })
  const visitor = new Visitor(app)
  const { pathname } = new URL(project.web_url)
  const link = `href="/users/sign_in?return_to=${encodeURIComponent(pathname)}"`

  t.equal((await visitor.get(pathname)).statusCode, 404)
  t.ok((await visitor.get(pathname)).body.includes(link))
  t.ok((await visitor.get('/no/such')).body.includes('href="/users/sign_in?return_to=%2Fno%2Fsuch"'), 'whether it exists or not')
  t.equal((await visitor.signIn({ return_to: pathname })).headers.location, pathname)
  t.notMatch((await visitor.get('/no/such')).body, /sign_in/)
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
