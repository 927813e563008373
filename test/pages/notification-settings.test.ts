import t from 'tap'
import { noBrowser } from '../support/browser.ts'
import { openReader } from '../support/reader.ts'
import { openApp } from '../support/world.ts'
import { collectPage } from './collect-page.ts'
import { Visitor } from './visitor.ts'

const home = '/-/profile/notifications'

t.test('users set what they get e-mail about, to a confirmed address of theirs', async t => {
  const { app, call, platform } = await openApp(t)
  const visitor = new Visitor(app)
  const setting = async () => (await call('GET', '/notification_settings')).body
  const save = (fields: Record<string, string | string[]>) => visitor.post(home, fields)

  await visitor.signIn()
  await visitor.post('/-/profile/emails', { email: 'night@example.com' })
  t.match((await visitor.get('/-/profile/emails')).body, 'No mail server is configured')
  t.notMatch((await visitor.get(home)).body, 'night@example.com', 'an address that is not confirmed is not offered')
  t.match(await save({ level: 'watch', notification_email: 'night@example.com' }), {
    statusCode: 400,
    body: /id="notification_email-error"/
  })
  await platform.pool.query('UPDATE user_emails SET confirmed_at = now()')
  t.match((await visitor.get(home)).body, '<option value="night@example.com">')
  for (let n = 0; n < 2; n++) {
    t.equal(
      (await save({ level: 'custom', events: ['new_issue', 'failed_pipeline'], notification_email: 'night@example.com' })).statusCode,
      303
    )
  }
  const { level, notification_email: address, events } = await setting()

  t.same([level, address], ['custom', 'night@example.com'])
  t.same(
    Object.keys(events).filter(flag => events[flag]),
    ['new_issue', 'failed_pipeline']
  )
  t.match((await visitor.get(home)).body, /id="events-new_issue" name="events" value="new_issue" checked/)
})

t.test('groups and projects have settings of their own, which a menu on their page sets, too', async t => {
  const { app, call } = await openApp(t)
  const { body: group } = await call('POST', '/groups', { name: 'Team', path: 'team' })
  const { body: project } = await call('POST', '/projects', { name: 'Shop', path: 'shop', namespace_id: group.id })
  const { body: user } = await call('POST', '/users', { username: 'dev', name: 'Dev', email: 'dev@example.com', password: 'correct horse' })
  const visitor = new Visitor(app)
  const ofProject = `${home}/projects/${project.id}`

  await visitor.signIn()
  t.match((await visitor.get(home)).body, /aria-label="Team: notify me: default"[\s\S]*aria-label="Shop: notify me: default"/)
  t.notMatch((await visitor.get(`${home}?search=shop`)).body, 'aria-label="Team')
  t.match((await visitor.get('/team')).body, `action="${home}/groups/${group.id}"`)
  visitor.headers = { ...visitor.headers, host: 'tocsin.test', referer: `http://tocsin.test/projects/${project.id}/notifications` }
  await visitor.get(`/projects/${project.id}/notifications`)
  const chosen = await visitor.post(ofProject, { level: 'mention', from: 'menu' })

  t.equal(chosen.statusCode, 303)
  t.equal(chosen.headers.location, `/projects/${project.id}/notifications`, 'back to the page with the menu')
  t.same((await call('GET', `/projects/${project.id}/notification_settings`)).body, { level: 'mention' })
  t.equal((await visitor.post(`${home}/groups/${group.id}`, { level: 'custom', events: 'new_note' })).statusCode, 303)
  t.equal((await call('GET', `/groups/${group.id}/notification_settings`)).body.events.new_note, true)
  await call('PUT', `/projects/${project.id}`, { visibility: 'private' })
  const stranger = new Visitor(app)

  await stranger.signIn({ login: user.username, password: 'correct horse' })
  t.equal((await stranger.get(ofProject)).statusCode, 404)
})

t.test('the level is chosen with the keyboard, and events are shown for the level "custom"', { skip: noBrowser || false }, async t => {
  const { app, call } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })

  const { page, address } = await openReader(t, app)

  await page.goto(`${address}/projects/${project.id}/notifications`)
  await page.locator('.level-menu summary').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^Watch/ }).press('Enter')
  await page.getByText('saved: Watch.').waitFor()
  await page.goto(address + home)
  t.equal(await page.getByLabel('A comment is added').isVisible(), false)
  await collectPage(t, page, 'settings')
  await page.getByLabel('Custom').check()
  await page.getByLabel('A comment is added').check()
  await page.getByText('Events that do not exist here yet').click()
  await collectPage(t, page, 'settings-custom')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Notification settings saved.').waitFor()
  t.equal((await call('GET', '/notification_settings')).body.events.new_note, true)
})
