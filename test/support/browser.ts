import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import type { Test } from 'tap'

const program = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(path => existsSync(path))

/** Why browser tests cannot run here, or false when they can. */
export const noBrowser: false | string = program ? false : 'there is no Chromium'

export async function openBrowser(t: Test): Promise<Browser> {
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync'
  ]
  const browser = await chromium.launch({ executablePath: program, headless: true, args })

  t.teardown(() => browser.close())

  return browser
}
