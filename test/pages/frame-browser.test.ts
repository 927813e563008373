import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { accessibilityProblems } from '../support/axe.ts'
import { noBrowser, openBrowser } from '../support/browser.ts'
import { anEnvelope, anException, aProject } from '../support/factories.ts'
import { eventually, rootPassword } from '../support/world.ts'

async function aReader(t: Test) {
  const world = await aProject(t)

  await world.app.listen({ port: 0, host: '127.0.0.1' })
  const address = `http://127.0.0.1:${(world.app.server.address() as AddressInfo).port}`
  const page = await (await openBrowser(t)).newPage({ viewport: { width: 390, height: 800 } })
  const complaints: string[] = []

  page.on('pageerror', error => complaints.push(error.message))
  page.on('console', message => message.type() === 'error' && !/40[014]/.test(message.text()) && complaints.push(message.text()))
  await page.goto(`${address}/-/profile`)
  await page.getByLabel('Username or e-mail').fill('root')
  await page.getByLabel('Password').fill(rootPassword)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/-/profile')

  return { ...world, address, page, complaints }
}

t.test('pages have no violations of WCAG AA, fit a phone, and are small', { skip: noBrowser || false }, async t => {
  const { call, project, send, untilStored, address, page, complaints } = await aReader(t)
  const url = `/projects/${project.id}`

  await send(anEnvelope({ release: 'shop@1.0.0', ...anException('PaymentError', 'a long message '.repeat(30)) }))
  await send(anEnvelope({ release: 'shop@2.0.0', ...anException('OtherError', 'it broke', ['other']) }))
  await untilStored(2)
  await call('POST', `${url}/issues`, { title: 'Checkout is down', issue_type: 'incident', assignee_ids: [1] })
  const paths = [
    ...['/', '/search?q=error', '/projects', '/root', '/nowhere', url],
    ...[
      'setup?platform=browser',
      'releases',
      'releases/shop%402.0.0',
      'releases/compare',
      'statistics',
      'error_settings',
      'error_settings/scrubbing',
      'error_settings/limits',
      'error_settings/tracker'
    ].map(path => `${url}/${path}`)
  ]

  for (const path of paths) {
    const response = await page.goto(address + path)

    t.ok((await response!.body()).length < 60_000, `${path} is small`)
    t.same(await accessibilityProblems(page), [], path)
    t.ok((await page.locator('html').boundingBox())!.width <= 390, `${path} fits a phone`)
    t.equal(await page.evaluate('document.documentElement.scrollWidth'), 390, `${path} does not scroll sideways`)
  }
  t.same(complaints, [], 'and the browser reports no errors, nor the CSP')
})

t.test('the switcher opens by Ctrl+K, finds while one types, and is used by keys alone', { skip: noBrowser || false }, async t => {
  const { project, address, page, complaints } = await aReader(t)

  await page.goto(address)
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('searchbox').pressSequentially(project.name)
  await page.getByRole('dialog').getByRole('link', { name: project.name }).first().waitFor()
  await eventually(async () => (await page.getByRole('dialog').getByRole('link').count()) === 1, 'only the project matches')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/projects/${project.id}/setup`)

  await page.keyboard.press('?')
  t.equal(await page.getByRole('dialog', { name: 'Keys' }).isVisible(), true)
  await page.keyboard.press('Escape')
  t.equal(await page.getByRole('dialog').count(), 0)
  t.same(complaints, [])
})

t.test('waiting for the first event turns into a link by itself', { skip: noBrowser || false }, async t => {
  const { project, address, page, send, complaints } = await aReader(t)

  await page.goto(`${address}/projects/${project.id}/setup`)
  await page.getByText('Waiting for the first event').waitFor()
  await send(anEnvelope(anException('PaymentError')))
  await page.getByRole('link', { name: 'PaymentError' }).click({ timeout: 60_000 })
  await page.waitForURL('**/errors/*')
  t.same(complaints, [])
})
