import t, { type Test } from 'tap'
import { openApp } from '../support/world.ts'
import { aMember } from './a-member.ts'
import { openWithMail } from './mailed-links.ts'
import { Visitor } from './visitor.ts'

const path = '/admin/users'
const cleo = { name: 'Cleo Park', username: 'cleo', email: 'cleo@example.com', projects_limit: '5', password: '' }
const password = 'tall green window'

async function openRoot(t: Test, open: typeof openWithMail | typeof openApp = openApp) {
  const world = await open(t)
  const root = new Visitor(world.app)

  await root.signIn()
  await root.get(`${path}/new`)

  return { ...world, root }
}

function choose(visitor: Visitor, link: string) {
  return visitor.post('/users/password/edit', { reset_password_token: link.split('token=')[1]!, password, again: password })
}

function shownLink(body: string) {
  return /value="http:\/\/tocsin\.test(\/users\/password\/edit\?reset_password_token=[^"]+)"/.exec(body)?.[1]
}

t.test('a new user is mailed one link, with which they choose a password and confirm the address', async t => {
  const world = await openWithMail(t)
  const { app, call, linkTo, mailsTo } = world
  const root = new Visitor(app)

  await root.signIn()
  t.match((await root.get(`${path}/new`)).body, /Leave empty to e-mail them a link/)
  const { headers } = await root.post(path, cleo)
  t.match((await root.get(headers.location!)).body, /A link to choose a password was e-mailed to cleo@example\.com\./)
  const link = await linkTo('cleo@example.com', 'Your account at tocsin.test')
  t.equal(mailsTo('cleo@example.com').length, 1)
  t.match(mailsTo('cleo@example.com')[0], /\(@root\) created the account cleo for you/)
  const visitor = new Visitor(app)
  t.notMatch((await visitor.get(link)).body, /signs you out/)
  t.equal((await choose(visitor, link)).statusCode, 303)
  t.equal((await choose(visitor, link)).statusCode, 400)
  t.equal((await visitor.signIn({ login: 'cleo', password })).statusCode, 303)
  t.type((await call('GET', headers.location!.replace('/admin', ''))).body.confirmed_at, 'string')
})

t.test('users of the API with `reset_password` are mailed the same link', async t => {
  const { call, linkTo } = await openWithMail(t)

  t.equal((await call('POST', '/users', { ...cleo, password: undefined, reset_password: true })).status, 201)
  t.match(await linkTo('cleo@example.com', 'Your account at tocsin.test'), /reset_password_token=/)
})

t.test('an admin sends a user a link, and the change is told', async t => {
  const world = await openWithMail(t)
  const { app, linkTo, mailTo, platform } = world
  const ann = await aMember(world, 'ann', { skip_confirmation: true })
  const root = new Visitor(app)

  await root.signIn()
  t.match((await root.get(`${path}/${ann.id}`)).body, /e-mailed to <strong>ann@example\.com[\s\S]+E-mail a link/)
  t.equal((await root.post(`${path}/${ann.id}/password_link`)).statusCode, 303)
  t.match((await root.get(`${path}/${ann.id}`)).body, /E-mailed a link to choose a password/)
  t.equal((await choose(new Visitor(app), await linkTo('ann@example.com', 'Reset your password'))).statusCode, 303)
  await mailTo('ann@example.com', 'Your password was changed')
  t.equal((await ann.get('/-/profile')).statusCode, 401)
  t.same(
    (
      await platform.pool.query(
        `SELECT name, author_id, details->'mailed' AS mailed FROM audit_events WHERE name ~ '^password_' ORDER BY id`
      )
    ).rows,
    [
      { name: 'password_link_created', author_id: 1, mailed: true },
      { name: 'password_reset', author_id: ann.id, mailed: null }
    ]
  )
})

t.test('without a mail server, the link is shown once, to be handed over', async t => {
  const world = await openRoot(t)
  const { app, root, call } = world

  t.match((await root.get(`${path}/new`)).body, /Leave empty to get a link/)
  const created = await root.post(path, cleo)
  t.equal(created.statusCode, 201)
  t.match(created.body, /Give it to @cleo\. It works once, within seven days, and is not shown again\./)
  const [user] = (await call('GET', '/users?username=cleo')).body
  const page = `${path}/${user.id}`
  t.notOk(shownLink((await root.get(page)).body))
  t.equal((await choose(new Visitor(app), shownLink(created.body)!)).statusCode, 303)
  const again = await root.post(`${page}/password_link`)
  t.equal(again.statusCode, 201)
  t.match(again.body, /within two hours/)
  t.equal((await choose(new Visitor(app), shownLink(again.body)!)).statusCode, 303)
})

t.test('blocked users get no link', async t => {
  const world = await openRoot(t)
  const ann = await aMember(world, 'ann')

  await world.call('POST', `/users/${ann.id}/block`)
  t.notMatch((await world.root.get(`${path}/${ann.id}`)).body, /password_link/)
  t.match(await world.root.post(`${path}/${ann.id}/password_link`), { statusCode: 400, body: /Only active users can choose a password/ })
})

t.test('an admin turns off a second factor that was lost, but not their own', async t => {
  const world = await openRoot(t)
  const { app, root, platform } = world
  const ann = await aMember(world, 'ann')

  await platform.pool.query(`UPDATE users SET totp_enabled_at = now(), totp_secret = '\\x00', recovery_codes = '{"\\\\x00"}'`)
  t.match((await root.get(`${path}/${ann.id}`)).body, /Turn off two-factor authentication/)
  t.notMatch((await root.get(`${path}/1`)).body, /Turn off two-factor authentication/)
  for (const times of [1, 2]) t.equal((await root.post(`${path}/${ann.id}/two_factor`)).statusCode, 303, `${times}`)
  t.match(await root.post(`${path}/1/two_factor`), { statusCode: 400, body: /Turn off your own second factor in your settings/ })
  const { rows } = await platform.pool.query(
    'SELECT totp_enabled_at IS NULL AS off, totp_secret, recovery_codes AS codes FROM users ORDER BY id LIMIT 2'
  )
  t.same(rows[1], { off: true, totp_secret: null, codes: [] })
  t.equal(rows[0].off, false)
  t.same((await platform.pool.query(`SELECT author_id, entity_id FROM audit_events WHERE name = 'two_factor_disabled'`)).rows, [
    { author_id: 1, entity_id: ann.id }
  ])
  t.equal((await new Visitor(app).signIn({ login: 'ann', password: 'a password, n-n-a' })).headers.location, '/')
})

t.test('only admins send links, turn off second factors and impersonate', async t => {
  const world = await openRoot(t)
  const ann = await aMember(world, 'ann')

  for (const action of ['password_link', 'two_factor', 'impersonation']) {
    t.equal((await ann.post(`${path}/1/${action}`)).statusCode, 403, action)
    t.equal((await new Visitor(world.app).post(`${path}/1/${action}`)).statusCode, 401, action)
  }
})
