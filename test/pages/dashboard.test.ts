import { mkdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { Registry } from 'prom-client'
import t from 'tap'
import Type from 'typebox'
import { Heartbeat } from '#platform/observability/heartbeat.ts'
import { handle } from '#platform/queue/handler.ts'
import { defineJob, InvalidPayload } from '#platform/queue/job.ts'
import { noBrowser, openBrowser } from '../support/browser.ts'
import { listen } from '../support/listen.ts'
import { eventually, onBothBackends, openApp, rootPassword, rootToken } from '../support/world.ts'

const pictures = process.env.PICTURES
const paint = defineJob({ name: 'maintenance.paint', queue: 'maintenance', item: Type.Object({ colour: Type.String() }), attempts: 1 })

onBothBackends(t, 'an admin retries and cleans failed jobs in a browser', async (t, kind) => {
  if (noBrowser) return void t.comment(noBrowser)
  const { app, platform, work } = await openApp(t, { kind })
  const painted: string[] = []
  const colours: string[] = []

  await work('maintenance', [
    handle(paint, async ([item]) => {
      if (!colours.includes(item!.colour)) throw new InvalidPayload(`there is no ${item!.colour}`)
      painted.push(item!.colour)
    })
  ])
  for (const colour of ['red', 'green']) await platform.queues.enqueue(paint, { colour })
  const failed = () => platform.queues.get('maintenance').getFailedCount()
  await eventually(async () => (await failed()) === 2, 'both jobs failed')

  await listen(app)
  await platform.backlog.sample()
  const page = await (await openBrowser(t)).newPage({ viewport: { width: 1280, height: 800 } })
  // The answer 401 is the sign-in page.
  const problems: string[] = []
  const hosts = new Set<string>()

  page.on('request', request => request.url().startsWith('http') && hosts.add(new URL(request.url()).hostname))
  page.on('console', message => message.type() === 'error' && !/401/.test(message.text()) && problems.push(message.text()))
  page.on('pageerror', error => problems.push(error.message))
  await page.goto(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}/admin/queues`)
  await picture(`sign-in-${kind}`)
  await page.getByLabel('Username or e-mail').fill('root')
  await page.getByLabel('Password').fill(rootPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(/\/admin\/queues$/)
  await page.frameLocator('iframe').getByText('Maintenance').first().waitFor()
  t.equal(await page.frameLocator('iframe').locator('kbd').first().isVisible(), false, 'Ctrl+K is the key of our own search')
  t.match(await page.locator('#queues tbody tr').allInnerTexts(), [
    /^errors\t0\t0\t–/,
    /^alerts/,
    /^incidents/,
    /^mail/,
    /^deliveries/,
    /^activity/,
    /^checks/,
    /^storage-moves/,
    /^maintenance\t0\t0\t–\t0\t0\t2\t/
  ])
  await picture(`queues-${kind}`)

  await page.goto(`${page.url()}/board/queue/maintenance?status=failed`)
  await page.getByText('there is no red').first().waitFor()
  await picture(`failed-${kind}`)

  colours.push('red')
  await page.getByRole('button', { name: 'Retry all' }).click()
  await click(/^confirm$/i)
  await eventually(() => painted.length === 1, 'one of those that were retried is done')
  await eventually(async () => (await failed()) === 1, 'the other failed again')
  // The dashboard spares what failed within the last few seconds, so it may take a second click.
  await eventually(async () => {
    if ((await failed()) === 0) return true
    await click('Clean all')
    await click(/^confirm$/i)
  }, 'and was cleaned away')

  t.same(painted, ['red'])
  t.same(problems, [], 'the page had no trouble')
  t.same([...hosts], ['127.0.0.1'], 'no other host was asked')

  /** Clicks a button that is there only sometimes: a question to confirm, or one that is drawn anew. */
  async function click(name: string | RegExp) {
    await page
      .getByRole('button', { name })
      .click({ timeout: 1500 })
      .catch(() => {})
  }

  async function picture(name: string) {
    if (!pictures) return
    mkdirSync(pictures, { recursive: true })
    await page.waitForLoadState('networkidle')
    await page.screenshot({ path: `${pictures}/${name}.png` })
  }
})

t.test('the sign-in page adapts to phones and to dark mode', { skip: noBrowser || false }, async t => {
  const { app } = await openApp(t)

  await listen(app)
  const browser = await openBrowser(t)

  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ viewport: { width: 375, height: 720 }, colorScheme, javaScriptEnabled: false })

    await page.goto(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}/users/sign_in`)
    const width = await page
      .locator('main')
      .evaluate(main => main.getBoundingClientRect().width)
      .catch(() => 0)
    if (pictures) await page.screenshot({ path: `${pictures}/phone-${colorScheme}.png` })
    t.ok(width <= 375, 'it fits the screen')
    t.equal(await page.evaluate('document.activeElement.id').catch(() => 'login'), 'login', 'and waits for the name')
  }
})

t.test('the dashboard lists the running processes', { skip: noBrowser || false }, async t => {
  const { app, platform } = await openApp(t)
  const heartbeat = new Heartbeat(platform.pool, new Registry(), platform.log, {
    name: 'worker.7@elsewhere',
    role: 'worker',
    queues: ['errors']
  })

  await heartbeat.beat()
  await platform.pool.query(
    `INSERT INTO processes VALUES ('worker.8@gone', 'worker', '{errors}', 'gone', 1, now() - interval '2 hours', now() - interval '1 hour', '')`
  )
  await listen(app)
  const page = await (await openBrowser(t)).newPage({ viewport: { width: 1000, height: 500 } })

  await page.setExtraHTTPHeaders({ 'private-token': rootToken })
  await page.goto(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}/admin/processes`)
  t.match(await page.locator('table').first().locator('tbody tr').allInnerTexts(), [
    /worker\.7@elsewhere\tworker\terrors\t\d+ s\t\d+ s ago/,
    /worker\.8@gone.*2 h.*60 min ago \(not responding\)/
  ])
  if (pictures) await page.screenshot({ path: `${pictures}/processes.png` })
})
