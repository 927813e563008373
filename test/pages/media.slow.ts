import type { AddressInfo } from 'node:net'
import t from 'tap'
import { noBrowser, openBrowser } from '../support/browser.ts'
import { listen } from '../support/listen.ts'
import { openShop } from './shop/a-shop.ts'
import { addressesIn } from './shop/pages.ts'
import { Visitor } from './visitor.ts'

t.test('pages print without controls, keep their charts in forced colours, and do not move', { skip: noBrowser || false }, async t => {
  const shop = await openShop(t)
  const { app } = shop
  const visitor = new Visitor(app)
  const addresses = addressesIn(shop)
  const page = await (await openBrowser(t)).newPage({ viewport: { width: 1440, height: 900 } })

  await listen(app)
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  await visitor.signIn()
  await page.context().addCookies(Object.entries(visitor.cookies).map(([name, value]) => ({ name, value, url })))

  await page.goto(url + addresses['/projects/:id/errors/:fingerprint'])
  const icon = await page.locator('link[rel=icon]').getAttribute('href')
  t.hasStrict(await visitor.get(icon!), { statusCode: 200, headers: { 'content-type': 'image/svg+xml' } })
  t.hasStrict(await visitor.get('/favicon.ico'), { statusCode: 302, headers: { location: icon } })

  await page.emulateMedia({ media: 'print' })
  for (const hidden of ['.bar', '.sidebar', '.tabs', 'form', 'footer']) {
    const shown = `[...document.querySelectorAll('${hidden}')].filter(element => element.checkVisibility()).length`

    t.equal(await page.evaluate(shown), 0, `${hidden} is not printed`)
  }
  t.equal(await page.locator('.frame mark').first().isVisible(), true, 'the stack trace is printed')

  await page.emulateMedia({ media: 'screen', forcedColors: 'active', reducedMotion: 'reduce' })
  await page.goto(url + addresses['/projects/:id'])
  const [text, fill] = (await page.evaluate(
    `[getComputedStyle(document.body).color, getComputedStyle(document.querySelector('main rect[class^="tone-"]')).fill]`
  )) as [string, string]
  t.equal(fill, text, 'charts have the colour of text')
  t.same(await page.evaluate('document.getAnimations().length'), 0)
})
