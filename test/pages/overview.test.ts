import t from 'tap'
import { anEnvelope, anException, openProject } from '../support/factories.ts'
import { eventually, openApp } from '../support/world.ts'
import { Visitor } from './visitor.ts'

t.test('a new project is set up, and its test event turns into a link', async t => {
  const { app, call, work } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'New shop' })
  const visitor = new Visitor(app)
  const url = `/projects/${project.id}`

  await work('errors')
  await visitor.signIn()
  t.hasStrict(await visitor.get(url), { statusCode: 303, headers: { location: `${url}/setup` } })
  t.match((await visitor.get(`${url}/setup`)).body, /does not accept errors yet/)
  for (const _ of [1, 2]) t.equal((await visitor.post(`${url}/setup/start`)).statusCode, 303)
  const keys = (await call('GET', `${url}/error_tracking/client_keys`)).body
  t.equal(keys.length, 1, 'twice is once')

  const page = async (query = '') => (await visitor.get(`${url}/setup${query}`)).body
  t.match(await page(), /Waiting for the first event/)
  for (const platform of ['node', 'browser', 'react', 'vue', 'python', 'go', 'java', 'ruby', 'php', 'rust']) {
    const shown = await page(`?platform=${platform}`)

    t.match(shown, keys[0].sentry_dsn, platform)
    t.match(shown, 'First error', `${platform}: it sends a first error`)
    t.notMatch(shown, /release ?[:=]|setRelease|release\(/i, `${platform}: it names no release`)
  }
  for (const platform of ['csp', 'curl']) t.match(await page(`?platform=${platform}`), `sentry_key=${keys[0].public_key}`, platform)
  t.match(await page('?platform=browser'), /SENTRY_ORG=root SENTRY_PROJECT=new-shop/)
  t.match(await page('?platform=constructor'), /npm install @sentry\/node/, 'an unknown platform is ignored')

  t.equal((await visitor.post(`${url}/setup/test_event`)).statusCode, 303)
  const [, errorUrl] = await eventually(
    async () => /Receiving errors. Latest: <a href="([^"]+)"><strong>TestError</.exec(await page()),
    'the test event is shown'
  )
  t.match((await visitor.get(errorUrl!)).body, /This is a test event from the setup page/)
})

t.test('the overview of a project shows its errors, alerts, incidents, releases and intake', async t => {
  const { app, call, project, path, send, untilStored } = await openProject(t)
  const visitor = new Visitor(app)
  const url = `/projects/${project.id}`

  for (const n of [1, 2, 3]) await send(anEnvelope({ release: 'shop@1.0.0', ...anException('PaymentError', `card ${n}`) }))
  await untilStored(3)
  await call('POST', `${url}/issues`, { title: 'Checkout is down', issue_type: 'incident' })
  await visitor.signIn()
  const { body } = await visitor.get(url)

  t.match(body, /aria-label="Error events, 24 hours: 3. events: 0 to 3, last [0-3]"/)
  t.match(body, /aria-label="Error events, 14 days: 3. events: 0 to 3, last [0-3]"/)
  t.match(body, /Error events received[\s\S]+<dt>received<\/dt><dd>3<\/dd>[\s\S]+Nothing was dropped/)
  t.match(body, /New and regressed errors[\s\S]+PaymentError[\s\S]+3 events/)
  t.match(body, /Open incidents[\s\S]+Checkout is down/)
  t.match(body, new RegExp(`href="${url}/releases/shop%401.0.0"><strong>shop@1.0.0<`))
  t.match(path, url)
})

t.test('reporters see the incidents of the overview, and guests its name', async t => {
  const { app, call, project } = await openProject(t)
  const password = 'a password of ada'
  const { body: ada } = await call('POST', '/users', { username: 'ada', name: 'Ada', email: 'ada@example.com', password })
  const visitor = new Visitor(app)
  const url = `/projects/${project.id}`

  await call('POST', `${url}/issues`, { title: 'Checkout is down', issue_type: 'incident' })
  await call('POST', `${url}/members`, { user_id: ada.id, access_level: 10 })
  await visitor.signIn({ login: 'ada', password })
  await visitor.post('/users/password', { password: 'another one of ada', again: 'another one of ada' })
  const guest = (await visitor.get(url)).body
  t.notMatch(guest, /Checkout is down|\/errors"/)
  t.match(guest, new RegExp(`<h1>${project.name}<`))
  await call('PUT', `${url}/members/${ada.id}`, { access_level: 20 })
  const reporter = (await visitor.get(url)).body
  t.match(reporter, new RegExp(`href="${url}/incidents/1"`))
  t.notMatch(reporter, new RegExp(`${url}/(errors|alerts)"`))
})
