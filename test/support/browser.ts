import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import type { Test } from 'tap'
import { atEndOfProcess } from './shared.ts'

const program = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(path => existsSync(path))

/** Why browser tests cannot run here, or false when they can. */
export const noBrowser: false | string = program ? false : 'there is no Chromium'

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync'
]

let shared: Promise<Browser> | undefined

/** The browser of the process, without pages and without cookies of other tests. */
export async function openBrowser(t: Test): Promise<Browser> {
  shared ??= launch()
  const browser = await shared

  t.teardown(() => Promise.all(browser.contexts().map(context => context.close())))

  return browser
}

async function launch() {
  const browser = await chromium.launch({ executablePath: program, headless: true, args })

  atEndOfProcess(() => browser.close())

  return browser
}
