import t, { type Test } from 'tap'
import { openAlertedProject } from '../alerts/alerting.ts'
import { accessibilityProblems } from '../support/axe.ts'
import { noBrowser } from '../support/browser.ts'
import { openReader } from '../support/reader.ts'
import { foreignMarkup } from './xss-checks.ts'
import { payloads } from './xss-payloads.ts'

const skip = noBrowser || false

async function openListReader(t: Test) {
  const world = await openAlertedProject(t)
  const reader = await openReader(t, world.app)
  const { page } = reader

  return {
    ...world,
    ...reader,
    /** What the list does every 30 seconds, and when its tab is shown again. */
    refresh: () => page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`),
    checked: () => page.locator('[data-select]:checked').evaluateAll(boxes => boxes.map(box => box.getAttribute('aria-label')))
  }
}

t.test('alerts are selected by keys, stay selected while the list refreshes, and are acknowledged', { skip }, async t => {
  const { send, page, open, refresh, checked, problems, alerts } = await openListReader(t)

  for (let n = 1; n <= 25; n++) await send({ title: `Alert ${n}`, fingerprint: String(n) })
  await open('/alerts')
  t.equal(await page.getByRole('button', { name: 'Acknowledge' }).isVisible(), false, 'nothing is selected')
  for (const key of ['j', 'x', 'j', 'j', 'x']) await page.keyboard.press(key)
  t.same(await checked(), ['Select Alert 25', 'Select Alert 23'])
  t.equal(await page.locator('[data-selected-count]').textContent(), '2 selected')
  await page.keyboard.press('?')
  t.match(await page.locator('dialog.keys').textContent(), /aAcknowledgerResolveiIgnoremAssign/)
  await page.keyboard.press('Escape')

  await page.evaluate('scrollTo(0, 300)')
  for (let n = 26; n <= 28; n++) await send({ title: `Alert ${n}`, fingerprint: String(n) })
  await refresh()
  await page.getByRole('button', { name: '3 new alerts · Show' }).click()
  await page.getByText('Alert 28').waitFor()
  t.equal(await page.locator('[data-row]').count(), 25, 'the oldest rows made room')
  t.same(await checked(), ['Select Alert 25', 'Select Alert 23'])
  t.equal(await page.evaluate('scrollY'), 300)
  t.equal(await page.evaluate('document.activeElement.textContent'), 'Alert 28')
  t.match(await page.locator('#alert-tabs').textContent(), /Open 28/, 'the counts are refreshed, too')

  for (let n = 29; n <= 50; n++) await send({ title: `Alert ${n}`, fingerprint: String(n) })
  await refresh()
  await page.getByRole('button', { name: '22 new alerts · Show' }).click()
  await page.getByText('Alert 50').waitFor()
  t.same(await checked(), ['Select Alert 25', 'Select Alert 23'], 'also when they are no longer on the page')
  t.equal(await page.locator('[data-row][data-left]').count(), 2)

  await page.keyboard.press('a')
  await page.getByText('2 alerts were acknowledged.').waitFor()
  t.match(
    await page.evaluate('document.activeElement.textContent'),
    /^2 alerts were acknowledged\.\s+Undo\s*$/,
    'the focus is at the message'
  )
  await page.keyboard.press('j')
  t.equal(await page.evaluate("document.activeElement.closest('[data-row]') !== null"), true, 'and the keys go on in the list')
  t.same(
    (await alerts()).filter(({ status }) => status === 'acknowledged').map(({ title }) => title),
    ['Alert 23', 'Alert 25']
  )
  t.same(problems, [])
})

t.test('the lists of alerts are accessible, fit a phone and are small', { skip }, async t => {
  const { send, call, platform, page, open, project, problems } = await openListReader(t)
  const severities = ['critical', 'high', 'medium', 'low', 'info', 'unknown']

  for (let n = 0; n < 25; n++) {
    const title = n === 0 ? 'A very long title '.repeat(20) : `Alert ${n}`

    await send({
      title,
      severity: severities[n % 6],
      service: `service-${n}`,
      service_environment_name: 'production',
      fingerprint: String(n)
    })
  }
  for (const path of [`/projects/${project.id}/alerts?severity=unknown%2B`, '/alerts?status=all', '/alerts?service=none']) {
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await open(path)
      if (path === '/alerts?status=all') await page.locator('[data-select]').first().check()
      t.same(await accessibilityProblems(page), [], `${path} at ${width}`)
      t.equal(await page.evaluate('document.documentElement.scrollWidth'), width, `${path} does not scroll sideways`)
    }
  }
  await call('POST', `/projects/${project.id}/issues`, { title: 'Checkout is down', issue_type: 'incident' })
  await platform.pool.query(
    `INSERT INTO error_groups (project_id, name, description, actor, level, status, events, users, first_seen_at, last_seen_at)
     VALUES ($1, 'Error', 'boom', 'pay', 'error', 'unresolved', 1, 1, now(), now())`,
    [project.id]
  )
  for (const path of ['/alerts', '/incidents', ...['alerts', 'incidents', 'errors'].map(list => `/projects/${project.id}/${list}`)]) {
    await open(path)
    const y = Number(await page.evaluate(`document.querySelector('[data-row]').getBoundingClientRect().y`))
    t.ok(y < 300, `the first row of ${path} begins at ${y} px on a phone`)
  }
  const response = await open('/alerts')
  const body = await response.body()
  t.equal(await page.locator('[data-row]').count(), 25)
  t.ok(body.length < 60_000, `${body.length} bytes`)
  const rows = page.locator('[data-row]')
  const heights = await rows.evaluateAll(rows => rows.map(row => row.getBoundingClientRect().height))
  t.ok(Math.max(...heights) <= 125, `a row has two lines for the title and two for the rest on a phone: ${Math.max(...heights)} px`)
  t.same(problems, [])
})

t.test('no field of an alert runs in a list of alerts', { skip }, async t => {
  const { send, page, open, project, problems } = await openListReader(t)

  for (const [n, payload] of payloads.entries()) {
    const text = payload.replaceAll('\n', ' ')

    await send({
      title: `${n} ${text}`,
      description: text,
      service: text,
      monitoring_tool: text,
      hosts: [text],
      service_environment_name: text,
      fingerprint: String(n)
    })
  }
  for (const url of [
    `/projects/${project.id}/alerts`,
    '/alerts?sort=oldest',
    '/alerts?sort=severity',
    '/',
    ...payloads.slice(0, 5).map(payload => `/alerts?service=${encodeURIComponent(payload)}&search=${encodeURIComponent(payload)}`)
  ]) {
    await open(url)
    t.same(await foreignMarkup(page), [], url)
  }
  t.same(problems, [])
})
