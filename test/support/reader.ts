import type { FastifyInstance } from 'fastify'
import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { openBrowser } from './browser.ts'
import { listen } from './listen.ts'
import { rootPassword } from './world.ts'

interface Options {
  /** Opened first, by signing in. */
  path?: string
  width?: number
}

/** A page of a browser at the app's address, signed in as root. `problems` are what the browser reports, and requests to other hosts. */
export async function openReader(t: Test, app: FastifyInstance, { path = '/-/profile', width = 1440 }: Options = {}) {
  const address = await listen(app)
  const browser = await openBrowser(t)
  const page = await browser.newPage({ viewport: { width, height: 900 } })
  const problems = watch(page, address)
  const open = async (path: string) => {
    const response = await page.goto(address + path)

    // The last thing that the scripts do.
    await page.locator('html.scripted').waitFor()

    return response!
  }

  await open(path)
  await signIn(page)
  await page.locator('html.scripted').waitFor()

  return { browser, page, address, problems, open }
}

/** Sends the form of the page. */
export async function signIn(page: Page) {
  await page.getByLabel('Username or e-mail').fill('root')
  await page.getByLabel('Password').fill(rootPassword)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByLabel('Username or e-mail').waitFor({ state: 'detached' })
}

/** Collects dialogs, errors, CSP reports, and requests to other hosts. Pages may refuse. */
export function watch(page: Page, address: string) {
  const problems: string[] = []

  page.on('dialog', dialog => {
    problems.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('pageerror', error => problems.push(`error: ${error.message}`))
  page.on('console', message => {
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) problems.push(`console: ${message.text()}`)
  })
  page.on('request', request => {
    if (!request.url().startsWith(`${address}/`)) problems.push(`request: ${request.url()}`)
  })

  return problems
}
