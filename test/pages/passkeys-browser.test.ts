import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { CDPSession, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { noBrowser, openBrowser } from '../support/browser.ts'
import { openApp, rootPassword } from '../support/world.ts'
import { look } from './look.ts'

/** The authenticator does not wait for a user: it would answer as soon as passkeys are offered in the field of the user name. */
const offersOnDemand = 'if (!localStorage.offers) PublicKeyCredential.isConditionalMediationAvailable = async () => false'

/** A browser with an authenticator in it, at an address where browsers offer passkeys. */
async function openWithAuthenticator(t: Test) {
  const port = await freePort()
  const address = `http://localhost:${port}`
  const world = await openApp(t, { env: { BASE_URL: address } })

  await world.app.listen({ port, host: 'localhost' })
  const context = await (await openBrowser(t)).newContext({ baseURL: address })
  const page = await context.newPage()
  const devTools = await context.newCDPSession(page)

  await page.addInitScript(offersOnDemand)
  await devTools.send('WebAuthn.enable')
  const { authenticatorId } = await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true
    }
  })

  return { ...world, address, context, page, authenticator: new VirtualAuthenticator(devTools, authenticatorId) }
}

class VirtualAuthenticator {
  #devTools: CDPSession
  #authenticatorId: string

  constructor(devTools: CDPSession, authenticatorId: string) {
    this.#devTools = devTools
    this.#authenticatorId = authenticatorId
  }

  async credentials() {
    return (await this.#devTools.send('WebAuthn.getCredentials', { authenticatorId: this.#authenticatorId })).credentials
  }

  async setCounter(signCount: number) {
    const [credential] = await this.credentials()
    const authenticatorId = this.#authenticatorId

    await this.#devTools.send('WebAuthn.removeCredential', { authenticatorId, credentialId: credential!.credentialId })
    await this.#devTools.send('WebAuthn.addCredential', { authenticatorId, credential: { ...credential!, signCount } })
  }
}

async function freePort() {
  const server = createServer().listen(0, 'localhost')

  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  server.close()
  await once(server, 'close')

  return port
}

function press(page: Page, name: string) {
  return page.getByRole('button', { name, exact: true }).click()
}

async function signIn(page: Page) {
  await page.goto('/users/sign_in')
  await page.getByLabel('Username or e-mail').fill('root')
  await page.getByLabel('Password').fill(rootPassword)
  await press(page, 'Sign in')
}

async function signOut(page: Page) {
  await page.goto('/-/profile')
  await page.getByRole('button', { name: 'root' }).click()
  await press(page, 'Sign out')
  await page.waitForURL(/sign_in/)
}

async function addPasskey(page: Page) {
  await page.goto('/-/profile/passkeys')
  await page.getByLabel('Name').fill('This laptop')
  await page.getByLabel('Your password').fill(rootPassword)
  await press(page, 'Continue')
  await press(page, 'Create passkey')
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
}

t.test('a user adds a passkey, signs in with it in each way, and removes it', { skip: noBrowser || false }, async t => {
  const { page, authenticator, platform } = await openWithAuthenticator(t)

  await signIn(page)
  await page.waitForURL('/')
  await page.goto('/-/profile/passkeys')
  await look(t, page, 'passkeys-none')
  await page.getByLabel('Name').fill('This laptop')
  await page.getByLabel('Your password').fill('wrong')
  await press(page, 'Continue')
  await look(t, page, 'passkeys-wrong-password')
  t.equal(await page.getByLabel('Name').inputValue(), 'This laptop')
  await page.getByLabel('Your password').fill(rootPassword)
  await press(page, 'Continue')
  await page.getByRole('button', { name: 'Create passkey' }).waitFor()
  await look(t, page, 'passkeys-create')
  await addPasskey(page)
  await look(t, page, 'passkeys-recovery-codes')
  const [credential] = await authenticator.credentials()
  t.hasStrict(credential, { isResidentCredential: true, rpId: 'localhost' })
  await page.goto('/-/profile/passkeys')
  await look(t, page, 'passkeys')
  await page.goto('/-/profile/two_factor')
  await look(t, page, 'passkeys-two-factor')

  await signOut(page)
  await page.goto('/users/sign_in?return_to=/-/profile/passkeys')
  await look(t, page, 'passkeys-sign-in')
  await press(page, 'Sign in with a passkey')
  await page.waitForURL('/-/profile/passkeys')
  await page.getByText('last used').waitFor()

  await signOut(page)
  await signIn(page)
  await page.getByRole('button', { name: 'Use a passkey' }).waitFor()
  await look(t, page, 'passkeys-second-factor')
  await press(page, 'Use a passkey')
  await page.waitForURL('/')

  await signOut(page)
  await page.evaluate('localStorage.offers = true')
  await page.goto('/users/sign_in')
  await page.waitForURL('/')
  t.pass('the field of the user name offers it as well')

  await page.goto('/-/profile/passkeys')
  await page.getByRole('link', { name: 'This laptop' }).click()
  await look(t, page, 'passkeys-one')
  await page.getByLabel('Your password').fill(rootPassword)
  await press(page, 'Remove')
  await page.getByText('Passkey removed').waitFor()
  await signOut(page)
  await page.getByText('The passkey was not accepted').waitFor()
  await look(t, page, 'passkeys-refused')
  const again = page.waitForEvent('load')
  await press(page, 'Sign in with a passkey')
  await again
  t.ok(await page.getByText('The passkey was not accepted').isVisible(), 'and only when the user asks')
  const { rows } = await platform.pool.query(`SELECT details->>'with' AS means FROM audit_events WHERE name = 'user_signed_in' ORDER BY id`)
  t.same(
    rows.map(({ means }) => means),
    ['password', 'passkey', 'passkey as second factor', 'passkey']
  )
})

t.test('a replay, another origin and a counter that goes back are refused', { skip: noBrowser || false }, async t => {
  const { page, context, authenticator, platform } = await openWithAuthenticator(t)
  const reasons = async () =>
    (
      await platform.pool.query(`SELECT details->>'reason' AS reason FROM audit_events WHERE name = 'user_sign_in_failed' ORDER BY id`)
    ).rows.map(({ reason }) => reason)

  await signIn(page)
  await page.waitForURL('/')
  await addPasskey(page)
  await signOut(page)
  const sent = page.waitForRequest(request => request.method() === 'POST' && request.url().endsWith('/sign_in/passkey'))
  await press(page, 'Sign in with a passkey')
  await page.waitForURL('/')
  const form = Object.fromEntries(new URLSearchParams((await sent).postData()!))
  await signOut(page)
  t.equal((await context.request.post('/users/sign_in/passkey', { form, maxRedirects: 0 })).status(), 401)

  await authenticator.setCounter(0)
  await press(page, 'Sign in with a passkey')
  await page.getByText('The passkey was not accepted').waitFor()

  const options = await page.locator('[data-passkey]').getAttribute('data-options')
  await context.route('http://localhost:9/', route => route.fulfill({ contentType: 'text/html', body: '<p>Not Tocsin</p>' }))
  await page.goto('http://localhost:9/')
  const credential: string = await page.evaluate(`navigator.credentials
    .get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(${options}) })
    .then(credential => JSON.stringify(credential))`)
  t.equal((await context.request.post('/users/sign_in/passkey', { form: { credential }, maxRedirects: 0 })).status(), 401)

  const [replayed, copied, phished] = await reasons()
  t.equal(replayed, 'the challenge expired, was used or is of another browser')
  t.match(copied, /the counter is 1 after \d: the passkey may have been copied/)
  t.match(phished, /Unexpected authentication response origin "http:\/\/localhost:9"/)
})

t.test('without passkeys in the browser, the pages say so and the other ways stay', { skip: noBrowser || false }, async t => {
  const { address } = await openWithAuthenticator(t)
  const browser = await openBrowser(t)

  for (const javaScriptEnabled of [true, false]) {
    const context = await browser.newContext({ baseURL: address, javaScriptEnabled })
    const page = await context.newPage()

    await page.addInitScript('delete window.PublicKeyCredential')
    await page.goto('/users/sign_in')
    t.equal(await page.getByRole('button', { name: 'Sign in with a passkey' }).isVisible(), false)
    t.equal(await page.getByText('Passkeys need a browser that supports them').isVisible(), true)
    if (javaScriptEnabled) await look(t, page, 'passkeys-unsupported-sign-in')
    await signIn(page)
    await page.goto('/-/profile/passkeys')
    t.equal(await page.getByRole('button', { name: 'Continue' }).isVisible(), false)
    t.equal(await page.getByText('Passkeys need a browser that supports them').isVisible(), true)
  }
})

t.test('a user who cancels is told, and tries again', { skip: noBrowser || false }, async t => {
  const { page } = await openWithAuthenticator(t)

  await page.goto('/users/sign_in')
  await press(page, 'Sign in with a passkey')
  await page.getByText('No passkey was used. Try again.').waitFor()
  await look(t, page, 'passkeys-cancelled')
  await signIn(page)
  await page.waitForURL('/')
  await addPasskey(page)
  await page.goto('/-/profile/passkeys')
  await page.getByLabel('Name').fill('Again')
  await page.getByLabel('Your password').fill(rootPassword)
  await press(page, 'Continue')
  await press(page, 'Create passkey')
  await page.getByText('already has a passkey for your account').waitFor()
})
