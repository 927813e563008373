import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import type { Test } from 'tap'
import { anApplication, authorizeUrl, pkce } from '../../oauth/authorizing.ts'
import { listen } from '../../support/listen.ts'
import { openApp, rootPassword } from '../../support/world.ts'

interface Received {
  method: string
  query: Record<string, string>
  referer?: string
}

/** An application on another origin, which sends the browser on to a third one. */
async function openClient(t: Test) {
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

/** An application at another origin, and the address at which it asks for authorization. */
export async function openFlow(t: Test, isConfidential = true) {
  const { app, platform } = await openApp(t)
  const client = await openClient(t)
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

export async function openPage(browser: Browser, javaScriptEnabled = true) {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 }, javaScriptEnabled })).newPage()
  const problems: string[] = []

  page.context().setDefaultTimeout(120_000)
  page.on('console', message => message.type() === 'error' && !/40[014]|favicon/.test(message.text()) && problems.push(message.text()))

  return { page, problems }
}

export async function signIn(page: Page) {
  await page.getByLabel('Username or e-mail').fill('root')
  await page.getByLabel('Password').fill(rootPassword)
  await press(page, 'Sign in')
}

export function press(page: Page, name: string) {
  return page.getByRole('button', { name, exact: true }).click()
}

export async function fitsPhone(page: Page) {
  await page.setViewportSize({ width: 390, height: 800 })

  return page.evaluate('document.documentElement.scrollWidth <= innerWidth')
}
