import t from 'tap'
import { aWebhook, openAlertedProject } from '../alerts/alerting.ts'
import { noBrowser } from '../support/browser.ts'
import { openReader } from '../support/reader.ts'
import { picture } from './look.ts'

const firing = {
  status: 'firing',
  labels: { alertname: 'HighLatency', severity: 'critical', instance: 'web-3:9100', job: 'checkout', team: 'payments' },
  annotations: {
    title: 'Checkout is slow: p95 above 2 s',
    description: 'The 95th percentile of the checkout has been above 2 s for five minutes. See https://wiki.example.com/checkout.',
    runbook_url: 'https://wiki.example.com/runbooks/high-latency',
    impact: `Customers wait. ${'They leave the shop before they pay. '.repeat(12)}`
  },
  startsAt: new Date(Date.now() - 2 * 3_600_000).toISOString(),
  endsAt: '0001-01-01T00:00:00Z',
  generatorURL: 'https://prometheus.example.com/graph?g0.expr=histogram_quantile%280.95%2C+rate%28latency%5B5m%5D%29%29+%3E+2&g0.tab=1',
  dashboardURL: 'https://grafana.example.com/d/k2h1',
  panelURL: 'https://grafana.example.com/d/k2h1?viewPanel=4',
  silenceURL: 'https://grafana.example.com/alerting/silence/new',
  fingerprint: 'c0ffee0123456789',
  values: { B: 2.41, C: 1 }
}

t.test('an alert is read, acknowledged, assigned and resolved in a browser', { skip: noBrowser }, async t => {
  const { app, send, project, call } = await openAlertedProject(t, { integration: { kind: 'prometheus', name: 'Alertmanager' } })
  const { body: ann } = await call('POST', '/users', {
    email: 'ann@example.com',
    username: 'ann',
    name: 'Ann Example',
    password: 'a password of ann',
    skip_confirmation: true
  })

  await call('POST', `/projects/${project.id}/members`, { user_id: ann.id, access_level: 30 })
  const startsAt = new Date(Date.now() - 26 * 3_600_000).toISOString()
  const earlier = { ...firing, startsAt }
  await send(aWebhook([earlier]))
  await send(aWebhook([{ ...earlier, status: 'resolved', endsAt: new Date(Date.now() - 25 * 3_600_000).toISOString() }]))
  await send(aWebhook([firing]))
  await send(aWebhook([firing]))
  await send(aWebhook([{ ...firing, fingerprint: 'ab12', labels: { alertname: 'QueueGrows', severity: 'warning' }, annotations: {} }]))
  const { page, problems, open } = await openReader(t, app, { path: `/projects/${project.id}/alerts/2` })
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const openMenu = () => page.locator('.alert-head .dropdown > summary').click()

  await page.getByRole('heading', { name: 'Checkout is slow: p95 above 2 s' }).waitFor()
  t.match(await page.locator('.alert-head').textContent(), 'firing for 2 h')
  for (const [name, url] of [
    ['Runbook', firing.annotations.runbook_url],
    ['Dashboard', firing.dashboardURL],
    ['Panel', firing.panelURL],
    ['Source', firing.generatorURL],
    ['Silence', firing.silenceURL]
  ] as const) {
    const link = page.getByRole('link', { name, exact: true })

    t.equal(await link.getAttribute('href'), url)
    t.match(await link.getAttribute('rel'), 'noopener')
  }
  for (const [name, value] of [
    ['instance', 'web-3:9100'],
    ['team', 'payments'],
    ['values.B', '2.41']
  ] as const)
    t.equal(
      await page
        .locator('.pairs div', { has: page.getByText(name, { exact: true }) })
        .locator('dd')
        .textContent(),
      value
    )
  t.match(await page.locator('.related').first().textContent(), /resolved.*lasted 1 h/s, 'the earlier alert and how it ended')
  t.match(await page.locator('.related').nth(1).textContent(), /QueueGrows/, 'what else fired')
  await picture(page, 'alert')

  await page.keyboard.press('c')
  await page.locator('.alert-title .acknowledged').waitFor()
  await page.getByText('acknowledged by @root').waitFor()
  await openMenu()
  await page.getByLabel('Name or username of a member').fill('exam')
  await press('Assign')
  await page.locator('.alert-head > .hint', { hasText: 'assigned to @ann' }).waitFor()
  await openMenu()
  await press('Assign to me')
  await page.locator('.alert-head > .hint', { hasText: 'assigned to @root @ann' }).waitFor()
  await openMenu()
  await page.getByRole('button', { name: 'Unassign @ann' }).click()
  await page.locator('.alert-head > .hint', { hasText: 'assigned to @root' }).waitFor()
  await openMenu()
  await page.getByLabel('Name or username of a member').fill('a')
  await press('Assign')
  await page.getByText('Choose one:').waitFor()
  await page.getByRole('button', { name: 'Assign @ann' }).click()
  await page.locator('.alert-head > .hint', { hasText: 'assigned to @root @ann' }).waitFor()
  await openMenu()
  await page.getByLabel('Name or username of a member').fill('zoe')
  await press('Assign')
  await page.getByText('No member of this project matches “zoe”.').waitFor()
  await page.getByLabel('Add a comment').fill('It is the **cache** again.')
  await press('Comment')
  await page.locator('.comment strong', { hasText: 'cache' }).waitFor()
  await page.getByText('Show the payload').click()
  await picture(page, 'alert-acknowledged')
  await open(`/projects/${project.id}/alerts/2`)
  await press('Resolve')
  await page.locator('.alert-head').getByText('fired for 2 h').waitFor()
  t.same(problems, [])
})
