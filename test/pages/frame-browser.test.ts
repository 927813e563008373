import t, { type Test } from 'tap'
import { noBrowser } from '../support/browser.ts'
import { anEnvelope, anException, openProject } from '../support/factories.ts'
import { openReader } from '../support/reader.ts'
import { eventually } from '../support/world.ts'

async function openPhoneReader(t: Test) {
  const world = await openProject(t)

  return { ...world, ...(await openReader(t, world.app, { width: 390 })) }
}

t.test('the switcher opens by Ctrl+K, finds while one types, and is used by keys alone', { skip: noBrowser || false }, async t => {
  const { project, address, page, problems } = await openPhoneReader(t)

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
  const { project, address, page, send, problems } = await openPhoneReader(t)

  await page.goto(`${address}/projects/${project.id}/setup`)
  await page.getByText('Waiting for the first event').waitFor()
  await send(anEnvelope(anException('PaymentError')))
  await page.getByRole('link', { name: 'PaymentError' }).click({ timeout: 60_000 })
  await page.waitForURL('**/errors/*')
  t.same(problems, [])
})
