import t, { type Test } from 'tap'
import { aProject } from '../support/factories.ts'
import { rootToken } from '../support/world.ts'
import { Visitor } from './visitor.ts'

async function aMaintainer(t: Test) {
  const world = await aProject(t)
  const visitor = new Visitor(world.app)
  const url = `/projects/${world.project.id}/error_settings`

  await visitor.signIn()
  await visitor.get(url)

  return { ...world, visitor, url }
}

t.test('a maintainer sets the inbound filters of a project', async t => {
  const { visitor, url, call, path } = await aMaintainer(t)
  const saved = await visitor.post(url, {
    active: 'true',
    filter_web_crawlers: 'true',
    filtered_releases: ' shop@1.* \r\n\r\nshop@2.*',
    filtered_messages: ''
  })

  t.hasStrict(saved, { statusCode: 303, headers: { location: url } })
  t.hasStrict((await call('GET', `${path}/settings`)).body, {
    active: true,
    integrated: true,
    filter_browser_extensions: false,
    filter_web_crawlers: true,
    filter_localhost: false,
    filtered_releases: ['shop@1.*', 'shop@2.*'],
    filtered_messages: []
  })
  const { body } = await visitor.get(url)
  t.match(body, /The settings are saved/)
  t.match(body, /name="filter_web_crawlers" value="true" checked/)
  t.match(body, />shop@1\.\*\nshop@2\.\*<\/textarea>/)

  const refused = await visitor.post(url, { active: 'true', filtered_messages: 'x'.repeat(251) })
  t.match(refused, { statusCode: 400, body: /id="filtered_messages-error">Use at most 100 lines of at most 250 characters/ })
  t.same((await call('GET', `${path}/settings`)).body.filtered_releases, ['shop@1.*', 'shop@2.*'], 'nothing is changed')
})

t.test('a maintainer creates client keys and sets their allowed origins', async t => {
  const { visitor, url, call, path, key } = await aMaintainer(t)
  const keyUrl = `${url}/client_keys/${key.id}`
  const keys = async () => (await call('GET', `${path}/client_keys`)).body

  t.match((await visitor.get(url)).body, key.sentry_dsn)
  t.equal((await visitor.post(keyUrl, { name: 'web', allowed_origins: 'https://shop.test\n*.example.com', active: 'on' })).statusCode, 303)
  t.hasStrict((await keys())[0], { name: 'web', allowed_origins: ['https://shop.test', '*.example.com'], active: true })

  const refused = await visitor.post(keyUrl, { name: 'web', allowed_origins: 'shop.test/path' })
  t.match(refused, { statusCode: 400, body: /Use at most 100 lines such as https:\/\/shop\.example\.com/ })
  t.match(refused.body, />shop\.test\/path<\/textarea>/, 'the form keeps what was entered')
  t.hasStrict((await keys())[0], { active: true })

  t.equal((await visitor.post(keyUrl, { name: '', allowed_origins: '' })).statusCode, 303)
  t.hasStrict((await keys())[0], { name: null, allowed_origins: [], active: false })
  t.equal((await visitor.post(`${url}/client_keys`)).statusCode, 303)
  t.equal((await keys()).length, 2)
  t.equal((await visitor.post(`${url}/client_keys/999999`, {})).statusCode, 404)

  t.equal((await visitor.post(keyUrl, { name: 'web', active: 'on', events_per_minute: '60' })).statusCode, 303)
  t.hasStrict((await keys())[0], { events_per_minute: 60 })
  t.equal((await visitor.post(keyUrl, { name: 'web', active: 'on', events_per_minute: 'many' })).statusCode, 400)
  t.equal((await visitor.post(`${keyUrl}/deletion`)).statusCode, 303)
  t.same((await keys()).map(({ id }: { id: number }) => id).includes(key.id), false)
  t.equal((await visitor.post(`${keyUrl}/deletion`)).statusCode, 404)
})

t.test('a maintainer sets scrubbing, retention, quota and spike protection, and previews the scrubbing', async t => {
  const { visitor, url, call, path } = await aMaintainer(t)
  const settings = async () => (await call('GET', `${path}/settings`)).body
  const form = {
    scrubbing: 'true',
    scrubbed_keys: 'shoe size',
    safe_keys: '',
    keep_ip_addresses: '',
    retention_days: '7',
    events_per_minute: ''
  }
  const sample = '{"user":{"ip_address":"203.0.113.7"},"extra":{"shoe_size":"44","colour":"<b>"}}'

  const preview = await visitor.post(`${url}/data`, { ...form, sample, action: 'preview' })
  const [, shown] = /aria-label="Scrubbed event">([^<]+)</.exec(preview.body)!
  t.notMatch(shown, /203.0.113.7|44/)
  t.match(shown, /colour&#34;: &#34;&#60;b&#62;/)
  t.equal((await settings()).retention_days, null, 'a preview saves nothing')
  t.match(await visitor.post(`${url}/data`, { ...form, sample: '[1]', action: 'preview' }), {
    statusCode: 400,
    body: /This is not a JSON object/
  })

  t.equal((await visitor.post(`${url}/data`, form)).statusCode, 303)
  t.hasStrict(await settings(), {
    active: true,
    scrubbing: true,
    scrubbed_keys: ['shoe size'],
    keep_ip_addresses: false,
    retention_days: 7,
    events_per_minute: null,
    spike_protection: false
  })
  t.match(await visitor.post(`${url}/data`, { ...form, retention_days: 'x' }), {
    statusCode: 400,
    body: /Use a number of days from 1 to 3650/
  })
  t.match(await visitor.post(`${url}/data`, { ...form, retention_days: '3000' }), { statusCode: 400, body: /must be at most/i })
  t.match((await visitor.get(`${url}/data`)).body, />shoe size<\/textarea>/)
})

t.test('the error settings are for maintainers of the project', async t => {
  const { app, call, url, project, key } = await aMaintainer(t)
  const password = 'a password of ada'
  const { body: ada } = await call('POST', '/users', { username: 'ada', name: 'Ada', email: 'ada@example.com', password })
  const visitor = new Visitor(app)

  await call('POST', `/projects/${project.id}/members`, { user_id: ada.id, access_level: 30 }, rootToken)
  await visitor.signIn({ login: 'ada', password })
  await visitor.post('/users/password', { password: 'another one of ada', again: 'another one of ada' })
  await visitor.get('/-/profile')
  t.equal((await visitor.get(url)).statusCode, 403)
  for (const action of [url, `${url}/client_keys`, `${url}/client_keys/${key.id}`])
    t.equal((await visitor.post(action)).statusCode, 403, action)
})
