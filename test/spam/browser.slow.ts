import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { accessibilityProblems } from '../support/axe.ts'
import { noBrowser, openBrowser } from '../support/browser.ts'
import { listen } from '../support/listen.ts'
import { signIn } from '../support/reader.ts'
import { openAkismet, openPublicProject } from './services.ts'

t.test('the list of spam fits and is accessible at both widths, light and dark', { skip: noBrowser || false }, async t => {
  const akismet = await openAkismet(t)
  const { app, ann, project } = await openPublicProject(t, akismet.env)
  const address = await listen(app)
  const page = await (await openBrowser(t)).newPage()
  const issues = `/projects/${project.id}/issues`

  await ann.call('POST', issues, { title: `viagra ${'without-spaces'.repeat(15)}`, description: 'viagra '.repeat(200) })
  await ann.call('POST', issues, { title: 'viagra' })
  akismet.state.answer = 'invalid'
  await ann.call('POST', issues, { title: 'viagra' })
  await page.goto(`${address}/users/sign_in`)
  await signIn(page)
  await page.goto(`${address}/admin/spam_logs`)
  for (const width of [390, 1440]) await checkPage(t, page, width)
})

async function checkPage(t: Test, page: Page, width: number) {
  await page.setViewportSize({ width, height: 900 })
  t.equal(await page.evaluate('document.documentElement.scrollWidth'), width)
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    t.same(await accessibilityProblems(page), [], `axe at ${width}, ${colorScheme}`)
  }
  if (process.env.SPAM_PICTURES) await page.screenshot({ path: `${process.env.SPAM_PICTURES}/spam-${width}.png` })
}
