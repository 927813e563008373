import t from 'tap'
import { deleteUnconfirmedEmails } from '#identity/emails/confirm-email.ts'
import { Visitor } from '../pages/visitor.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { openSmtpServer } from '../support/smtp.ts'
import { eventually, openApp } from '../support/world.ts'
import { aPerson } from './people.ts'

const password = 'long enough'

async function withMail(t: Parameters<typeof openApp>[0]) {
  const smtp = await openSmtpServer(t)
  const world = await openApp(t, { env: { SMTP_URL: smtp.url } })

  await world.work('mail')
  await world.work('deliveries')
  /** The address of the link in the only message to an address. */
  const linkTo = async (email: string) => {
    const letter = await eventually(() => smtp.letters.find(({ to }) => to[0] === email), `${email} gets a link`)
    const [, token] = /confirmation_token=([\w.-]+)/.exec(letter.data.replaceAll('=\n', '').replaceAll('=3D', '=')) ?? []

    return `/users/confirmation?confirmation_token=${token}`
  }

  return { ...world, smtp, linkTo }
}

t.test('users add, list, show and delete addresses, which are theirs alone', async t => {
  const { call, platform } = await openApp(t)
  const { id, token } = await aPerson(call, 'jane')
  const joe = await aPerson(call, 'joe')
  const add = (email: string, by = token) => call('POST', '/user/emails', { email, skip_confirmation: true }, by)
  const { status, body: added } = await add('jane@home.example')

  t.equal(status, 201)
  t.same(added, { id: added.id, email: 'jane@home.example', confirmed_at: null }, 'users cannot skip the confirmation')
  t.same((await call('GET', '/user/emails', undefined, token)).body, [added])
  t.same((await call('GET', `/user/emails/${added.id}`, undefined, token)).body, added)
  t.same((await call('GET', `/users/${id}/emails`)).body, [added])
  t.equal((await call('GET', `/users/${id}/emails`, undefined, joe.token)).status, 403)
  t.equal((await call('GET', `/user/emails/${added.id}`, undefined, joe.token)).status, 404)

  const duplicate = { status: 400, body: { message: { email: ['has already been taken'] } } }
  for (const email of ['JANE@home.example', 'jane@example.com', 'joe@example.com'])
    hasExactly(t, await add(email, joe.token), duplicate, email)
  hasExactly(t, await call('PUT', `/users/${joe.id}`, { email: 'Jane@home.example' }), {
    status: 409,
    body: { message: 'Email has already been taken' }
  })
  const person = { username: 'j', name: 'J', email: 'jane@HOME.example', force_random_password: true }
  t.equal((await call('POST', '/users', person)).status, 409)
  hasExactly(t, await add('nonsense'), { status: 400, body: { message: { email: ['is invalid'] } } })

  t.equal((await call('DELETE', `/user/emails/${added.id}`, undefined, joe.token)).status, 404)
  t.equal((await call('DELETE', `/user/emails/${added.id}`, undefined, token)).status, 204)
  t.same((await call('GET', '/user/emails', undefined, token)).body, [])
  t.equal((await add('jane@home.example', joe.token)).status, 201)
  t.same((await platform.pool.query(`SELECT name FROM audit_events WHERE name ~ '^email_' ORDER BY id`)).rows, [
    { name: 'email_added' },
    { name: 'email_removed' },
    { name: 'email_added' }
  ])
})

t.test('of several users who claim an address at once, one gets it', async t => {
  const { call } = await openApp(t)
  const people = await Promise.all(['a', 'b', 'c'].map(name => aPerson(call, name)))
  const answers = await Promise.all([
    ...people.map(({ token }) => call('POST', '/user/emails', { email: 'new@example.com' }, token)),
    call('PUT', `/users/${people[0]!.id}`, { email: 'NEW@example.com' })
  ])
  const { body: users } = await call('GET', '/users?per_page=100')
  const emails = await Promise.all(people.map(async ({ id }) => (await call('GET', `/users/${id}/emails`)).body))
  const owners = [...users, ...emails.flat()].filter(({ email }: { email: string }) => email.toLowerCase() === 'new@example.com')

  t.ok(answers.some(({ status }) => status < 300))
  t.equal(owners.length, 1)
})

t.test('an admin makes an address primary, and the former one stays', async t => {
  const { call } = await openApp(t)
  const { id, token } = await aPerson(call, 'jane')
  const { body: added } = await call('POST', `/users/${id}/emails`, { email: 'jane@home.example', skip_confirmation: true })

  t.match(added, { confirmed_at: String })
  t.hasStrict(await call('PUT', `/users/${id}`, { public_email: 'jane@home.example' }), { body: { public_email: 'jane@home.example' } })
  t.hasStrict(await call('PUT', `/users/${id}`, { email: 'jane@home.example' }), { body: { email: 'jane@home.example' } })
  t.hasStrict((await call('GET', '/user/emails', undefined, token)).body, [{ id: added.id, email: 'jane@example.com' }])
  t.equal((await call('GET', '/user', undefined, token)).body.email, 'jane@home.example')

  const { body: unconfirmed } = await call('POST', '/user/emails', { email: 'jane@work.example' }, token)
  const foreign = { status: 400, body: { message: { public_email: ['is not an email you own'] } } }
  hasExactly(t, await call('PUT', `/users/${id}`, { public_email: unconfirmed.email }), foreign, 'an unconfirmed address cannot be shown')
  hasExactly(t, await call('PUT', `/users/${id}`, { public_email: 'root@localhost' }), foreign)
  await call('PUT', `/users/${id}`, { public_email: 'jane@example.com' })
  await call('DELETE', `/user/emails/${added.id}`, undefined, token)
  t.equal((await call('GET', `/users/${id}`)).body.public_email, null, 'a deleted address is not shown')
})

t.test('a user has at most 20 further addresses', async t => {
  const { call, platform } = await openApp(t)

  await platform.pool.query(`INSERT INTO user_emails (user_id, email) SELECT 1, n || '@example.com' FROM generate_series(1, 19) AS n`)
  const statuses = await Promise.all(
    ['a', 'b', 'c'].map(async name => (await call('POST', '/user/emails', { email: `${name}@example.com` })).status)
  )

  t.same(statuses.sort(), [201, 400, 400])
})

t.test('the link in a mail confirms an address, once the form behind it is sent', async t => {
  const { app, call, linkTo, platform } = await withMail(t)
  const { id, token } = await aPerson(call, 'jane', { skip_confirmation: true })
  const visitor = new Visitor(app)

  await call('POST', '/user/emails', { email: 'jane@home.example' }, token)
  const confirmedAt = async () => (await call('GET', '/user/emails', undefined, token)).body[0].confirmed_at
  const link = await linkTo('jane@home.example')
  const [url, confirmation_token] = link.split('?confirmation_token=') as [string, string]

  t.match((await visitor.get(link)).body, /<strong>jane@home\.example<\/strong> the address of <strong>jane<\/strong>/)
  t.equal(await confirmedAt(), null, 'opening the link is not enough: scanners do that')
  t.equal((await visitor.post(url, { confirmation_token })).statusCode, 200)
  const first = await confirmedAt()
  t.type(first, 'string')
  t.equal((await visitor.post(url, { confirmation_token })).statusCode, 200)
  t.equal(await confirmedAt(), first, 'twice is once')
  t.same(
    (await platform.pool.query(`SELECT entity_id, details->>'email' AS email FROM audit_events WHERE name = 'email_confirmed'`)).rows,
    [{ entity_id: id, email: 'jane@home.example' }]
  )

  for (const wrong of [
    '',
    'nonsense',
    `1.${confirmation_token.split('.')[1]}`,
    confirmation_token.slice(0, -1),
    `${confirmation_token}\n`
  ]) {
    t.equal((await visitor.get(`${url}?confirmation_token=${encodeURIComponent(wrong)}`)).statusCode, 400)
    t.equal((await visitor.post(url, { confirmation_token: wrong })).statusCode, 400)
  }
})

t.test('the primary address of a new user is confirmed by mail, unless an admin skips that or there is no mail server', async t => {
  const { app, call, linkTo, smtp } = await withMail(t)
  const jane = { username: 'jane', name: 'Jane', email: 'jane@example.com', password }
  const { body: user } = await call('POST', '/users', jane)
  const confirmedAt = async () => (await call('GET', `/users/${user.id}`)).body.confirmed_at
  const visitor = new Visitor(app)

  t.equal(user.confirmed_at, null)
  const [url, confirmation_token] = (await linkTo('jane@example.com')).split('?confirmation_token=') as [string, string]
  await visitor.post(url, { confirmation_token })
  t.type(await confirmedAt(), 'string')

  t.equal((await call('PUT', `/users/${user.id}`, { email: 'Jane@example.com' })).body.confirmed_at, await confirmedAt())
  t.type((await call('PUT', `/users/${user.id}`, { email: 'jane@work.example', skip_reconfirmation: true })).body.confirmed_at, 'string')
  t.equal((await call('PUT', `/users/${user.id}`, { email: 'jane@home.example' })).body.confirmed_at, null)
  await linkTo('jane@home.example')
  const { body: joe } = await call('POST', '/users', { ...jane, username: 'joe', email: 'joe@example.com', skip_confirmation: true })
  t.type(joe.confirmed_at, 'string')
  t.same(
    smtp.letters.map(({ to }) => to[0]),
    ['jane@example.com', 'jane@home.example']
  )

  const { call: ask } = await openApp(t)
  t.type((await ask('POST', '/users', { ...jane, skip_confirmation: false })).body.confirmed_at, 'string', 'without a mail server')
})

t.test('unconfirmed addresses are deleted after three days', async t => {
  const { call, platform } = await openApp(t)
  const { id } = await aPerson(call, 'jane')

  await platform.pool.query(
    `INSERT INTO user_emails (user_id, email, confirmed_at, created_at) VALUES ($1, 'old@a.b', NULL, now() - interval '73 hours'),
       ($1, 'new@a.b', NULL, now() - interval '71 hours'), ($1, 'confirmed@a.b', now(), now() - interval '73 hours')`,
    [id]
  )
  await deleteUnconfirmedEmails(platform.fork(), new Date())
  hasExactly(t, (await call('GET', `/users/${id}/emails`)).body, [{ email: 'new@a.b' }, { email: 'confirmed@a.b' }])
})

t.test('users manage their addresses on a page', async t => {
  const { app, call, linkTo } = await withMail(t)
  const { token } = await aPerson(call, 'jane', { password, force_random_password: undefined, skip_confirmation: true })
  const visitor = new Visitor(app)
  const path = '/-/profile/emails'
  const emails = async () => (await call('GET', '/user/emails', undefined, token)).body

  await visitor.signIn({ login: 'jane', password })
  t.equal((await visitor.post(path, { email: ' jane@home.example ' })).headers.location, path)
  const { body } = await visitor.get(path)
  t.match(body, /jane@example\.com[\s\S]+primary[\s\S]+jane@home\.example[\s\S]+not confirmed/)
  const refused = await visitor.post(path, { email: 'root@localhost' })
  t.equal(refused.statusCode, 400)
  t.match(refused.body, /value="root@localhost"[\s\S]+Enter an e-mail address that is not in use/)

  const [added] = await emails()
  t.equal((await visitor.post(`${path}/${added.id}/primary`)).statusCode, 404, 'it is not confirmed')
  t.equal((await visitor.post(`${path}/${added.id}/confirmation`)).statusCode, 303)
  t.equal((await visitor.post(`${path}/primary/confirmation`)).statusCode, 303)
  const [url, confirmation_token] = (await linkTo('jane@home.example')).split('?confirmation_token=') as [string, string]
  await visitor.post(url, { confirmation_token })
  t.equal((await visitor.post(`${path}/${added.id}/primary`)).statusCode, 303)
  t.equal((await call('GET', '/user', undefined, token)).body.email, 'jane@home.example')
  t.equal((await visitor.post(`${path}/${added.id}/deletion`)).statusCode, 303)
  t.same(await emails(), [])
  t.equal((await visitor.post(`${path}/${added.id}/deletion`)).statusCode, 404)
})
