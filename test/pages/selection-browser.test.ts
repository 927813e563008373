import t from 'tap'
import { openAlertedProject } from '../alerts/alerting.ts'
import { noBrowser } from '../support/browser.ts'
import { anEnvelope, anException, openProject } from '../support/factories.ts'
import { openReader } from '../support/reader.ts'

t.test('errors are selected on two pages, and resolved together', { skip: noBrowser || false }, async t => {
  const { app, project, send, untilStored, errors } = await openProject(t)

  for (let n = 1; n <= 30; n++) {
    const timestamp = new Date(Date.now() - n * 60_000).toISOString()

    await send(anEnvelope({ ...anException(`Error${n}`, 'it broke', [`f${n}`]), timestamp }))
  }
  await untilStored(30)
  const { page, open, problems } = await openReader(t, app)
  const select = (name: string) => page.getByLabel(`Select ${name}`, { exact: true })
  const selected = () => page.locator('[data-selected-count]').textContent()
  const turn = async (link: string) => {
    const current = page.url()

    await page.getByRole('link', { name: link, exact: true }).click()
    await page.waitForURL(url => url.href !== current)
    await page.locator('html.scripted').waitFor()
  }

  await open(`/projects/${project.id}/errors`)
  t.equal(await page.getByRole('button', { name: 'Resolve', exact: true }).isVisible(), false, 'nothing is selected')
  await select('Error1').check()
  await select('Error3').check()
  t.equal(await selected(), '2 selected')
  await turn('Next')
  t.equal(await selected(), '2 selected', 'those of the first page')
  await select('Error30').check()
  await select('Error29').check()
  await select('Error29').uncheck()
  t.equal(await selected(), '3 selected on 2 pages')
  await turn('Previous')
  t.equal(await select('Error3').isChecked(), true)
  t.equal(await select('Error2').isChecked(), false)
  t.equal(await selected(), '3 selected on 2 pages')
  await page.reload()
  t.equal(await select('Error3').isChecked(), true)

  await page.getByRole('button', { name: 'Resolve', exact: true }).click()
  await page.getByText('3 errors were resolved.').waitFor()
  t.same((await errors('?status=resolved')).map(({ name }: { name: string }) => name).toSorted(), ['Error1', 'Error3', 'Error30'])
  t.equal(await page.locator('[data-bulk]').isVisible(), false, 'what was sent is no longer selected')

  await open(`/projects/${project.id}/errors`)
  await page.getByLabel('All on this page').check()
  t.equal(await selected(), '25 selected')
  await open(`/projects/${project.id}/errors?query=is%3Aresolved`)
  t.equal(await page.locator('[data-bulk]').isVisible(), false, 'another search has a selection of its own')
  await open(`/projects/${project.id}/errors`)
  t.equal(await selected(), '25 selected')
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  t.equal(await page.locator('[data-select]:checked').count(), 0)
  t.equal(await page.locator('[data-bulk]').isVisible(), false)
  t.same(problems, [])
})

t.test('alerts of two pages are acknowledged together, and at most 500 are selected', { skip: noBrowser || false }, async t => {
  const { app, send, alerts } = await openAlertedProject(t)

  for (let n = 1; n <= 26; n++) await send({ title: `Alert ${n}`, fingerprint: String(n) })
  const { page, open, problems } = await openReader(t, app)

  await open('/alerts')
  await page.getByLabel('Select Alert 26', { exact: true }).check()
  await page.getByRole('link', { name: 'Next', exact: true }).click()
  await page.getByLabel('Select Alert 1', { exact: true }).check()
  t.equal(await page.locator('[data-selected-count]').textContent(), '2 selected on 2 pages')
  await page.getByRole('button', { name: 'Acknowledge', exact: true }).click()
  await page.getByText('2 alerts were acknowledged.').waitFor()
  t.same(
    (await alerts()).filter(({ status }) => status === 'acknowledged').map(({ title }) => title),
    ['Alert 1', 'Alert 26']
  )

  await open('/alerts')
  await page.getByLabel('All on this page').check()
  await page.evaluate(`{
    const { key } = JSON.parse(sessionStorage.getItem('selection'))
    const pages = Object.fromEntries(Array.from({ length: 499 }, (_, n) => [n + 10_000, String(n % 20)]))

    sessionStorage.setItem('selection', JSON.stringify({ key, pages }))
  }`)
  await page.reload()
  t.equal(await page.locator('[data-selected-count]').textContent(), '499 selected on 20 pages')
  await page.getByLabel('All on this page').click()
  t.equal(await page.locator('[data-selected-count]').textContent(), '500 selected on 21 pages, the maximum')
  t.equal(await page.locator('[data-select]:checked').count(), 1)
  t.same(problems, [])
})
