import t from 'tap'
import { noBrowser } from '../support/browser.ts'
import { openProject } from '../support/factories.ts'
import { openReader } from '../support/reader.ts'

t.test('the preview of the scrubbing follows the form while it is edited', { skip: noBrowser || false }, async t => {
  const { app, project, path, call } = await openProject(t)
  const { page, problems } = await openReader(t, app, { path: `/projects/${project.id}/error_settings/scrubbing` })
  const before = (await call('GET', `${path}/settings`)).body

  const shown = page.getByLabel('Scrubbed event')
  await page.getByLabel('An event').fill('{"extra":{"shoe_size":44,"note":"<img src=x onerror=alert(1)>"}}')
  await page.getByText('0 values replaced').waitFor()
  t.match(await shown.textContent(), /<img src=x onerror=alert\(1\)>/, 'markup is text')
  await page.getByLabel('Additional names to scrub').fill('shoe')
  await page.getByText('1 value replaced').waitFor()
  t.equal(await shown.locator('mark').textContent(), '[Filtered]')
  await page.getByLabel('Remove secrets').uncheck()
  await page.getByText('0 values replaced').waitFor()
  await page.getByLabel('An event').fill('{"extra":')
  await page.getByText('This is not a JSON object').waitFor()

  t.same((await call('GET', `${path}/settings`)).body, before, 'nothing is saved')
  await page.getByLabel('Remove secrets').check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Settings saved').waitFor()
  t.hasStrict((await call('GET', `${path}/settings`)).body, { ...before, scrubbed_keys: ['shoe'] })
  t.notMatch(JSON.stringify(await page.evaluate('({ ...sessionStorage })')), /onerror/, 'the browser keeps no event')
  t.same(problems, [])
})
