import t, { type Test } from 'tap'
import { accessibilityProblems } from '../support/axe.ts'
import { noBrowser } from '../support/browser.ts'
import { anEnvelope, anException, aProject } from '../support/factories.ts'
import { aReader } from '../support/reader.ts'
import { eventually } from '../support/world.ts'

async function aPhoneReader(t: Test) {
  const world = await aProject(t)

  return { ...world, ...(await aReader(t, world.app, { width: 390 })) }
}

t.test('pages have no violations of WCAG AA, fit a phone, and are small', { skip: noBrowser || false }, async t => {
  const { call, project, send, untilStored, address, page, problems } = await aPhoneReader(t)
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
  t.same(problems, [], 'and the browser reports no errors, nor the CSP')
})

t.test('the user menu stays beside the name of the site at every width', { skip: noBrowser || false }, async t => {
  const { address, page } = await aPhoneReader(t)
  const middle = async (selector: string) => {
    const { y, height } = (await page.locator(selector).boundingBox())!

    return y + height / 2
  }

  await page.goto(address)
  for (const width of [320, 390, 650, 700, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    t.ok(Math.abs((await middle('.who')) - (await middle('.brand'))) < 2, `at ${width}`)
  }
})

t.test('a row of tabs begins with a whole tab, and has the current one in view', { skip: noBrowser || false }, async t => {
  const { project, page, open } = await aPhoneReader(t)

  for (const tab of ['errors', 'code', 'setup', 'notifications', 'members', 'settings', 'variables']) {
    await open(`/projects/${project.id}/${tab}`)
    const rows = (await page.evaluate(`[...document.querySelectorAll('.tabs')].map(tabs => {
      const { left, right } = tabs.getBoundingClientRect()
      const boxes = [...tabs.children].map(tab => tab.getBoundingClientRect())
      const current = tabs.querySelector('[aria-current]').getBoundingClientRect()

      return {
        isCurrentInView: current.left >= left - 1 && current.right <= right + 1,
        isFirstWhole: boxes.some(box => Math.abs(box.left - left) < 2)
      }
    })`)) as object[]

    t.same([...new Set(rows.map(row => JSON.stringify(row)))], ['{"isCurrentInView":true,"isFirstWhole":true}'], tab)
  }
})

t.test('the switcher opens by Ctrl+K, finds while one types, and is used by keys alone', { skip: noBrowser || false }, async t => {
  const { project, address, page, problems } = await aPhoneReader(t)

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
  t.same(problems, [])
})

t.test('waiting for the first event turns into a link by itself', { skip: noBrowser || false }, async t => {
  const { project, address, page, send, problems } = await aPhoneReader(t)

  await page.goto(`${address}/projects/${project.id}/setup`)
  await page.getByText('Waiting for the first event').waitFor()
  await send(anEnvelope(anException('PaymentError')))
  await page.getByRole('link', { name: 'PaymentError' }).click({ timeout: 60_000 })
  await page.waitForURL('**/errors/*')
  t.same(problems, [])
})
