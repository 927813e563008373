import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import type { Test } from 'tap'
import t from 'tap'
import { anApplication, authorizeUrl, pkce } from '../../oauth/authorizing.ts'
import { accessibilityProblems } from '../../support/axe.ts'
import { noBrowser, openBrowser } from '../../support/browser.ts'
import { listen } from '../../support/listen.ts'
import { openApp, rootPassword } from '../../support/world.ts'
import { codeNow, Visitor } from '../visitor.ts'

const pictures = process.env.PICTURES

interface Received {
  method: string
  query: Record<string, string>
  referer?: string
}

/** An application on another origin, which sends the browser on to a third one. */
async function aClient(t: Test) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://client')
    let body = ''

    for await (const chunk of request) body += chunk
    if (pathname === '/callback') {
      const query = Object.fromEntries(request.method === 'POST' ? new URLSearchParams(body) : searchParams)

      received.push({ method: request.method ?? '', query, referer: request.headers.referer })
      response.writeHead(302, { location: `http://localhost:${(server.address() as AddressInfo).port}/home` }).end()
    } else response.writeHead(200, { 'content-type': 'text/html' }).end('<title>The application</title><h1>Welcome</h1>')
  })

  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())

  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received }
}

async function openFlow(t: Test, isConfidential = true) {
  const { app, platform } = await openApp(t)
  const client = await aClient(t)
  const uri = `${client.origin}/callback`
  const application = await anApplication(platform, { redirectUris: [uri], isConfidential })

  await listen(app)
  const address = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`

  return {
    app,
    ...client,
    address,
    url: (parameters = {}) => `${address}${authorizeUrl(application.client_id, { redirect_uri: uri, ...pkce().parameters, ...parameters })}`
  }
}

t.test('a browser signs in with two factors, authorizes, and arrives at the application', { skip: noBrowser || false }, async t => {
  const { app, address, origin, url, received } = await openFlow(t)
  const { page, problems } = await openPage(await openBrowser(t))
  const visitor = new Visitor(app)

  await visitor.signIn()
  const { secret } = await visitor.enrol()
  await page.goto(url({ scope: 'api read_user openid' }))
  await picture(page, 'authorize-sign-in')
  await signIn(page)
  await page.getByLabel('Code', { exact: true }).fill(codeNow(secret, 1))
  await press(page, 'Sign in')

  await page.getByRole('heading', { name: 'Authorize Deploy board?' }).waitFor()
  await picture(page, 'consent')
  t.same(await accessibilityProblems(page), [])
  t.ok(await fitsPhone(page))
  await press(page, 'Authorize')
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  t.equal(received[0]!.method, 'GET')
  t.equal(received[0]!.query.state, 'a state')
  t.match(received[0]!.query.code, /^\w{64}$/)
  t.equal(received[0]!.referer, undefined, 'RFC 9700 §4.2: no referrer')

  await page.goto(url({ prompt: 'consent' }))
  await press(page, 'Deny')
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  t.equal(received[1]!.query.error, 'access_denied')

  await page.goto(`${address}/oauth/authorize?client_id=1`)
  await picture(page, 'authorization-failed')
  t.same(await accessibilityProblems(page), [])
  t.ok(await fitsPhone(page))
  t.equal(new URL(page.url()).origin, address)
  t.not(origin, address)
  t.same(problems, [], 'and the browser reported no problem')
})

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

t.test('form_post sends the code in a form, with and without scripts', { skip: noBrowser || false }, async t => {
  const { url, received } = await openFlow(t)
  const browser = await openBrowser(t)

  for (const javaScriptEnabled of [true, false]) {
    const { page } = await openPage(browser, javaScriptEnabled)

    await page.goto(url({ response_mode: 'form_post', prompt: 'consent' }))
    await signIn(page)
    await press(page, 'Authorize')
    if (!javaScriptEnabled) {
      await picture(page, 'form-post')
      await press(page, 'Continue')
    }
    await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  }
  t.same(
    received.map(({ method, query }) => [method, query.state, query.code?.length]),
    [
      ['POST', 'a state', 64],
      ['POST', 'a state', 64]
    ]
  )
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

async function openPage(browser: Browser, javaScriptEnabled = true) {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 }, javaScriptEnabled })).newPage()
  const problems: string[] = []

  page.context().setDefaultTimeout(120_000)
  page.on('console', message => message.type() === 'error' && !/40[014]|favicon/.test(message.text()) && problems.push(message.text()))

  return { page, problems }
}

async function signIn(page: Page) {
  await page.getByLabel('Username or e-mail').fill('root')
  await page.getByLabel('Password').fill(rootPassword)
  await press(page, 'Sign in')
}

function press(page: Page, name: string) {
  return page.getByRole('button', { name, exact: true }).click()
}

async function fitsPhone(page: Page) {
  await page.setViewportSize({ width: 390, height: 800 })

  return page.evaluate('document.documentElement.scrollWidth <= innerWidth')
}

/** On a desk and on a phone, light and dark; written when PICTURES names a folder. */
async function picture(page: Page, name: string) {
  if (!pictures) return
  mkdirSync(pictures, { recursive: true })
  for (const width of [390, 1440]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: width === 390 ? 800 : 900 })
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: `${pictures}/${name}-${width}-${colorScheme}.png`, fullPage: true })
    }
  }
}
