import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { accessibilityProblems } from '../support/axe.ts'

const pictures = process.env.PICTURES

/** Accessible at both widths, light and dark, and nothing is wider than the page. With PICTURES, keeps how it looks. */
export async function collectPage(t: Test, page: Page, name: string) {
  const before = page.viewportSize()!

  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    t.equal(await page.evaluate('document.documentElement.scrollWidth'), width, `${name}: nothing is wider than ${width}`)
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      t.same(await accessibilityProblems(page), [], `${name} is accessible at ${width}, ${colorScheme}`)
      if (!pictures) continue
      mkdirSync(pictures, { recursive: true })
      await page.screenshot({ path: `${pictures}/${name}-${width}-${colorScheme}.png`, fullPage: true })
    }
  }
  await page.setViewportSize(before)
}
