import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import t from 'tap'
import { parse } from 'yaml'
import { accessibilityProblems } from '../support/axe.ts'
import { noBrowser, openBrowser } from '../support/browser.ts'
import { openApp, rootPassword } from '../support/world.ts'
import { Visitor } from './visitor.ts'

const pictures = process.env.PICTURES
const run = promisify(execFile)

const sample = {
  check: { name: 'shop.example.com', id: 'c-17', state: 'down', tags: ['eu', 'web'] },
  region: 'eu-central',
  recovered_at: null,
  details: { message: 'Connection refused', 'http.status': 0, attempts: [{ at: '2026-11-21T10:00:00Z', node: 'fra-1' }] }
}

t.test('an integration is created, connected, mapped and tested in a browser', { skip: noBrowser || false }, async t => {
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const { app, call, work, platform } = await openApp(t, { env: { BASE_URL: address } })
  const { body: project } = await call('POST', '/projects', { name: 'Web shop' })

  await app.listen({ port, host: '127.0.0.1' })
  await work('alerts')
  const page = await (await openBrowser(t)).newPage({ viewport: { width: 1280, height: 800 } })
  const problems: string[] = []
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const follow = (name: string) => page.getByRole('link', { name, exact: true }).click()
  const collected = async (name: string) => {
    await picture(page, name)
    t.same(await accessibilityProblems(page), [], `${name} is accessible`)
    t.ok(await fitsPhone(page), `${name} fits a phone`)
  }

  page.on('console', message => message.type() === 'error' && !/40[01]/.test(message.text()) && problems.push(message.text()))
  await page.goto(`${address}/projects`)
  await page.getByLabel('Username or e-mail').fill('root')
  await page.getByLabel('Password').fill(rootPassword)
  await press('Sign in')
  await collected('projects')
  await follow('Web shop')
  await follow('Integrations')
  await collected('integrations-empty')
  await follow('New integration')
  await collected('integration-choice')
  await follow('Choose HTTP endpoint')
  await page.getByLabel('Name').fill('Uptime checks')
  await collected('integration-new')
  await press('Create integration')
  const key = await page.getByLabel('Your authorization key').inputValue()
  t.match(key, /^[0-9a-f]{32}$/)
  await collected('integration-connect-new')
  await page.getByText('Waiting for the first alert…').waitFor()
  await follow('curl')
  await page.getByRole('heading', { name: 'curl' }).waitFor()

  const url = `${address}/${project.path_with_namespace}/alerts/notify.json`
  t.equal(await printed(page, 'URL'), url)
  t.equal(await page.getByLabel('Your authorization key').inputValue(), key, 'the key stays filled in')
  for (const [block, answer] of [
    ['Open an alert', [{ iid: 1, title: 'Disk is almost full' }]],
    ['Resolve it', [{ iid: 1, title: 'Disk is almost full' }]]
  ] as const) {
    const { stdout } = await run('sh', ['-c', await printed(page, block)])
    t.same(JSON.parse(stdout), answer, `the recipe works as printed: ${block}`)
  }
  const { rows } = await platform.pool.query('SELECT status FROM alerts')
  t.same(rows, [{ status: 'resolved' }])
  await page.locator('#first-alert a', { hasText: 'Disk is almost full' }).waitFor()
  await press('Send a test alert')
  await page.getByText('A test alert is on its way.').waitFor()
  await page.locator('#first-alert a', { hasText: 'A test alert' }).waitFor()
  await collected('integration-connect-tool')
  await follow('All tools')
  await follow('Alertmanager')
  await page.getByRole('heading', { name: 'Alertmanager' }).waitFor()
  t.hasStrict(parse(await printed(page, 'alertmanager.yml')).receivers[0].webhook_configs[0], {
    url,
    http_config: { authorization: { type: 'Bearer', credentials: key } }
  })

  await page.context().clearCookies({ name: '_integration_key' })
  await page.goto(page.url().replace(/alertmanager$/, 'curl'))
  t.match(await printed(page, 'Open an alert'), /Bearer YOUR-KEY/)
  await page.getByLabel('Authorization key').fill('not the key')
  await press('Fill in')
  await page.getByText('This is not the key of this integration').waitFor()
  await collected('integration-connect')
  await page.getByLabel('Authorization key').fill(key)
  await press('Fill in')
  await page.getByLabel('Your authorization key').waitFor()
  t.match(await printed(page, 'Open an alert'), new RegExp(`Bearer ${key}`))

  await follow('Mapping')
  await collected('mapping-empty')
  await page.getByLabel('Sample payload').fill('{"check": ')
  await page.getByText('The sample payload is not valid.').waitFor()
  await press('Preview')
  await page.getByText('Must be JSON').waitFor()
  await collected('mapping-broken')
  await page.getByLabel('Sample payload').fill(JSON.stringify(sample, null, 2))
  await page.locator('#title-0 option', { hasText: 'check.name' }).waitFor({ state: 'attached' })
  const choose = (attribute: string, place: string, label: string) =>
    page.getByRole('group', { name: attribute, exact: true }).getByLabel(place, { exact: true }).selectOption({ label })

  await choose('Title', 'From', 'details.message: Connection refused')
  await choose('Title', 'or else from', 'check.name: shop.example.com')
  await choose('Hosts', 'From', 'check.tags: eu, web')
  await choose('Fingerprint', 'From', 'check.id: c-17')
  await page.locator('#preview', { hasText: 'Connection refused' }).waitFor()
  await press('Preview')
  await page.getByText('Not saved yet.').waitFor()
  await page.locator('#preview', { hasText: 'Opens an alert' }).waitFor()
  await press('Save mapping')
  await page.getByText('The mapping is saved.').waitFor()
  await collected('mapping')
  const [integration] = (await call('GET', `/projects/${project.id}/alert_integrations`)).body
  t.same(integration.payload_attribute_mappings, {
    title: [
      ['details', 'message'],
      ['check', 'name']
    ],
    hosts: [['check', 'tags']],
    fingerprint: [['check', 'id']]
  })

  await follow('Test')
  await press('Send test alert')
  await page.getByText('Response: 200').waitFor()
  t.match(await page.getByLabel('Response body').textContent(), /"iid": 3,\s+"title": "Connection refused"/)
  await collected('test-answer')

  await page.goto(page.url().replace(/test$/, 'mapping?sample=last'))
  t.match(await page.getByLabel('Sample payload').inputValue(), /"Connection refused"/, 'the payload of the latest alert')
  await follow('Details')
  await collected('integration-details')
  await page.getByLabel('Active').uncheck()
  await press('Save')
  await page.getByText('The integration is saved.').waitFor()
  await follow('Test')
  await press('Send test alert')
  await page.getByText('Response: 403').waitFor()
  await collected('test-refused')
  await follow('Integrations')
  await collected('integrations')
  await follow('Settings')
  await follow('Alert settings')
  await page.getByLabel('Open an incident for each new alert').check()
  await page.getByLabel('Requests a minute').fill('-1')
  await press('Save')
  await page.getByText('Must be from 1').waitFor()
  await collected('alert-settings')
  await page.getByLabel('Requests a minute').fill('600')
  await press('Save')
  await page.getByText('The settings are saved.').waitFor()
  t.hasStrict(await call('GET', `/projects/${project.id}/alert_settings`), { body: { create_incidents: true, requests_per_minute: 600 } })
  t.same(problems, [], 'and the browser had nothing to complain of')
})

t.test('pages show only permitted actions and report invalid input', async t => {
  const { app, call, platform } = await openApp(t)
  const visitor = new Visitor(app)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const home = `/projects/${project.id}/alert_integrations`
  const fields = { name: 'Uptime', active: 'true' }

  t.match(await visitor.get(home), { statusCode: 401, body: /Sign in/ })
  await visitor.signIn()
  t.match(await visitor.post(`${home}/new?type=http`, { ...fields, name: ' ' }), {
    statusCode: 400,
    body: /id="name-error">Must not be empty/
  })
  t.hasStrict(await visitor.post(`${home}/new?type=http`, { ...fields, csrf_token: 'x' }), { statusCode: 403 })
  t.equal((await visitor.post(`${home}/new?type=http`, fields)).statusCode, 303)
  const link = { name: 'Pager', external_url: 'https://pager.example.com', active: 'true' }
  t.match(await visitor.post(`${home}/new?type=on_call`, link), { statusCode: 400, body: /id="active-error"[^>]*>Must be off while/ })
  const { active: _on, ...off } = link
  const made = await visitor.post(`${home}/new?type=on_call`, off)
  t.hasStrict(made, { statusCode: 303 })
  t.match(await visitor.get(made.headers.location!), { statusCode: 200, body: /value="https:\/\/pager\.example\.com"/ })
  t.equal((await visitor.get(`${made.headers.location}/connect`)).statusCode, 404)
  t.equal((await visitor.get(`${home}/99/mapping`)).statusCode, 404)

  const connected = await visitor.post(`${home}/new?type=http`, { ...fields, name: 'Pages', preset: 'pagerduty' })
  t.equal(connected.statusCode, 303)
  const connectUrl = connected.headers.location!
  t.match((await visitor.get(connectUrl)).body, /<h2>PagerDuty<\/h2>[\s\S]*Authorization: Bearer [0-9a-f]{32}/)
  t.match((await visitor.get(connectUrl)).body, /Authorization: Bearer [0-9a-f]{32}/, 'also when it is loaded again')
  t.equal((await visitor.get(`${connectUrl}/zabbix`)).statusCode, 404)
  const [plain] = (await call('GET', home)).body
  const zabbix = `${home}/${plain.id}/connect/zabbix`
  t.match((await visitor.get(zabbix)).body, /has no preset for them[\s\S]*Use the preset Zabbix/)
  for (let n = 0; n < 2; n++) t.equal((await visitor.post(`${zabbix}/preset`)).statusCode, 303)
  t.hasStrict((await call('GET', `${home}/${plain.id}`)).body, { preset: 'zabbix' })
  t.notMatch((await visitor.get(zabbix)).body, 'Use the preset')
  await call('PUT', `${home}/${plain.id}`, { preset: null })
  const [first, , pages] = (await call('GET', home)).body
  t.hasStrict(pages, { name: 'Pages', preset: 'pagerduty' })
  t.match((await visitor.get(`${home}/${pages.id}`)).body, '<option value="pagerduty" selected>PagerDuty</option>')
  t.match((await visitor.get(`${home}/${pages.id}/mapping`)).body, '<option value="pagerduty" selected>PagerDuty</option>')
  const rule = { status: [{ path: ['state'], values: { OK: 'fine' } }] }
  const saveJson = (json: string) => visitor.post(`${home}/${pages.id}/mapping/json`, { mapping_json: json })
  const invalid = await saveJson(JSON.stringify(rule))
  t.equal(invalid.statusCode, 400)
  t.match(invalid.body, /id="mapping_json-error">Status: values\.OK must be one of triggered, resolved, skipped\./)
  t.match(invalid.body, 'fine', 'the text stays in the form')
  t.match((await saveJson('[')).body, /id="mapping_json-error">Must be a JSON object/)
  t.equal((await saveJson('{"status": {"path": ["state"], "values": {"OK": "resolved"}}}')).statusCode, 303)
  t.same((await call('GET', `${home}/${pages.id}`)).body.payload_attribute_mappings, {
    status: [{ path: ['state'], values: { OK: 'resolved' } }]
  })
  t.match((await visitor.get(`${home}/${pages.id}/mapping`)).body, 'selected>rule {')
  t.equal((await saveJson('{}')).statusCode, 303)
  const ignored = JSON.stringify({ event: { event_type: 'incident.annotated' } })
  t.match(
    (await visitor.post(`${home}/${pages.id}/mapping`, { step: 'read', preset: 'pagerduty', payload_example: ignored })).body,
    'The mapping skips this payload'
  )
  const reset = await visitor.post(`${home}/${first.id}/key`)
  t.equal(reset.statusCode, 303)
  t.match((await visitor.get(reset.headers.location!)).body, /Your authorization key/)
  await visitor.get(`${home}/${first.id}`)
  t.hasStrict(await visitor.post(`${made.headers.location}/removal`), { statusCode: 303, headers: { location: home } })
  const noPath = await visitor.post(`${home}/${first.id}/mapping`, { step: 'save', payload_example: '', title: 'no path' })
  t.equal(noPath.statusCode, 400)
  t.match(noPath.body, /<legend>Title<\/legend>\s*<p class="error" id="title-error">Title: must be a list of paths or rules/)

  await platform.pool.query('UPDATE users SET is_admin = false')
  await platform.pool.query('UPDATE members SET access_level = 30')
  await platform.pool.query(`INSERT INTO namespaces (kind, name, path, full_path) VALUES ('group', 'G', 'g', 'g')`)
  await platform.pool.query(`UPDATE projects SET namespace_id = (SELECT id FROM namespaces WHERE path = 'g')`)
  t.match(await visitor.get(home), { statusCode: 200, body: /Uptime/ })
  t.notMatch((await visitor.get(home)).body, /New integration|Alert settings/)
  t.equal((await visitor.get(`${home}/${first.id}`)).statusCode, 403)
  t.match(await visitor.get(`${home}/${first.id}/test`), { statusCode: 200, body: /A test alert/ })
  t.match((await visitor.get(`${home}/${first.id}/connect/zabbix`)).body, 'A maintainer can choose it.')
  t.equal((await visitor.post(`${home}/${first.id}/connect/zabbix/preset`)).statusCode, 403)
  t.match(await visitor.post(`${home}/${first.id}/test`, { payload: '{' }), { statusCode: 200, body: /Response: 400/ })
  t.equal((await visitor.get(`/projects/${project.id}/alert_settings`)).statusCode, 403)
  await platform.pool.query('UPDATE members SET access_level = 20')
  t.equal((await visitor.get(home)).statusCode, 403)
})

async function printed(page: Page, block: string) {
  return (await page.getByLabel(block, { exact: true }).first().textContent()) ?? ''
}

/** Nothing is wider than a phone, and everything is accessible on it. */
async function fitsPhone(page: Page) {
  const before = page.viewportSize()!

  await page.setViewportSize({ width: 390, height: 800 })
  const isFitting = await page.evaluate('document.documentElement.scrollWidth <= 390')
  const problems = await accessibilityProblems(page)
  await page.setViewportSize(before)

  return isFitting && problems.length === 0
}

/** As people see it: on a phone and on a desk, by day and by night. */
async function picture(page: Page, name: string) {
  if (!pictures) return
  mkdirSync(pictures, { recursive: true })
  for (const width of [390, 1280]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: `${pictures}/${name}-${width}-${colorScheme}.png`, fullPage: true })
    }
  }
}

function freePort() {
  return new Promise<number>(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }

      server.close(() => resolve(port))
    })
  })
}
