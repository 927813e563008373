import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { noBrowser } from '../support/browser.ts'
import { plainly } from '../support/children.ts'
import { openProject } from '../support/factories.ts'
import { openReader } from '../support/reader.ts'
import { eventually } from '../support/world.ts'
import { picture } from './look.ts'

const script = join(import.meta.dirname, '..', 'errors', 'fixtures', 'sentry-node.mjs')

t.test('an error of @sentry/node is found, understood, resolved and seen to come back', { skip: noBrowser || false }, async t => {
  const { app, key, project, untilStored, errors } = await openProject(t)

  const { page, address, problems, open } = await openReader(t, app)
  const crash = () =>
    promisify(execFile)(...plainly(process.execPath, [script, key.sentry_dsn.replace('tocsin.test', new URL(address).host)]))

  await crash()
  await untilStored(3)
  await open(`/projects/${project.id}/errors`)
  await page.getByLabel('Search errors').fill('is:unresolved environment:t')
  const suggestions = await page.evaluate(`[...document.querySelectorAll('#terms option')].map(option => option.value)`)
  t.same(suggestions, ['is:unresolved environment:testing'], 'the last term is completed')
  await page.getByLabel('Search errors').fill('is:unresolved it broke')
  await page.keyboard.press('Enter')
  await page.waitForURL(/query=/)
  t.equal(await page.locator('[data-row]').count(), 1)
  await picture(page, 'errors')

  await page.getByRole('link', { name: 'TypeError it broke' }).click()
  await page.getByRole('heading', { name: 'TypeError it broke' }).waitFor()
  t.match(await page.locator('.frame mark').first().textContent(), /throw new TypeError/, 'the line that threw is marked')
  t.equal((await page.getByText('the card was declined').count()) > 0, true, 'the cause')
  await picture(page, 'error')

  await page.getByText('Resolve', { exact: true }).click()
  await page.getByRole('button', { name: 'Reopen' }).waitFor()
  await crash()
  await eventually(async () => (await errors('?query=it%20broke')).length === 1, 'the error is unresolved again')
  await open(`/projects/${project.id}/errors?query=is%3Aregressed`)
  t.equal(await page.locator('[data-row] .badge.bad').textContent(), 'regressed')

  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.getByRole('button', { name: 'Assign to me' }).click()
  await page.getByText('1 error was assigned.').waitFor()
  t.same(problems, [])
})
