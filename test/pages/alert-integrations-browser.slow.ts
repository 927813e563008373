import { execFile } from 'node:child_process'
import { createServer } from 'node:net'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import t from 'tap'
import { parse } from 'yaml'
import { noBrowser, openBrowser } from '../support/browser.ts'
import { openApp, rootPassword } from '../support/world.ts'
import { look } from './look.ts'

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

  page.on('console', message => message.type() === 'error' && !/40[01]/.test(message.text()) && problems.push(message.text()))
  await page.goto(`${address}/projects`)
  await page.getByLabel('Username or e-mail').fill('root')
  await page.getByLabel('Password').fill(rootPassword)
  await press('Sign in')
  await look(t, page, 'projects')
  await follow('Web shop')
  await follow('Integrations')
  await look(t, page, 'integrations-empty')
  await follow('New integration')
  await look(t, page, 'integration-choice')
  await page.getByRole('link', { name: /^Webhook/ }).click()
  await page.getByLabel('Name').fill('Uptime checks')
  await look(t, page, 'integration-new')
  await press('Create integration')
  const key = await page.getByLabel('Your authorization key').inputValue()
  t.match(key, /^[0-9a-f]{32}$/)
  await look(t, page, 'integration-connect-new')
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
  await look(t, page, 'integration-connect-tool')
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
  await look(t, page, 'integration-connect')
  await page.getByLabel('Authorization key').fill(key)
  await press('Fill in')
  await page.getByLabel('Your authorization key').waitFor()
  t.match(await printed(page, 'Open an alert'), new RegExp(`Bearer ${key}`))

  await follow('Mapping')
  await look(t, page, 'mapping-empty')
  await page.getByLabel('Sample payload').fill('{"check": ')
  await page.getByText('The sample payload is not valid.').waitFor()
  await press('Preview')
  await page.getByText('Must be JSON').waitFor()
  await look(t, page, 'mapping-broken')
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
  await page.getByText('Mapping saved.').waitFor()
  await look(t, page, 'mapping')
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
  await look(t, page, 'test-answer')

  await page.goto(page.url().replace(/test$/, 'mapping?sample=last'))
  t.match(await page.getByLabel('Sample payload').inputValue(), /"Connection refused"/, 'the payload of the latest alert')
  await follow('Details')
  await look(t, page, 'integration-details')
  await page.getByLabel('Active').uncheck()
  await press('Save')
  await page.getByText('Integration saved.').waitFor()
  await follow('Test')
  await press('Send test alert')
  await page.getByText('Response: 403').waitFor()
  await look(t, page, 'test-refused')
  await follow('Integrations')
  await look(t, page, 'integrations')
  await follow('Settings')
  await follow('Alert settings')
  await page.getByLabel('Open an incident for each new alert').check()
  await page.getByLabel('Requests per minute').fill('-1')
  await press('Save')
  await page.getByText('Must be from 1').waitFor()
  await look(t, page, 'alert-settings')
  await page.getByLabel('Requests per minute').fill('600')
  await press('Save')
  await page.getByText('Settings saved.').waitFor()
  t.hasStrict(await call('GET', `/projects/${project.id}/alert_settings`), { body: { create_incidents: true, requests_per_minute: 600 } })
  t.same(problems, [], 'and the browser had nothing to complain of')
})

async function printed(page: Page, block: string) {
  return (await page.getByLabel(block, { exact: true }).first().textContent()) ?? ''
}

function freePort() {
  return new Promise<number>(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }

      server.close(() => resolve(port))
    })
  })
}
