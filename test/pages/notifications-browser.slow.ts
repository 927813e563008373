import { createServer } from 'node:net'
import t from 'tap'
import { openReceiver } from '../notifications/receiver.ts'
import { noBrowser, openBrowser } from '../support/browser.ts'
import { anEnvelope, anException, openProject } from '../support/factories.ts'
import { signIn } from '../support/reader.ts'
import { eventually } from '../support/world.ts'
import { collectPage } from './collect-page.ts'

t.test(
  'a channel is connected and tested, a rule is added, an error arrives, and its delivery is sent again',
  { skip: noBrowser || false },
  async t => {
    const port = await freePort()
    const address = `http://127.0.0.1:${port}`
    const { app, call, send, project, work } = await openProject(t, { env: { BASE_URL: address } })
    const receiver = await openReceiver(
      t,
      { status: 503, text: 'starting' },
      { status: 200, text: 'thanks' },
      { status: 400, text: 'no such room' },
      { status: 200 }
    )
    const page = await (await openBrowser(t)).newPage({ viewport: { width: 1440, height: 900 } })
    const problems: string[] = []
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    const follow = (name: string) => page.getByRole('link', { name, exact: true }).click()
    const collected = (name: string) => collectPage(t, page, name)

    await app.listen({ port, host: '127.0.0.1' })
    await work('deliveries')
    page.on('console', message => message.type() === 'error' && !/status of 400/.test(message.text()) && problems.push(message.text()))
    await page.goto(`${address}/users/sign_in`)
    await signIn(page)
    await page.goto(`${address}/projects/${project.id}`)
    await follow('Notifications')
    await collected('empty')

    await follow('Connect a channel')
    await collected('choice')
    await follow('Choose Signed webhook')
    await page.getByLabel('Name').fill('Pager')
    await page.getByLabel('URL').fill(receiver.url)
    await collected('new-channel')
    await press('Save channel')
    t.match(await page.getByLabel('Signing secret').inputValue(), /^whsec_/, 'the secret is shown once')
    await collected('channel')
    await press('Send a test')
    await page.getByText('The test was not accepted').waitFor()
    t.equal(await page.getByLabel('Answer').textContent(), '503: starting')
    t.equal(await page.getByLabel('Signing secret').count(), 0)
    await press('Send a test')
    await page.getByText('The test was accepted').waitFor()
    t.equal(await page.getByLabel('Answer').textContent(), '200: thanks')
    await collected('tested')

    await follow('Add a rule')
    t.ok(await page.getByLabel('Pager').isChecked(), 'the channel is chosen already')
    await page.getByText('Limit to environments').click()
    await page.getByLabel('Environments').fill('production')
    await page.getByText('By e-mail to members').click()
    await page.getByLabel('Maintainers').check()
    await collected('new-rule')
    await press('Save rule')
    await page.getByText('Rule saved.').waitFor()
    t.match(
      (await page.locator('.rows').first().textContent())!.replaceAll(/\s+/g, ' '),
      'When a new error appears or a resolved error comes back in environment production, notify Pager (Signed webhook) and Maintainers by e-mail.'
    )

    await send(anEnvelope({ ...anException('TypeError', 'it broke'), environment: 'staging' }))
    await send(anEnvelope({ ...anException('RangeError', 'out of stock'), environment: 'production' }))
    await eventually(
      async () => (await call('GET', `/projects/${project.id}/notification_deliveries?status=failed`)).body[0],
      'it is given up'
    )
    await page.reload()
    await page.getByText('New error: RangeError: out of stock').waitFor()
    t.notMatch(await page.locator('main').textContent(), /it broke/)
    await collected('overview')
    await follow('New error: RangeError: out of stock')
    await page.getByRole('cell', { name: '400: no such room' }).waitFor()
    await collected('delivery-failed')
    await press('Try again')
    await page.getByText('Sending it now.').waitFor()
    await page.getByRole('cell', { name: 'accepted' }).waitFor()
    await page.locator('#delivery', { hasText: /State\s*sent/ }).waitFor()
    t.equal(receiver.requests.length, 4)
    t.equal(receiver.requests[2]!.headers['webhook-id'], receiver.requests[3]!.headers['webhook-id'], 'as the same message')
    await collected('delivery')
    await follow('Notifications')
    await follow('All deliveries of the last 30 days')
    await page.getByLabel('State').selectOption({ label: 'sent' })
    await press('Filter')
    await page.waitForURL(/status=sent/)
    t.equal(await page.locator('.deliveries li').count(), 1)
    await collected('deliveries')

    await page.goto(`${address}/projects/${project.id}/notifications`)
    await follow('Mute')
    await page.getByLabel('Reason').fill('Upgrade of db-2')
    t.equal(await page.getByLabel('Ends').isVisible(), false)
    await page.getByLabel('Until').selectOption({ label: 'another time' })
    await page.getByLabel('Ends').fill('2020-01-01T09:00')
    await press('Mute')
    await page.getByText('The mute ends before it starts.').waitFor()
    await collected('new-mute')
    await page.getByLabel('Until').selectOption({ label: 'in 4 hours' })
    await page.getByLabel('Mute everything in the project').check()
    await press('Mute')
    await page.getByText('Mute saved.').waitFor()
    await send(anEnvelope({ ...anException('KeyError', 'unknown offer'), environment: 'production' }))
    await eventually(async () => (await call('GET', `/projects/${project.id}/notification_deliveries?status=held`)).body[0], 'it is held')
    await page.reload()
    await page.getByRole('link', { name: 'New error: KeyError: unknown offer' }).waitFor()
    await collected('mute')
    await press('End now: Upgrade of db-2')
    await page.getByText('Mute ended.').waitFor()
    await collected('with-mute')

    const [channel] = (await call('GET', `/projects/${project.id}/notification_channels`)).body
    await page.goto(`${address}/projects/${project.id}/notifications/channels/${channel.id}`)
    await page.getByText('Delete…', { exact: true }).click()
    await press('Delete Pager')
    await page.getByText('Channel deleted.').waitFor()
    t.match(
      (await page.locator('.rows').first().textContent())!.replaceAll(/\s+/g, ' '),
      'in environment production, notify Maintainers by e-mail.'
    )
    t.same(problems, [], 'the browser had nothing to report')
  }
)

function freePort() {
  return new Promise<number>(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }

      server.close(() => resolve(port))
    })
  })
}
