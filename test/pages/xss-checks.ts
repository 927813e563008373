import type { Page } from 'playwright-core'
import { rootPassword } from '../support/world.ts'

/** Elements, attributes and addresses that no page of ours has. */
export function foreignMarkup(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    // The browser's own view of text and JSON.
    if (document.contentType !== 'text/html') return []
    const names = 'iframe, object, embed, base, style, video, audio, math, marquee, frame, [srcdoc], [style], meta[http-equiv]'
    const elements = [...document.querySelectorAll('*')]
    const isForeign = element =>
      element.matches(names) ||
      (element.matches('script') && !element.matches('[type=module][src^="/-/"]')) ||
      [...element.attributes].some(({ name }) => name.startsWith('on'))
    const links = elements.flatMap(element => ['href', 'src', 'action', 'formaction'].map(name => element.getAttribute(name) ?? ''))

    return [
      ...elements.filter(isForeign).map(element => element.outerHTML.slice(0, 200)),
      ...links.filter(link => /^(?!https?:)[a-z]+:/i.test(link.replace(/[^!-~]/g, '')))
    ]
  })()`)
}

/** Collects dialogs, errors, CSP reports, and requests to other hosts. */
export function watch(page: Page) {
  const problems: string[] = []

  page.on('dialog', dialog => {
    problems.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('pageerror', error => problems.push(`error: ${error.message}`))
  page.on('console', message => {
    if (!/status of 40[04]/.test(message.text())) problems.push(`console: ${message.text()}`)
  })
  page.on('request', request => {
    if (!request.url().startsWith('http://127.0.0.1:')) problems.push(`request: ${request.url()}`)
  })

  return problems
}

export async function signIn(page: Page, address: string) {
  await page.goto(`${address}/users/sign_in`)
  await page.getByLabel('Username or e-mail').fill('root')
  await page.getByLabel('Password').fill(rootPassword)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(url => !url.pathname.includes('sign_in'))
}
