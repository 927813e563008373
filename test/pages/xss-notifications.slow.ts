import t from 'tap'
import { noBrowser } from '../support/browser.ts'
import { openReader } from '../support/reader.ts'
import { openShop } from './shop/a-shop.ts'
import { foreignMarkup } from './xss-checks.ts'
import { payloads } from './xss-payloads.ts'

t.test('no text of a notification runs on any page', { skip: noBrowser || false }, async t => {
  const { app, call, platform, path, notifications } = await openShop(t)
  const { channel, rule, mute, delivery } = notifications
  let at = 0
  const text = () => payloads[at++ % payloads.length]!
  const texts = () => [text(), text(), text()]
  const fill = (sql: string, values: unknown[]) => platform.pool.query(sql, values)

  await fill('UPDATE notification_channels SET name = $1', [text()])
  await fill(`UPDATE notification_channels SET settings = $1 WHERE kind <> 'email'`, [{ host: text(), topic: text() }])
  await fill('UPDATE notification_rules SET name = $1, environments = $2, releases = $3, tags = $4', [text(), texts(), texts(), texts()])
  await fill('UPDATE notification_mutes SET reason = $1, environment = $2, labels = $3', [text(), text(), texts()])
  await fill('UPDATE notification_deliveries SET reason = $1, answer = $2', [text(), text()])
  await fill('UPDATE notification_attempts SET answer = $1', [text()])
  await fill('UPDATE error_groups SET name = $1', [text()])
  await fill('UPDATE alerts SET title = $1', [text()])
  const { page, address, problems } = await openReader(t, app)
  const url = `${path}/notifications`
  const { body: deliveries } = await call('GET', `${path}/notification_deliveries`)

  for (const one of [
    url,
    `${url}/channels/${channel}`,
    `${url}/channels/${channel + 1}`,
    `${url}/rules/${rule}`,
    `${url}/rules/new?channel=${encodeURIComponent(text())}`,
    '/admin/mail',
    '/-/profile/notifications',
    `/-/profile/notifications?search=${encodeURIComponent(text())}`,
    `${url}/mutes/${mute}`,
    `${url}/deliveries?status=${encodeURIComponent(text())}`,
    `${url}/deliveries/${delivery}`,
    ...deliveries.map(({ id }: { id: number }) => `${url}/deliveries/${id}`)
  ]) {
    await page.goto(address + one)
    t.same(await foreignMarkup(page), [], one)
  }
  t.same(problems, [], 'no script ran, no request left, and the content security policy had nothing to report')
})
