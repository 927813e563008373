import t from 'tap'
import { look } from '../pages/look.ts'
import { noBrowser, openBrowser } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { openSmtpServer } from '../support/smtp.ts'
import { Launch, openPlace, readWelcome } from './launcher.ts'

t.test('from npm start to a notified error: nothing but the browser, and no restart', { skip: noBrowser }, async t => {
  const smtp = await openSmtpServer(t)
  const place = await openPlace(t)
  const launch = new Launch(place)

  await launch.ready()
  const { address, admin, password } = readWelcome(launch.output)
  const page = await (await openBrowser(t)).newPage()
  const open = (path: string) => page.goto(`${address}${path}`)
  const press = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).click()

  await open('/')
  await page.fill('[name=login]', admin)
  await page.fill('[name=password]', password)
  await press('Sign in')
  await page.fill('[name=password]', 'a password of my own')
  await page.fill('[name=again]', 'a password of my own')
  await page.locator('main form button').first().click()
  await page.waitForSelector('.steps')
  await look(t, page, 'home')

  await page.click('text=Confirm the address')
  t.equal(await page.inputValue('[name=base_url]'), address)
  await look(t, page, 'address')
  await page.fill('[name=base_url]', 'https://elsewhere.example')
  await press('Save')
  await page.waitForSelector('[name=is_sure]')
  await look(t, page, 'address-elsewhere')
  await page.fill('[name=base_url]', address)
  await press('Save')
  await page.waitForSelector('text=Address saved.')

  await open('/admin/mail')
  await look(t, page, 'mail-none')
  await page.fill('[name=host]', '127.0.0.1')
  await page.fill('[name=port]', '9')
  await press('Send a test message to me')
  await page.waitForSelector('text=refused the connection')
  await look(t, page, 'mail-refused')
  await page.fill('[name=port]', new URL(smtp.url).port)
  await page.selectOption('[name=security]', 'none')
  await press('Send a test message to me')
  await page.waitForSelector('text=accepted the test')
  await look(t, page, 'mail-accepted')
  await press('Save')
  await page.waitForSelector('text=Mail server saved.')

  await open('/')
  await page.click('.steps >> text=New project')
  await page.fill('[name=name]', 'Shop')
  await press('Create project')
  await page.waitForURL(/\/projects\/\d+\/setup/)
  const dsn = /http:\/\/(\w+)@[^/]+(\/\S+?)\/(\d+)(?=["'`<&\s])/.exec((await page.textContent('main'))!)!
  await open('/')
  await page.click('.steps >> text=Add a rule')
  await page.check('[name=triggers][value="error.new"]')
  await page.check('[name=roles][value=owner]')
  await press('Save rule')
  await page.waitForURL(/notifications/)

  const envelope = '{}\n{"type":"event"}\n{"message":"The first error","level":"error","platform":"other"}\n'
  const sent = await fetch(`${address}${dsn[2]}/api/${dsn[3]}/envelope/?sentry_key=${dsn[1]}`, { method: 'POST', body: envelope })
  t.equal(sent.status, 200)
  const letter = await eventually(() => smtp.letters.find(({ data }) => data.includes('The first error')), 'it is notified', 60_000)
  t.match(letter.data.replaceAll('=\n', ''), `${address}/projects/`)

  await open('/')
  t.equal(await page.locator('.steps .done').count(), 3)
  await press(/^Skip\s*: Invite the team/)
  await page.waitForSelector('h1:has-text("Home")')
  t.equal(await page.locator('.steps').count(), 0)
  await open('/first_steps')
  await look(t, page, 'first-steps')
  await open('/admin/settings')
  await look(t, page, 'settings')

  await open('/admin/mail')
  await look(t, page, 'mail-stored')
  await press('Remove the mail server')
  await page.waitForSelector('text=Mail server removed.')
  await open('/projects/1/members')
  await page.fill('[name=who]', 'joe@example.com')
  await press('Add member')
  await page.waitForSelector('text=send them the link below')
  t.match(await page.locator('figure.copy pre').textContent(), `${address}/-/invites/`)
  await look(t, page, 'invitation')

  t.equal(await launch.ended('SIGTERM'), 0)
})
