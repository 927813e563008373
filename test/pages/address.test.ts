import t, { type Test } from 'tap'
import { openApp } from '../support/world.ts'
import { Visitor } from './visitor.ts'

const path = '/admin/settings/address'

/** An admin whose browser has the page open at https://tocsin.example, behind a proxy that forwards nothing but the host. */
async function openAdmin(t: Test, env: Record<string, string> = { BASE_URL: '' }) {
  const world = await openApp(t, { env, isPrivate: true })
  const root = new Visitor(world.app)

  await root.signIn()
  root.headers = { ...root.headers, host: 'tocsin.example' }
  await root.get(path)

  return { ...world, root }
}

t.test('the address of the browser is proposed, and everything uses what is saved', async t => {
  const { app, root, call, config } = await openAdmin(t)

  t.match(
    (await root.get(path)).body,
    /links lead to <strong>http:\/\/localhost:3000<[\s\S]+value="https:\/\/tocsin\.example"[\s\S]+OAuth issuer/
  )
  const document = (await app.inject('/api/v4/openapi.json')).json()
  const saved = await root.post(path, { base_url: 'https://tocsin.example/' })

  t.equal(saved.headers.location, path)
  t.match([saved.headers['set-cookie']].flat().join('\n'), /__Host-_service_session=[^\n]+Secure/, 'the session continues')
  t.match((await root.get(path)).body, /Address saved[\s\S]+value="https:\/\/tocsin\.example"/)
  t.equal(config.baseUrl, 'https://tocsin.example')
  t.equal(config.isSecure, true)

  const { headers } = await app.inject('/users/sign_in')
  t.equal(headers['strict-transport-security'], 'max-age=31536000')
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  t.equal(project.web_url, 'https://tocsin.example/root/shop')
  t.equal((await app.inject('/.well-known/openid-configuration')).json().issuer, 'https://tocsin.example')
  t.notSame((await app.inject('/api/v4/openapi.json')).json().servers, document.servers)
  t.equal(root.cookies['__Host-_service_session'], root.cookies._service_session)
})

t.test('an address that leads elsewhere takes a second click, and what is none is refused', async t => {
  const { root, config } = await openAdmin(t)

  for (const wrong of [
    'tocsin.example',
    'ftp://tocsin.example',
    'https://a:b@tocsin.example',
    'https://tocsin.example/?x',
    'https://',
    `https://${'a'.repeat(300)}`
  ]) {
    const { statusCode, body } = await root.post(path, { base_url: wrong })

    t.equal(statusCode, 400, wrong)
    t.match(body, /class="error"/, wrong)
    t.match(body, `value="${wrong.replaceAll('&', '&amp;')}"`, 'it is kept')
  }
  const asked = await root.post(path, { base_url: 'https://other.example' })
  t.equal(asked.statusCode, 400)
  t.match(asked.body, /You opened this page at https:\/\/tocsin\.example[\s\S]+name="is_sure"/)
  t.equal(config.baseUrl, 'http://localhost:3000')
  const moved = await root.post(path, { base_url: 'https://other.example', is_sure: 'true' })
  t.match(moved.body, /The address is now <strong>https:\/\/other\.example<[\s\S]+BASE_URL/)
  t.equal(config.baseUrl, 'https://other.example')
})

t.test('a changed address is recorded once, and an empty one is that of the process again', async t => {
  const { root, call, config } = await openAdmin(t)

  for (const _ of [1, 2]) await root.post(path, { base_url: 'https://tocsin.example' })
  const { body } = await call('GET', '/audit_events')
  t.equal(body.filter(({ event_name: name }: { event_name: string }) => name === 'instance_settings_updated').length, 1)
  await root.post(path, { base_url: '', is_sure: 'true' })
  t.equal(config.baseUrl, 'http://localhost:3000')
  t.equal(config.isSecure, false)
})

t.test('the environment wins; the page names its variable, and warns of another address in the browser', async t => {
  const { app, root, call, config, platform } = await openAdmin(t, { BASE_URL: 'http://given.example' })
  const { body } = await root.get(path)

  t.match(
    body,
    /You opened this page at <strong>https:\/\/tocsin\.example[\s\S]+http:\/\/given\.example[\s\S]+<code>BASE_URL<\/code> sets it/
  )
  t.notMatch(body, /name="base_url"/)
  t.equal((await root.post(path, { base_url: 'https://tocsin.example' })).statusCode, 400)
  await platform.pool.query(`UPDATE instance_settings SET base_url = 'https://stored.example'`)
  await platform.storedConfig.load()
  t.equal(config.baseUrl, 'http://given.example')
  await call('POST', '/users', { username: 'dev', name: 'Dev', email: 'dev@example.com', password: 'correct horse' })
  const user = new Visitor(app)
  await user.signIn({ login: 'dev', password: 'correct horse' })
  t.equal((await user.get(path)).statusCode, 403)
  t.equal((await user.post(path, { base_url: 'https://tocsin.example' })).statusCode, 403)
})

t.test('who opens the sign-in page over HTTP is led to the address with HTTPS', async t => {
  const { app } = await openApp(t, { env: { BASE_URL: 'https://tocsin.example' } })
  const page = async (headers: Record<string, string>) =>
    (await app.inject({ url: '/users/sign_in', headers: { host: 'tocsin.example', ...headers } })).body

  t.match(await page({}), /only over HTTPS: <a href="https:\/\/tocsin\.example">/)
  for (const isSecure of [{ 'sec-fetch-site': 'none' }, { 'x-forwarded-proto': 'https' }] as Record<string, string>[])
    t.notMatch(await page(isSecure), 'only over HTTPS')
})
