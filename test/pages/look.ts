import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { accessibilityProblems } from '../support/axe.ts'

const folder = process.env.PICTURES
const widths = [390, 1440]
/** The last ones of both are those that the page keeps. */
const schemes = ['dark', 'light'] as const

/** Checks on a phone and on a desk, by night and by day, that the page of a browser fits and passes axe, and takes pictures. */
export async function look(t: Test, page: Page, name: string) {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    t.equal(await page.evaluate('document.documentElement.scrollWidth'), width, `${name} fits ${width}`)
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme })
      t.same(await accessibilityProblems(page), [], `${name} at ${width}, ${colorScheme}`)
    }
  }
  await picture(page, name)
}

/** Takes pictures of the page on a phone and on a desk, by night and by day, if PICTURES names a folder. */
export async function picture(page: Page, name: string) {
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  for (const width of widths) {
    for (const colorScheme of schemes) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png`, fullPage: true })
    }
  }
}
