import t, { type Test } from 'tap'
import { openTracker, token } from '../errors/tracker.ts'
import { anEnvelope, openProject } from '../support/factories.ts'
import { rootToken, type WorldOptions } from '../support/world.ts'
import { Visitor } from './visitor.ts'

async function openMaintainer(t: Test, options: WorldOptions = {}) {
  const world = await openProject(t, options)
  const visitor = new Visitor(world.app)
  const url = `/projects/${world.project.id}/error_settings`

  await visitor.signIn()
  await visitor.get(url)

  return { ...world, visitor, url }
}

t.test('a maintainer sets the inbound filters of a project', async t => {
  const { visitor, url, call, path } = await openMaintainer(t)
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
  t.match(body, /Settings saved/)
  t.match(body, /name="filter_web_crawlers" value="true" checked/)
  t.match(body, />shop@1\.\*\nshop@2\.\*<\/textarea>/)

  const refused = await visitor.post(url, { active: 'true', filtered_messages: 'x'.repeat(251) })
  t.match(refused, { statusCode: 400, body: /id="filtered_messages-error">Use at most 100 lines of at most 250 characters/ })
  t.same((await call('GET', `${path}/settings`)).body.filtered_releases, ['shop@1.*', 'shop@2.*'], 'nothing is changed')
})

t.test('a maintainer creates client keys and sets their allowed origins', async t => {
  const { visitor, url, call, path, key } = await openMaintainer(t)
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

t.test('a maintainer edits the scrubbing rules and sees what they do before saving', async t => {
  const { visitor, url, call, path, send, untilStored, platform, project } = await openMaintainer(t)
  const settings = async () => (await call('GET', `${path}/settings`)).body
  const page = `${url}/scrubbing`
  const form = { scrubbing: 'true', scrubbed_keys: 'shoe size', safe_keys: 'pin', keep_ip_addresses: '' }
  const sample =
    '{"user":{"ip_address":"203.0.113.7"},"extra":{"shoe_size":"44","pin":"1234","colour":"<b>","note":"password=hunter2 is old"},"tags":[["client_ip","203.0.113.7"],["a","b"]]}'
  const preview = async (fields: object) => previewIn((await visitor.post(page, { ...form, ...fields, step: 'preview' })).body)
  const before = await settings()

  t.match(previewIn((await visitor.get(page)).body), /4 values replaced|5 values replaced/, 'an example is scrubbed with the stored rules')
  const shown = await preview({ sample })
  t.match(shown, /2 values replaced, 2 removed/)
  t.match(shown, /&#34;shoe_size&#34;: &#34;<mark>\[Filtered\]<\/mark>&#34;/)
  t.match(shown, /password=<mark>\[Filtered\]<\/mark> is old/, 'only the secret is marked')
  t.match(shown, /<del>&#34;ip_address&#34;: removed<\/del>[\s\S]+<del>&#34;client_ip&#34;: removed<\/del>/)
  t.match(shown, /&#34;pin&#34;: &#34;1234&#34;[\s\S]+&#34;colour&#34;: &#34;&#60;b&#62;&#34;/)
  t.notMatch(shown, /203.0.113.7|hunter2/)
  t.match(await preview({ sample, scrubbing: '', keep_ip_addresses: 'true' }), /0 values replaced, 0 removed/)
  for (const wrong of ['[1]', 'x', '', '{"a":', `{"a":"${'x'.repeat(200_000)}"}`])
    t.match(await preview({ sample: wrong }), /not a JSON object of at most/, wrong.slice(0, 20))
  const deep = await preview({ sample: `{"extra":${'['.repeat(50_000)}${']'.repeat(50_000)}}` })
  t.match(deep, /0 values replaced/, 'deep nesting is cut as at intake')
  t.equal((await visitor.post(page, { ...form, sample })).statusCode, 200, 'a form without a step is previewed')
  t.same(await settings(), before, 'a preview saves nothing')
  const { rows } = await platform.pool.query('SELECT count(*)::int FROM error_events WHERE project_id = $1', [project.id])
  t.same(rows, [{ count: 0 }], 'what was pasted is not stored')

  t.match((await visitor.post(page, { ...form, step: 'latest' })).body, /No events received yet/)
  await send(anEnvelope({ message: 'boom', extra: { shoe_size: 45 } }))
  await untilStored(1)
  const latest = (await visitor.post(page, { ...form, step: 'latest' })).body
  t.match(latest, /name="sample"[^>]+>[^<]+&#34;shoe_size&#34;: 45/)
  t.match(previewIn(latest), /&#34;shoe_size&#34;: &#34;<mark>\[Filtered\]/, 'the rules of the form are applied to it')

  const tooLong = await visitor.post(page, { ...form, scrubbed_keys: 'x'.repeat(101), sample, step: 'preview' })
  t.match(tooLong.body, /id="scrubbed_keys-error">Use at most 100 lines/)
  t.equal((await visitor.post(page, { ...form, safe_keys: '!', step: 'save' })).statusCode, 400)
  t.same(await settings(), before, 'a refused form changes nothing')
  for (const _ of [1, 2]) t.equal((await visitor.post(page, { ...form, step: 'save' })).statusCode, 303)
  t.hasStrict(await settings(), { ...before, scrubbed_keys: ['shoe size'], safe_keys: ['pin'], keep_ip_addresses: false })
  t.match((await visitor.get(page)).body, /Settings saved[\s\S]+>shoe size<\/textarea>/)
})

/** The preview of a page. */
function previewIn(body: string) {
  return /<section id="scrub-preview"[\s\S]+?<\/section>/.exec(body)?.[0] ?? ''
}

t.test('a maintainer sets retention, quota and spike protection', async t => {
  const { visitor, url, call, path } = await openMaintainer(t)
  const settings = async () => (await call('GET', `${path}/settings`)).body
  const before = await settings()
  const form = { retention_days: '7', events_per_minute: '', spike_protection: '' }

  t.match((await visitor.get(`${url}/limits`)).body, /name="spike_protection" value="true" checked/)
  t.equal((await visitor.post(`${url}/limits`, form)).statusCode, 303)
  t.hasStrict(await settings(), { ...before, retention_days: 7, spike_protection: false }, 'other settings stay')

  for (const [fields, message] of [
    [{ retention_days: 'x' }, /id="retention_days-error">Use a number of days from 1 to 3650/],
    [{ retention_days: '3000' }, /id="retention_days-error">Must be at most/],
    [{ events_per_minute: '1.5' }, /id="events_per_minute-error">Use a number from 1/],
    [{ events_per_minute: '0' }, /id="events_per_minute-error">Use a number from 1/]
  ] as const) {
    const refused = await visitor.post(`${url}/limits`, { ...form, ...fields })

    t.equal(refused.statusCode, 400)
    t.match(refused.body, message)
    t.match(refused.body, `value="${Object.values(fields)[0]}"`, 'the form keeps what was entered')
  }
  t.hasStrict(await settings(), { retention_days: 7, events_per_minute: null })
  const audited = await call('GET', `/projects/${path.split('/')[2]}/audit_events`)
  t.equal(audited.body[0].event_name, 'error_tracking_settings_updated')
})

t.test('a maintainer tests an external tracker, links it, and tracks errors here again', async t => {
  const { host, close } = await openTracker(t)
  const { visitor, url, call, path } = await openMaintainer(t, {
    env: { SECRET_KEY: 'a key that is made for these tests only' }
  })
  const settings = async () => (await call('GET', `${path}/settings`)).body
  const page = `${url}/tracker`
  const api_url = `${host}/api/0/projects/shop/web/`
  const test = (fields: Record<string, string>) => visitor.post(page, { ...fields, action: 'test' })
  const before = await settings()

  t.match((await visitor.get(page)).body, /Errors of this project are tracked here/)
  const answered = await test({ api_url, token })
  t.equal(answered.statusCode, 200)
  t.match(answered.body, /The tracker responded\. Nothing was saved[\s\S]+Shop \/ Web[\s\S]+\/shop\/web\//)
  t.match(answered.body, `value="${api_url}"`)
  t.notMatch(answered.body, token, 'a token is not shown again')
  t.match(await test({ api_url, token: 'wrong' }), { statusCode: 400, body: /id="token-error">Was refused by the tracker \(401\)/ })
  t.match(await test({ api_url: `${host}/nothing/`, token }), { statusCode: 400, body: /id="api_url-error">[^<]+\(404\)/ })
  t.match(await test({ api_url: '', token }), { statusCode: 400, body: /id="api_url-error">Is a required field/ })
  t.match(await test({ api_url, token, tracker_external_url: 'javascript:alert(1)' }), {
    statusCode: 400,
    body: /id="tracker_external_url-error">Use an http or https address/
  })
  t.same(await settings(), before, 'a test saves nothing')

  t.match(await visitor.post(page, { api_url: '', token: '' }), { statusCode: 400, body: /id="api_url-error">Enter the API URL/ })
  t.equal((await visitor.post(page, { api_url, token })).statusCode, 303)
  t.hasStrict(await settings(), { integrated: false, api_url, project_name: 'Shop / Web' })
  t.match(
    (await visitor.get(page)).body,
    /The tracker responded and is linked[\s\S]+tracked by <a href="[^"]+\/shop\/web\/" rel="noreferrer">Shop \/ Web</
  )
  t.match((await visitor.get(url)).body, /tracked by <a href="[^"]+\/tracker">an external tracker/)
  t.equal((await visitor.post(page, { api_url, token: '', project_name: 'Web' })).statusCode, 303, 'the stored token is kept')
  t.hasStrict(await settings(), { project_name: 'Web' })
  close()
  t.equal(
    (await visitor.post(`${url}/limits`, { spike_protection: '' })).statusCode,
    303,
    'other settings change while the tracker is away'
  )
  t.match(await visitor.post(page, { api_url, token: '' }), { statusCode: 400, body: /id="api_url-error">Cannot be reached/ })

  for (const _ of [1, 2]) t.equal((await visitor.post(`${page}/unlink`)).statusCode, 303)
  t.hasStrict(await settings(), { active: true, integrated: true, api_url: null, project_name: null })
})

t.test('the error settings are for maintainers of the project', async t => {
  const { app, call, url, project, key } = await openMaintainer(t)
  const password = 'a password of ada'
  const { body: ada } = await call('POST', '/users', { username: 'ada', name: 'Ada', email: 'ada@example.com', password })
  const visitor = new Visitor(app)

  await call('POST', `/projects/${project.id}/members`, { user_id: ada.id, access_level: 30 }, rootToken)
  await visitor.signIn({ login: 'ada', password })
  await visitor.post('/users/password', { password: 'another one of ada', again: 'another one of ada' })
  await visitor.get('/-/profile')
  for (const page of ['', '/scrubbing', '/limits', '/tracker']) t.equal((await visitor.get(url + page)).statusCode, 403, page)
  const actions = ['/scrubbing', '/limits', '/tracker', '/tracker/unlink'].map(action => url + action)
  for (const action of [url, ...actions, `${url}/client_keys`, `${url}/client_keys/${key.id}`])
    t.equal((await visitor.post(action)).statusCode, 403, action)
})
