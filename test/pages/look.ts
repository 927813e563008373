import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { accessibilityProblems } from '../support/axe.ts'

const pictures = process.env.PICTURES

/** Checks that the page of a browser fits and passes axe, and with `PICTURES` takes pictures of it. */
export async function look(t: Test, page: Page, name: string) {
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    t.equal(await page.evaluate('document.documentElement.scrollWidth'), width, `${name} fits ${width}`)
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      t.same(await accessibilityProblems(page), [], `${name} at ${width}, ${colorScheme}`)
    }
    if (!pictures) continue
    mkdirSync(pictures, { recursive: true })
    await page.screenshot({ path: `${pictures}/${name}-${width}.png`, fullPage: true })
  }
}
