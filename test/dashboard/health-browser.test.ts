import t from 'tap'
import { Heartbeat } from '#platform/observability/heartbeat.ts'
import { openRegistry } from '#platform/observability/metrics.ts'
import { takeSample } from '#platform/observability/samples/sample-health.ts'
import { workerMetrics } from '#platform/observability/worker-metrics.ts'
import { look } from '../pages/look.ts'
import { noBrowser, openBrowser } from '../support/browser.ts'
import { listen } from '../support/listen.ts'
import { openApp, rootPassword } from '../support/world.ts'

t.test('the health and the queues fit a phone and a desk, and are accessible', { skip: noBrowser }, async t => {
  const { app, platform, config } = await openApp(t)
  const registry = openRegistry('worker')
  const metrics = workerMetrics(registry)
  const heartbeat = new Heartbeat(platform.pool, registry, platform.log, { name: 'worker.1@here', role: 'worker', queues: ['errors'] })
  const now = Date.now()

  for (const [n, reasons] of [['quota'], ['quota', 'duplicate', 'queue_full'], ['spike']].entries()) {
    metrics.stored('error', 500 * (n + 1))
    metrics.received(new Date(now - 2000).toISOString(), now)
    for (const reason of reasons) metrics.dropped(reason, 40)
    await heartbeat.beat()
    await takeSample({ em: platform.fork(), queues: platform.queues, git: platform.git, config }, new Date(now - (3 - n) * 60_000))
  }
  const base = await listen(app)
  const page = await (await openBrowser(t)).newPage()

  await page.goto(`${base}/users/sign_in`)
  await page.getByLabel('Username or e-mail').fill('root')
  await page.getByLabel('Password').fill(rootPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${base}/`)
  await page.goto(`${base}/admin`)
  await page.getByText('No worker processes').waitFor()
  await look(t, page, 'health')

  await platform.pool.query(`UPDATE processes SET queues = $1`, [
    [...new Set(platform.queues.names.map(name => platform.queues.queueOf(name)))]
  ])
  await platform.backlog.sample()
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
  await page.getByText('items per second are dropped: queue full').first().waitFor()
  await page.goto(`${base}/admin/queues`)
  await page.frameLocator('iframe').getByText('Maintenance').first().waitFor()
  await look(t, page, 'queues')
  await heartbeat.stop()
})
