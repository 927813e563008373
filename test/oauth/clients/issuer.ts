import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { Visitor } from '../../pages/visitor.ts'
import { openBrowser } from '../../support/browser.ts'
import { listen } from '../../support/listen.ts'
import { openApp, rootPassword, type WorldOptions } from '../../support/world.ts'
import { decide } from '../authorizing.ts'

/** The provider at an address of its own, which is its issuer. */
export async function openIssuer(t: Test, options?: WorldOptions) {
  const world = await openApp(t, options)
  const { app, config } = world

  await listen(app)
  config.baseUrl = app.listeningOrigin

  return { ...world, issuer: config.baseUrl }
}

/** The address where an application waits for its user to come back. */
export async function waitForCallback(t: Test) {
  const { promise, resolve } = Promise.withResolvers<URL>()
  const server = createServer(({ url }, response) => {
    const received = new URL(url!, redirectUri)

    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>The application</title>')
    if (received.pathname === '/callback') resolve(received)
  })

  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`

  t.teardown(() => server.close())
  t.teardown(() => server.closeAllConnections())

  return { redirectUri, received: promise }
}

/** Root signs in and authorizes the application, in Chromium. */
export async function authorizeInBrowser(t: Test, url: URL) {
  const browser = await openBrowser(t)
  const page = await browser.newPage()

  page.setDefaultTimeout(180_000)
  await page.goto(url.href)
  await page.getByLabel('Username or e-mail').fill('root')
  await page.getByLabel('Password').fill(rootPassword)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: 'Authorize', exact: true }).click()
}

/** Root signs in and authorizes the application, with forms alone. Returns the address that the browser is sent to. */
export async function authorizeWithForms({ app }: Awaited<ReturnType<typeof openIssuer>>, url: URL | string) {
  const { pathname, search } = new URL(url)
  const visitor = new Visitor(app)

  await visitor.signIn()
  const answer = await decide(visitor, await visitor.get(pathname + search), 'approve')

  return new URL(answer.headers.location!)
}
