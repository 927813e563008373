import type { AddressInfo } from 'node:net'
import t from 'tap'
import { anApplication, authorizeUrl } from '../../oauth/authorizing.ts'
import { accessibilityProblems } from '../../support/axe.ts'
import { noBrowser, openBrowser } from '../../support/browser.ts'
import { listen } from '../../support/listen.ts'
import { openApp } from '../../support/world.ts'
import { picture } from '../look.ts'
import { fitsPhone, openFlow, openPage, press, signIn } from './flow.ts'

t.test('signing in leads on to an application with remembered consent, in a popup, too', { skip: noBrowser || false }, async t => {
  const { url, received, address, origin } = await openFlow(t)
  const { page, problems } = await openPage(await openBrowser(t))

  await page.goto(url())
  await signIn(page)
  await press(page, 'Authorize')
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  await page.goto(`${address}/-/profile`)
  await page.getByRole('button', { name: 'root' }).click()
  await press(page, 'Sign out')
  await page.getByLabel('Password').waitFor()

  await page.goto(origin)
  const opened = page.waitForEvent('popup')
  await page.evaluate(`void open(${JSON.stringify(url())})`)
  const popup = await opened
  await signIn(popup)
  await popup.getByRole('heading', { name: 'Welcome' }).waitFor()
  t.equal(received.length, 2)
  t.equal(await popup.evaluate('opener !== null'), true, 'the application can close its popup')
  t.same(problems, [])
})

t.test('a user registers an application in the browser', { skip: noBrowser || false }, async t => {
  const { address, url } = await openFlow(t)
  const { page, problems } = await openPage(await openBrowser(t))

  await page.goto(url())
  await signIn(page)
  await press(page, 'Authorize')
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  for (const [path, name] of [
    ['/-/profile/applications', 'applications'],
    ['/admin/applications', 'admin-applications']
  ] as const) {
    await page.goto(`${address}${path}`)
    await picture(page, name)
    t.ok(await fitsPhone(page), path)
    t.same(await accessibilityProblems(page), [])
    await page.getByLabel('Name').fill('Status page')
    await page.getByLabel('Redirect URIs').fill('nowhere')
    await page.getByLabel('openid').check()
    await press(page, 'Register application')
    await picture(page, `${name}-error`)
    await page.getByLabel('Redirect URIs').fill('https://status.example/callback\nhttp://127.0.0.1/callback')
    await press(page, 'Register application')
    t.match(await page.getByLabel('Secret', { exact: true }).inputValue(), /^gloas-/)
    await picture(page, `${name}-created`)
    t.same(await accessibilityProblems(page), [])
    t.ok(await fitsPhone(page))
    await page.getByRole('main').getByRole('link', { name: 'Applications' }).first().click()
    await page.getByRole('link', { name: 'Status page' }).click()
    t.equal(await page.getByLabel('Secret', { exact: true }).count(), 0)
  }
  t.same(problems, [])
})

t.test('long names without spaces fit a phone', { skip: noBrowser || false }, async t => {
  const { app, platform } = await openApp(t)
  const name = 'W'.repeat(255)
  const { client_id } = await anApplication(platform, { name })
  const { page } = await openPage(await openBrowser(t))
  const fits = async (what: string) => {
    await picture(page, `long-${what}`)
    t.ok(await fitsPhone(page), what)
  }

  await anApplication(platform, { name, owner: null })
  await listen(app)
  const address = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`

  await page.goto(`${address}${authorizeUrl(client_id, { response_mode: 'form_post' })}`)
  await fits('sign-in')
  await signIn(page)
  await page.getByRole('button', { name: 'Deny' }).waitFor()
  await fits('consent')
  await page.route('https://client.example/**', route => route.fulfill({ body: 'Welcome' }))
  await press(page, 'Authorize')
  await page.getByText('Welcome').waitFor()
  for (const path of ['/-/profile/applications', '/admin/applications']) {
    await page.goto(`${address}${path}`)
    await page.getByRole('heading', { name: 'New application' }).waitFor()
    await fits(path.replaceAll('/', '-'))
    await page.getByRole('link', { name }).click()
    await page.getByRole('button', { name: 'Delete application' }).waitFor()
    await fits(`one${path.replaceAll('/', '-')}`)
  }
})
