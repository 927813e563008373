import type { Page } from 'playwright-core'
import t from 'tap'
import { anApplication } from '../oauth/authorizing.ts'
import { openIssuer } from '../oauth/clients/issuer.ts'
import { noBrowser, openBrowser } from '../support/browser.ts'
import { listen } from '../support/listen.ts'
import { openApp, rootPassword } from '../support/world.ts'
import { collectPage } from './collect-page.ts'

t.test('a user of one Tocsin signs in to another with it, in Chromium', { skip: noBrowser || false }, async t => {
  const provider = await openIssuer(t)
  const client = await anApplication(provider.platform, { scopes: ['openid', 'profile', 'email'] })
  const env = {
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: client.client_id,
    OIDC_CLIENT_SECRET: client.client_secret,
    OIDC_NAME: 'Tocsin'
  }
  const { app, config, call, platform } = await openApp(t, { env, isPrivate: true })

  // Another host than that of the provider: cookies do not know ports.
  config.baseUrl = (await listen(app)).replace('127.0.0.1', 'localhost')
  await provider.platform.pool.query('UPDATE oauth_applications SET redirect_uris = $1 WHERE id = $2', [
    [`${config.baseUrl}/users/auth/openid_connect/callback`],
    client.id
  ])
  const browser = await openBrowser(t)
  const page = await browser.newPage()

  page.setDefaultTimeout(180_000)
  await page.goto(`${config.baseUrl}/-/profile/identities`)
  await collectPage(t, page, 'sign-in')
  await page.getByRole('button', { name: 'Continue with Tocsin' }).click()
  await signIn(page)
  await page.getByRole('button', { name: 'Authorize', exact: true }).click()
  await page.getByText('There is already an account with the address root@localhost').waitFor()
  await collectPage(t, page, 'refused')
  await signIn(page)
  t.equal(page.url(), `${config.baseUrl}/-/profile/identities`)
  await page.getByLabel('Your password').fill(rootPassword)
  await page.getByRole('button', { name: 'Connect Tocsin' }).click()
  await page.getByText('Connected. You can sign in with it from now on.').waitFor()
  t.equal(page.url(), `${config.baseUrl}/-/profile/identities`)
  await collectPage(t, page, 'connected')
  await page.goto(`${config.baseUrl}/admin/users/1`)
  t.match(await page.locator('dl.facts').textContent(), /root@localhost/)
  await collectPage(t, page, 'admin')

  await page.goto(`${config.baseUrl}/users/auth/openid_connect/callback?code=used&state=used`)
  await collectPage(t, page, 'expired')
  await page.getByRole('link', { name: 'Go to the home page' }).click()
  t.equal(page.url(), `${config.baseUrl}/`)

  await platform.pool.query(`UPDATE users SET password_hash = NULL; UPDATE sessions SET created_at = created_at - interval '1 hour'`)
  await page.goto(`${config.baseUrl}/-/profile/two_factor`)
  await collectPage(t, page, 'no-password')
  await page.goto(`${config.baseUrl}/-/profile/password`)
  await collectPage(t, page, 'set-password')
  await page.getByRole('link', { name: 'sign in again' }).click()
  await page.getByRole('button', { name: 'Continue with Tocsin' }).click()
  await page.getByLabel('New password', { exact: true }).fill('another long secret')
  await collectPage(t, page, 'set-password-soon')
  await page.getByLabel('Confirm new password').fill('another long secret')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Password changed').waitFor()
  t.equal((await call('GET', '/user')).status, 200)
})

async function signIn(page: Page) {
  await page.getByLabel('Username or e-mail').fill('root')
  await page.getByLabel('Password').fill(rootPassword)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}
