import t from 'tap'
import { noBrowser, openBrowser } from '../../support/browser.ts'
import { picture } from '../look.ts'
import { codeNow, Visitor } from '../visitor.ts'
import { openFlow, openPage, press, signIn } from './flow.ts'

t.test('a browser signs in with two factors, authorizes, and arrives at the application', { skip: noBrowser || false }, async t => {
  const { app, address, origin, url, received } = await openFlow(t)
  const { page, problems } = await openPage(await openBrowser(t))
  const visitor = new Visitor(app)

  await visitor.signIn()
  const { secret } = await visitor.enrol()
  await page.goto(url({ scope: 'api read_user openid' }))
  await picture(page, 'authorize-sign-in')
  await signIn(page)
  await page.getByLabel('Code', { exact: true }).fill(codeNow(secret, 1))
  await press(page, 'Sign in')

  await page.getByRole('heading', { name: 'Authorize Deploy board?' }).waitFor()
  await picture(page, 'consent')
  await press(page, 'Authorize')
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  t.equal(received[0]!.method, 'GET')
  t.equal(received[0]!.query.state, 'a state')
  t.match(received[0]!.query.code, /^\w{64}$/)
  t.equal(received[0]!.referer, undefined, 'RFC 9700 §4.2: no referrer')

  await page.goto(url({ prompt: 'consent' }))
  await press(page, 'Deny')
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  t.equal(received[1]!.query.error, 'access_denied')

  await page.goto(`${address}/oauth/authorize?client_id=1`)
  await picture(page, 'authorization-failed')
  t.equal(new URL(page.url()).origin, address)
  t.not(origin, address)
  t.same(problems, [], 'and the browser reported no problem')
})

t.test('form_post sends the code in a form, with and without scripts', { skip: noBrowser || false }, async t => {
  const { url, received } = await openFlow(t)
  const browser = await openBrowser(t)

  for (const javaScriptEnabled of [true, false]) {
    const { page } = await openPage(browser, javaScriptEnabled)

    await page.goto(url({ response_mode: 'form_post', prompt: 'consent' }))
    await signIn(page)
    await press(page, 'Authorize')
    if (!javaScriptEnabled) {
      await picture(page, 'form-post')
      await press(page, 'Continue')
    }
    await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  }
  t.same(
    received.map(({ method, query }) => [method, query.state, query.code?.length]),
    [
      ['POST', 'a state', 64],
      ['POST', 'a state', 64]
    ]
  )
})
