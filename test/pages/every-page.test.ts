import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { confirmationToken } from '../../src/identity/emails/confirm-email.ts'
import { unsubscribeUrl } from '../../src/notifications/mail/unsubscribe.ts'
import { allRoutesOf } from '../http/routes.ts'
import { anApplication, authorizeUrl } from '../oauth/authorizing.ts'
import { accessibilityProblems } from '../support/axe.ts'
import { noBrowser, openBrowser } from '../support/browser.ts'
import { aShop, type Shop } from './shop/a-shop.ts'
import { addressesIn, noPages } from './shop/pages.ts'
import { picture } from './shop/picture.ts'
import { Visitor } from './visitor.ts'

const widths = [390, 1440]
/** The last one is that of the pictures. */
const schemes = ['dark', 'light'] as const
/** A list of 25 has at most 60 KB; charts have a table of their figures, too. */
const maxBytes = (url: string) => (/\/(errors|alerts|incidents|issues|releases)$/.test(url) ? 60_000 : 80_000)
const maxCompressed = 12_000
/** Its pages list all operations of the API. */
const isLong = (url: string) => url.includes('/help/')

t.test('every page passes axe at both widths, light and dark, fits, and asks no other host', { skip: noBrowser || false }, async t => {
  const shop = await aShop(t)
  const { app } = shop
  const visits = await listVisits(shop)
  const routes = allRoutesOf(app)
    .filter(route => route.startsWith('GET ') && !Object.values(noPages).some(pattern => pattern.test(route.slice(4))))
    .map(route => route.slice(4) || '/')

  t.same(
    routes.filter(route => !visits.some(visit => visit.route === route)),
    [],
    'each page is visited: add new ones to test/pages/shop/pages.ts'
  )
  await app.listen({ port: 0, host: '127.0.0.1' })
  const address = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const browser = await openBrowser(t)

  for (const [cookies, visitsOfOne] of Map.groupBy(visits, visit => visit.cookies)) {
    const context = await browser.newContext()
    const page = await context.newPage()
    const problems = watch(page, address)

    await context.addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url: address })))
    for (const { route, path } of visitsOfOne) {
      await t.test(route, async t => {
        for (const width of widths) {
          await checkPage(t, page, address + path, width)
          await picture(page, route, width)
        }
        t.same(problems.splice(0), [], 'it reports nothing and asks no other host')
      })
    }
  }
})

interface PageVisit {
  route: string
  path: string
  cookies: Record<string, string>
}

async function listVisits(shop: Shop): Promise<PageVisit[]> {
  const { call, config, platform } = shop
  const root = await signedIn(shop)
  const application = await anApplication(platform)
  const token = await confirmationToken(config, 1, (await call('GET', '/user')).body.email)
  const delivery = { target: 'ann@example.com', projectId: shop.project.id } as Parameters<typeof unsubscribeUrl>[1]
  const message = { occurrences: [{ entry: { kind: 'error' }, subject: {} }] } as unknown as Parameters<typeof unsubscribeUrl>[2]
  const unsubscribe = await unsubscribeUrl(config, delivery, message)
  const signedInPages = {
    ...addressesIn(shop),
    '/-/profile/applications/:id(^\\d{1,15}$)': `/-/profile/applications/${application.id}`,
    '/admin/applications/:id(^\\d{1,15}$)': `/admin/applications/${(await anApplication(platform, { owner: null })).id}`,
    '/oauth/authorize': authorizeUrl(application.client_id),
    '/users/confirmation': `/users/confirmation?confirmation_token=${token}`
  }

  // Ben has a one-time password; root signs in with two factors from here on.
  await platform.pool.query(`UPDATE users SET must_change_password = true WHERE username = 'ben'`)
  const ben = await signedIn(shop, { login: 'ben', password: 'correct horse' })
  await root.enrol()
  const halfway = await signedIn(shop)

  return [
    ...Object.entries(signedInPages).map(([route, path]) => ({ route, path, cookies: root.cookies })),
    { route: '/users/sign_in', path: '/users/sign_in', cookies: {} },
    { route: '/unsubscribe', path: unsubscribe.slice(config.baseUrl.length), cookies: {} },
    { route: '/users/password', path: '/users/password', cookies: ben.cookies },
    { route: '/users/sign_in/code', path: '/users/sign_in/code', cookies: halfway.cookies }
  ]
}

async function signedIn({ app }: Shop, fields: Record<string, string> = {}) {
  const visitor = new Visitor(app)

  await visitor.signIn(fields)

  return visitor
}

async function checkPage(t: Test, page: Page, url: string, width: number) {
  await page.setViewportSize({ width, height: 900 })
  const response = await page.goto(url)
  const html = await response!.body()

  t.equal(page.url(), url, 'it was not redirected')
  t.equal(response!.status(), url.endsWith('/nothing') ? 404 : 200)
  if (!isLong(url)) {
    t.ok(html.length < maxBytes(url), `${html.length} bytes`)
    t.ok(gzipSync(html).length < maxCompressed, `${gzipSync(html).length} bytes compressed`)
  }
  t.equal(await page.evaluate('document.documentElement.scrollWidth'), width, `nothing is wider than ${width}`)
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme })
    t.same(await accessibilityProblems(page), [], `axe at ${width}, ${colorScheme}`)
  }
}

/** Collects errors, CSP reports, and requests to other hosts. */
function watch(page: Page, address: string) {
  const problems: string[] = []

  page.on('pageerror', error => problems.push(`error: ${error.message}`))
  page.on('console', message => message.type() === 'error' && !/status of 404/.test(message.text()) && problems.push(message.text()))
  page.on('request', request => !request.url().startsWith(`${address}/`) && problems.push(`request: ${request.url()}`))

  return problems
}
