import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import { noBrowser, openBrowser } from '../support/browser.ts'
import { openProject } from '../support/factories.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { listen } from '../support/listen.ts'
import { eventually } from '../support/world.ts'
import { serveShop } from './fixtures/pages.ts'

const script = readFileSync(join(import.meta.dirname, 'fixtures', 'shop.js'), 'utf8')

t.test('@sentry/browser sends events, sessions and feedback from another origin', { skip: noBrowser || false }, async t => {
  const { dsn, address, intake, untilStored, call, path, platform, project } = await openShop(t)
  const website = await serveShop(t, { scripts: { '/shop.js': script } })
  const page = await (await openBrowser(t)).newPage()
  const refused: string[] = []

  page.on('console', message => /CORS|Failed to load/.test(message.text()) && refused.push(message.text()))
  await page.goto(`${website}/?dsn=${encodeURIComponent(dsn)}`)
  await page.getByRole('button', { name: 'Pay' }).click()
  await page.evaluate('reject()')
  await page.evaluate('say()')
  await page.evaluate('complain()')
  await page.evaluate('flush()')
  const errors = await untilStored(3)
  const named = (name: string) => errors.find((error: { name: string }) => error.name === name)

  t.equal(errors.length, 3)
  const typeError = named('TypeError')
  t.hasStrict(typeError, { description: 'The card was declined', platform: 'javascript', level: 'error' })
  t.match(typeError.actor, /charge/)
  t.hasStrict(named('SyntaxError'), { description: 'Nobody waits for this', level: 'error' })
  t.hasStrict(named('The till is low on paper'), { level: 'warning' })
  t.same(refused, [])

  // A header of its own makes the browser ask first, and hide what it may not show.
  const asks = `fetch('${address}${intake}', { method: 'POST', body: '{}', headers: { 'X-Sentry-Auth': 'Sentry sentry_key=nobody' } })`
  t.match(await page.evaluate(`${asks}.then(({ status, headers }) => [status, headers.get('x-sentry-error')])`), [403, /client key/])

  const { body: event } = await call('GET', `${path}/errors/${typeError.fingerprint}/events/latest`)
  t.hasStrict(event, { release: 'shop@1.2.3', environment: 'testing', tags: { till: '4', url: `${website}/` } })
  t.match(event, { tags: { 'browser.name': /Chrom/ } })
  const { exception, breadcrumbs, request, user } = JSON.parse(event.payload)
  hasExactly(t, exception.values, [{ type: 'RangeError' }, { type: 'TypeError' }])
  t.hasStrict(exception.values[1].stacktrace.frames.at(-1), { function: 'charge', filename: `${website}/shop.js`, in_app: true })
  t.ok(breadcrumbs.values.map(({ message }: { message: string }) => message).includes('The cart was opened'))
  const url = `${website}/?dsn=${encodeURIComponent(dsn.replace(/glet_\w+/, '[Filtered]'))}`

  t.hasStrict({ request, user }, { request: { url }, user: { id: '17' } }, 'the key in its address is scrubbed')

  const { rows: feedback } = await platform.pool.query('SELECT name, email, comments FROM error_feedback WHERE project_id = $1', [
    project.id
  ])
  hasExactly(t, feedback, [{ name: 'Ann', email: 'ann@example.com', comments: 'I could not pay' }])

  const sessions = await eventually(async () => {
    const { rows } = await platform.pool.query('SELECT release, environment, started, errored, crashed FROM error_sessions')

    return rows[0]?.errored > 0 && rows
  }, 'the session of the page had errors')
  t.same(sessions, [{ release: 'shop@1.2.3', environment: 'testing', started: 1, errored: 1, crashed: 0 }])
})

t.test('browsers report violations of a Content-Security-Policy', { skip: noBrowser || false }, async t => {
  const { address, intake, key, untilStored } = await openShop(t)
  const report = `${address}${intake.replace('/envelope/', '/security/')}?sentry_key=${key.public_key}&sentry_release=shop%401.2.3`
  const policy = `default-src 'self' 'unsafe-inline'; img-src 'none'; report-uri ${report}`
  const website = await serveShop(t, { headers: { 'content-security-policy': policy } })
  const page = await (await openBrowser(t)).newPage()

  await page.goto(website)
  await page.evaluate("new Image().src = 'https://tracker.example/pixel.gif'")
  // The browser may miss its own icon as well.
  const error = await eventually(
    async () => (await untilStored(1)).find(({ name }: { name: string }) => /img-src.*tracker\.example/.test(name)),
    'the picture that was forbidden is reported'
  )

  t.hasStrict(error, { level: 'warning', first_release: 'shop@1.2.3' })
})

const borderRadius = `[...document.querySelectorAll('div')].flatMap(div => div.shadowRoot ? [getComputedStyle(div.shadowRoot.querySelector('dialog')).borderRadius] : [])[0]`

t.test('the report dialog of @sentry/browser sends what the visitor writes', { skip: noBrowser || false }, async t => {
  const { dsn, address, platform, call, path, untilStored } = await openShop(t)
  // The page allows no styles at all, and only its own scripts besides the dialog.
  const policy = `default-src 'none'; script-src 'self' 'unsafe-inline' ${address}; connect-src ${address}`
  const website = await serveShop(t, { scripts: { '/shop.js': script }, headers: { 'content-security-policy': policy } })
  const page = await (await openBrowser(t)).newPage({ viewport: { width: 360, height: 640 } })
  const options = {
    title: '<img src=x onerror=alert(1)>',
    labelComments: 'Tell us',
    user: { name: 'Ann', email: 'ann@example.com' },
    successMessage: 'Thanks'
  }

  await page.goto(`${website}/?dsn=${encodeURIComponent(dsn)}`)
  await page.getByRole('button', { name: 'Pay' }).click()
  await page.evaluate(`ask(${JSON.stringify(options)})`)
  const dialog = page.getByRole('dialog')

  await dialog.getByRole('heading', { name: options.title }).waitFor()
  t.equal(await page.evaluate(borderRadius), '8px', 'it has its styles')
  t.equal(await dialog.getByLabel('Name').inputValue(), 'Ann')
  t.equal(await dialog.getByLabel('Email').inputValue(), 'ann@example.com')
  t.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, 'it fits a phone')
  await dialog.getByRole('button', { name: 'Submit crash report' }).click()
  t.equal(await page.evaluate('window.isClosed'), undefined, 'the comments are required')
  await page.keyboard.type('I could not pay </script>')
  await dialog.getByRole('button', { name: 'Submit crash report' }).click()
  await dialog.getByRole('status').getByText('Thanks').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.waitForFunction('window.isClosed')
  t.equal(await page.getByRole('dialog').count(), 0)

  const [error] = await untilStored(1)
  const feedback = await eventually(async () => {
    const { body } = await call('GET', `${path}/errors/${error.fingerprint}/feedback`)

    return body.length > 0 && body
  }, 'the report is stored')
  hasExactly(t, feedback, [{ name: 'Ann', email: 'ann@example.com', comments: 'I could not pay </script>' }])
  t.equal((await platform.pool.query('SELECT FROM error_feedback')).rowCount, 1)
})

/** A project that browsers can reach. */
async function openShop(t: Test) {
  const shop = await openProject(t)

  await listen(shop.app)
  const address = `http://127.0.0.1:${(shop.app.server.address() as AddressInfo).port}`

  return { ...shop, address, dsn: shop.key.sentry_dsn.replace('tocsin.test', address.slice('http://'.length)) }
}
