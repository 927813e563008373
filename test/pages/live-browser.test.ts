import t from 'tap'
import { openAlertedProject } from '../alerts/alerting.ts'
import { accessibilityProblems } from '../support/axe.ts'
import { noBrowser } from '../support/browser.ts'
import { anEnvelope, anException, openProject } from '../support/factories.ts'
import { openReader } from '../support/reader.ts'
import { openApp } from '../support/world.ts'
import { oneStep } from '../tasks/one-step.ts'
import { someErrors } from '../tasks/some-errors.ts'
import { picture } from './look.ts'

const skip = noBrowser || false
/** Longer than an event takes on a busy machine, and shorter than any page waits before it asks by itself. */
const told = { timeout: 15_000 }

t.test('new alerts are announced above the list, which shows them when the reader wants to see them', { skip }, async t => {
  const { app, project, send, call } = await openAlertedProject(t)
  const { page, problems, open } = await openReader(t, app)
  const rows = () => page.locator('[data-row] .title').allTextContents()
  const news = page.locator('.news button')

  await send({ title: 'Disk full', fingerprint: 'a' })
  const isListening = page.waitForResponse(response => response.url().includes('/-/live'))
  await open(`/projects/${project.id}/alerts`)
  await isListening
  await page.locator('[data-select]').check()
  t.equal(await news.isVisible(), false)
  const top = await page.locator('#alerts').boundingBox()

  await send({ title: 'Memory full', fingerprint: 'b' })
  await page.getByRole('button', { name: '1 new alert · Show' }).waitFor(told)
  t.same(await rows(), ['Disk full'])
  t.same(await page.locator('#alerts').boundingBox(), top, 'nothing has moved')
  await page.getByText('Open 2').waitFor(told)
  await send({ title: 'Disk full', fingerprint: 'a' })
  await send({ title: 'CPU busy', fingerprint: 'c' })
  await page.getByRole('button', { name: '2 new alerts · Show' }).waitFor(told)
  await page.locator('[data-row]', { hasText: '2 occurrences' }).waitFor(told)
  t.same(await rows(), ['Disk full'], 'its figures are new, its place is not')
  t.equal(await page.locator('[data-select]:checked').count(), 1)
  t.equal(await page.locator('.news').getAttribute('aria-live'), 'polite')
  t.same(await accessibilityProblems(page), [])
  await picture(page, 'new-alerts')

  await news.focus()
  await page.keyboard.press('Enter')
  await page.locator('[data-row]').nth(2).waitFor()
  t.same((await rows()).sort(), ['CPU busy', 'Disk full', 'Memory full'])
  t.equal(await news.isVisible(), false)
  t.same(await page.locator('[data-select]:checked').evaluateAll(boxes => boxes.map(box => box.getAttribute('aria-label'))), [
    'Select Disk full'
  ])
  t.equal(await page.evaluate(`document.activeElement.closest('[data-row]') !== null`), true, 'the focus is in the list')

  await call('PUT', `/projects/${project.id}/alert_management_alerts/2`, { status: 'resolved' })
  await page.getByRole('button', { name: 'List changed · Show' }).waitFor(told)
  t.equal((await rows()).length, 3)
  await news.click()
  await page.getByText('Memory full').waitFor({ state: 'detached' })
  t.same(problems, [])
})

t.test('the page of an alert follows what others do with it, and keeps what is being written', { skip }, async t => {
  const { app, project, send, call } = await openAlertedProject(t)
  const { page, problems, browser, address, open } = await openReader(t, app)
  const path = `/projects/${project.id}/alerts/1`

  await send({ title: 'Disk full', fingerprint: 'a' })
  await open(path)
  const other = await (await browser.newContext({ storageState: await page.context().storageState() })).newPage()
  await other.goto(address + path)
  await page.getByLabel('Add a comment').fill('I am looking')
  await other.getByRole('button', { name: 'Acknowledge', exact: true }).click()
  await other.locator('.alert-title .acknowledged').waitFor()
  await page.locator('.alert-title .acknowledged').waitFor(told)

  await call('POST', `/projects/${project.id}/alert_management_alerts/1/notes`, { body: 'It was **the log**.' })
  await page.locator('.comment strong', { hasText: 'the log' }).waitFor(told)
  t.equal(await page.getByLabel('Add a comment').inputValue(), 'I am looking')
  t.same(problems, [])
})

t.test('an empty list of errors fills, an error counts its events', { skip }, async t => {
  const { app, project, send } = await openProject(t)
  const { page, problems, open } = await openReader(t, app)

  await open(`/projects/${project.id}/errors`)
  await page.getByText('No errors match').waitFor()
  await send(anEnvelope(anException('Broken')))
  await page.getByRole('link', { name: 'Broken' }).waitFor(told)
  await send(anEnvelope(anException('Worse', 'very', ['other'])))
  await page.getByRole('button', { name: '1 new error · Show' }).waitFor(told)
  await page.getByRole('link', { name: 'Broken' }).click()
  await page.locator('#error', { hasText: '1 event' }).waitFor()
  await send(anEnvelope(anException('Broken')))
  await page.locator('#error', { hasText: '2 events' }).waitFor(told)

  t.same(problems, [])
})

t.test('an incident shows a comment, and its list a new one, as they come', { skip }, async t => {
  const { app, call } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const issues = `/projects/${project.id}/issues`
  await call('POST', issues, { title: 'Slow', issue_type: 'incident' })
  const { page, problems, open } = await openReader(t, app)

  await open(`/projects/${project.id}/incidents/1`)
  await call('POST', `${issues}/1/notes`, { body: 'The cache is cold.' })
  await page.getByText('The cache is cold.').waitFor(told)
  await open(`/projects/${project.id}/incidents`)
  await call('POST', issues, { title: 'Down', issue_type: 'incident' })
  await page.getByRole('button', { name: '1 new incident · Show' }).click(told)
  await page.getByText('Down').waitFor()
  t.same(problems, [])
})

t.test('where events are cut off, pages ask by themselves', { skip }, async t => {
  const { app, project, send } = await openAlertedProject(t)
  const { page, open } = await openReader(t, app)

  await send({ title: 'Disk full', fingerprint: 'a' })
  await page.route('**/-/live*', route => route.fulfill({ status: 503, body: '' }))
  await page.clock.install()
  await open(`/projects/${project.id}/alerts`)
  await send({ title: 'Memory full', fingerprint: 'b' })
  await page.clock.fastForward(31_000)
  await page.getByRole('button', { name: '1 new alert · Show' }).waitFor()
})

t.test('the bar of a task moves while it is looked at, and says when it has finished', { skip }, async t => {
  const { app, project, bulk, platform, work, task } = await someErrors(t, 300)
  const { page, problems, open } = await openReader(t, app)
  const bar = page.getByRole('progressbar', { name: 'Resolving errors' })

  const isListening = page.waitForResponse(response => response.url().includes('/-/live'))
  await open(`/projects/${project.id}/errors`)
  await isListening
  await bulk({ change: 'resolve' })
  await page.getByText('Waiting for a worker').waitFor(told)
  t.equal(await bar.getAttribute('value'), null, 'it shows that something goes on')

  await oneStep(t, platform, await task())
  await page.getByText('0 of 300').waitFor(told)
  t.same(await accessibilityProblems(page), [])
  await picture(page, 'task')
  await work('maintenance')
  await page.getByText('300 in total').waitFor(told)
  t.equal(await bar.count(), 0)
  t.same(problems, [])
})
