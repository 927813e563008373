import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { accessibilityProblems } from '../support/axe.ts'
import { noBrowser } from '../support/browser.ts'
import { openShop } from './shop/a-shop.ts'
import { picture } from './shop/picture.ts'
import { listVisits, unvisitedPages, visitEachPage } from './shop/visits.ts'

const widths = [390, 1440]
/** The last one is that of the pictures. */
const schemes = ['dark', 'light'] as const
/** A list of 25 has at most 60 KB; charts have a table of their figures, too. */
const maxBytes = (url: string) =>
  /\/(errors|alerts|incidents|issues|releases)$/.test(url) ? 60_000 : url.endsWith('/admin') ? 100_000 : 80_000
const maxCompressed = 12_000
/** A part of the addresses to look at, when not all are of interest. */
const pages = process.env.PAGES ?? ''
/** Its pages list all operations of the API. */
const isLong = (url: string) => url.includes('/help/')

t.test('every page passes axe at both widths, light and dark, fits, and asks no other host', { skip: noBrowser || false }, async t => {
  const shop = await openShop(t)
  const visits = await listVisits(shop)

  t.same(unvisitedPages(shop, visits), [], 'each page is visited: add new ones to test/pages/shop/pages.ts')
  const visited = visits.filter(({ route }) => route.includes(pages))

  await visitEachPage(t, shop, visited, async (t, page, { route, url }) => {
    for (const width of widths) {
      await checkPage(t, page, url, width)
      await picture(page, route, width)
      await checkMenus(t, page, route, width)
    }
  })
})

async function checkPage(t: Test, page: Page, url: string, width: number) {
  await page.setViewportSize({ width, height: 900 })
  const response = await page.goto(url)
  const html = await response!.body()

  t.equal(page.url(), url, 'it was not redirected')
  t.equal(response!.status(), url.endsWith('/nothing') ? 404 : 200)
  if (!isLong(url)) {
    t.ok(html.length < maxBytes(url), `${html.length} bytes`)
    t.ok(gzipSync(html).length < maxCompressed, `${gzipSync(html).length} bytes compressed`)
  }
  t.equal(await page.evaluate('document.documentElement.scrollWidth'), width, `nothing is wider than ${width}`)
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme })
    t.same(await accessibilityProblems(page), [], `axe at ${width}, ${colorScheme}`)
  }
}

/** Each menu opens inside the page, and axe finds nothing in it. */
async function checkMenus(t: Test, page: Page, route: string, width: number) {
  const menus = page.locator('details:is(.dropdown, .level-menu)')

  for (let n = 0; n < (await menus.count()); n++) {
    const menu = menus.nth(n)
    const name = `the menu ${((await menu.locator('summary').first().textContent()) ?? '').trim()}`

    if (!(await menu.isVisible())) continue
    await menu.evaluate(details => details.toggleAttribute('open', true))
    const box = await menu.locator('> div').boundingBox()

    t.ok(box && box.x >= 0 && box.x + box.width <= width, `${name} is inside ${width}: ${JSON.stringify(box)}`)
    t.equal(await page.evaluate('document.documentElement.scrollWidth'), width, `${name} makes nothing wider than ${width}`)
    t.same(await accessibilityProblems(page), [], `${name}: axe at ${width}`)
    await picture(page, `${route} menu ${n + 1}`, width)
    await menu.evaluate(details => details.toggleAttribute('open', false))
  }
}
