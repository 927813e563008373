import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import t from 'tap'
import { noBrowser, openBrowser } from '../support/browser.ts'
import { listen } from '../support/listen.ts'
import { openApp, rootPassword } from '../support/world.ts'
import { picture } from './look.ts'
import { codeNow, fromBase32 } from './visitor.ts'

t.test('a user signs in with two factors and creates a token that works with the API', { skip: noBrowser || false }, async t => {
  const { app, platform } = await openApp(t)

  await listen(app)
  const address = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const page = await (await openBrowser(t)).newPage({ viewport: { width: 1280, height: 800 } })
  const problems: string[] = []

  page.on('console', message => message.type() === 'error' && !/40[014]/.test(message.text()) && problems.push(message.text()))
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const signIn = async () => {
    await page.goto(`${address}/-/profile/two_factor`)
    await picture(page, 'sign-in')
    await page.getByLabel('Username or e-mail').fill('root')
    await page.getByLabel('Password').fill(rootPassword)
    await press('Sign in')
  }

  await signIn()
  await picture(page, 'two-factor-off')
  await page.getByLabel('Your password').fill('wrong')
  await press('Set up')
  await picture(page, 'two-factor-wrong-password')
  await page.getByLabel('Your password').fill(rootPassword)
  await press('Set up')
  const secret = fromBase32(await page.getByLabel('Or enter this key').inputValue())
  await picture(page, 'two-factor-enrolment')
  await page.getByLabel('Code', { exact: true }).fill(codeNow(secret))
  await press('Enable')
  t.equal(await page.locator('code').count(), 10)
  await picture(page, 'recovery-codes')
  await page.getByRole('link', { name: 'I have saved the codes' }).click()
  await picture(page, 'two-factor-on')

  await page.getByRole('button', { name: 'root' }).click()
  await picture(page, 'menu')
  await press('Sign out')
  await page.waitForURL(/sign_in$/)
  await signIn()
  await picture(page, 'second-step')
  await page.getByLabel('Code', { exact: true }).fill(codeNow(secret, 1))
  await press('Sign in')

  await page.getByRole('link', { name: 'Access tokens' }).click()
  await page.getByLabel('Name').fill('Nightly report')
  await page.getByLabel('read_api').check()
  await press('Create token')
  const token = await page.getByLabel('Your new token').inputValue()
  await picture(page, 'token-made')
  const response = await fetch(`${address}/api/v4/user`, { headers: { 'private-token': token } })
  t.hasStrict(await response.json(), { username: 'root' })

  await platform.pool.query(
    `INSERT INTO processes VALUES ('worker.7@elsewhere', 'worker', '{errors,maintenance}', 'elsewhere', 1, now() - interval '2 hours', now(), ''),
                                  ('worker.8@gone', 'worker', '{errors}', 'gone', 1, now() - interval '2 days', now() - interval '1 hour', '')`
  )
  await platform.pool.query(
    `INSERT INTO sessions (user_id, token_hash, ip, user_agent, expires_at, seen_at)
     SELECT id, 'x', '2001:db8::7', 'Mozilla/5.0 (iPhone) Version/18.0 Mobile/15E148 Safari/604.1', now() + interval '1 day', now() - interval '3 hours' FROM users`
  )
  for (const path of ['-/profile', '-/profile/password', '-/profile/sessions', '-/profile/tokens', 'admin/processes', 'nowhere']) {
    await page.goto(`${address}/${path}`)
    await picture(page, path.replaceAll('/', '-').replace(/^-+/, ''))
    t.ok(await fitsPhone(page), `${path} fits a phone`)
  }
  t.same(problems, [], 'and the browser had nothing to complain of')
})

async function fitsPhone(page: Page) {
  await page.setViewportSize({ width: 390, height: 800 })
  const box = await page.locator('html').boundingBox()

  return box!.width <= 390
}
