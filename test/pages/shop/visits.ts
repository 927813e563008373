import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { confirmationToken } from '#identity/emails/confirm-email.ts'
import { passwordUrl } from '#identity/passwords/password-link.ts'
import { signUpUrl } from '#identity/sign-up/sign-up-link.ts'
import { User } from '#identity/users/user.ts'
import { unsubscribeUrl } from '#notifications/mail/unsubscribe.ts'
import { Invitation } from '#projects/invitations/invitation.ts'
import { invitationToken } from '#projects/invitations/invitation-token.ts'
import { allRoutesOf } from '../../api/routes.ts'
import { anApplication, authorizeUrl } from '../../oauth/authorizing.ts'
import { openBrowser } from '../../support/browser.ts'
import { listen } from '../../support/listen.ts'
import { watch } from '../../support/reader.ts'
import { Visitor } from '../visitor.ts'
import type { Shop } from './a-shop.ts'
import { addressesIn, noPages } from './pages.ts'

/** Opens each page in a browser, in a test of its own. A page that reports something fails its test. */
export async function visitEachPage(
  t: Test,
  shop: Shop,
  visits: PageVisit[],
  check: (t: Test, page: Page, visit: PageVisit & { url: string }) => Promise<void>
) {
  const address = await listen(shop.app)
  const browser = await openBrowser(t)

  for (const [cookies, visitsOfOne] of Map.groupBy(visits, visit => visit.cookies)) {
    const context = await browser.newContext()
    const page = await context.newPage()
    const problems = watch(page, address)

    await context.addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url: address })))
    for (const visit of visitsOfOne) {
      await t.test(visit.route, async t => {
        await check(t, page, { ...visit, url: address + visit.path })
        t.same(problems.splice(0), [], 'it reports nothing and asks no other host')
      })
    }
  }
}

/** The pages of the router that have no address in `pages.ts`. */
export function unvisitedPages({ app }: Shop, visits: PageVisit[]) {
  return allRoutesOf(app)
    .filter(route => route.startsWith('GET ') && !Object.values(noPages).some(pattern => pattern.test(route.slice(4))))
    .map(route => route.slice(4) || '/')
    .filter(route => !visits.some(visit => isVisitOf(visit, route)))
}

/** The router prints all wildcards below a path as one. */
function isVisitOf({ route: visited }: PageVisit, route: string) {
  return route.endsWith('*') ? visited.endsWith('*') && visited.startsWith(route.slice(0, -1)) : visited === route
}

export interface PageVisit {
  route: string
  path: string
  cookies: Record<string, string>
}

export async function listVisits(shop: Shop): Promise<PageVisit[]> {
  const { call, config, platform } = shop
  const root = await signedIn(shop)
  const application = await anApplication(platform)
  const token = await confirmationToken(config, 1, (await call('GET', '/user')).body.email)
  const invitation = await platform.fork().findOne(Invitation, { email: 'eve@example.com' })
  const delivery = { target: 'ann@example.com', projectId: shop.project.id } as Parameters<typeof unsubscribeUrl>[1]
  const message = { occurrences: [{ entry: { kind: 'error' }, subject: {} }] } as unknown as Parameters<typeof unsubscribeUrl>[2]
  const unsubscribe = await unsubscribeUrl(config, delivery, message)
  const passwordLink = await passwordUrl(
    config,
    await platform.fork().findOneOrFail(User, { username: 'ann' }),
    new Date(Date.now() + 3600_000)
  )
  const signUpLink = await signUpUrl(config, 'fay@example.com', new Date(Date.now() + 3600_000))
  const signedInPages = {
    ...addressesIn(shop),
    '/-/profile/applications/:id(^\\d{1,15}$)': `/-/profile/applications/${application.id}`,
    '/admin/applications/:id(^\\d{1,15}$)': `/admin/applications/${(await anApplication(platform, { owner: null })).id}`,
    '/oauth/authorize': authorizeUrl(application.client_id),
    '/users/confirmation': `/users/confirmation?confirmation_token=${token}`
  }

  const impersonator = await anImpersonator(shop)

  // Ben has a one-time password; root signs in with two factors from here on.
  await platform.pool.query(`UPDATE users SET must_change_password = true WHERE username = 'ben'`)
  const ben = await signedIn(shop, { login: 'ben', password: 'correct horse' })
  await root.enrol()
  const passkey = await platform.pool.query(
    `INSERT INTO passkeys (user_id, name, credential_id, public_key, counter, transports, last_used_at)
     SELECT id, 'Phone', 'id', 'key', 0, '{internal}', now() - interval '3 hours' FROM users WHERE username = 'root' RETURNING id`
  )
  await platform.pool.query(`UPDATE users SET passkey_count = 1 WHERE username = 'root'`)
  const halfway = await signedIn(shop)

  return [
    // Its session ends after ten minutes.
    { route: '/users/sign_in/code', path: '/users/sign_in/code', cookies: halfway.cookies },
    { route: '/-/profile/passkeys/:id(^\\d{1,15}$)', path: `/-/profile/passkeys/${passkey.rows[0].id}`, cookies: root.cookies },
    ...Object.entries(signedInPages).map(([route, path]) => ({ route, path, cookies: root.cookies })),
    { route: 'a page while impersonating', path: '/-/profile', cookies: impersonator.cookies },
    { route: '/users/sign_in', path: '/users/sign_in', cookies: {} },
    { route: '/users/sign_up', path: '/users/sign_up', cookies: {} },
    { route: '/users/sign_up/account', path: signUpLink.slice(config.baseUrl.length), cookies: {} },
    { route: '/users/password/new', path: '/users/password/new', cookies: {} },
    { route: '/users/password/edit', path: passwordLink.slice(config.baseUrl.length), cookies: {} },
    { route: '/-/invites/:token', path: `/-/invites/${await invitationToken(config, invitation!)}`, cookies: {} },
    { route: '/unsubscribe', path: unsubscribe.slice(config.baseUrl.length), cookies: {} },
    { route: '/users/password', path: '/users/password', cookies: ben.cookies }
  ]
}

/** An admin who impersonates Ann. */
async function anImpersonator(shop: Shop) {
  const dan = { username: 'dan', name: 'Dan Wolf', email: 'dan@example.com', password: 'correct horse' }
  const { body: users } = await shop.call('GET', '/users?username=ann')

  await shop.call('POST', '/users', { ...dan, admin: true })
  const admin = await signedIn(shop, { login: dan.username, password: dan.password })
  await admin.post(`/admin/users/${users[0].id}/impersonation`)

  return admin
}

async function signedIn({ app }: Shop, fields: Record<string, string> = {}) {
  const visitor = new Visitor(app)

  await visitor.signIn(fields)

  return visitor
}
