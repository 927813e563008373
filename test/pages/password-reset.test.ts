import t, { type Test } from 'tap'
import { passwordUrl } from '#identity/passwords/password-link.ts'
import { User } from '#identity/users/user.ts'
import { openApp } from '../support/world.ts'
import { aMember } from './a-member.ts'
import { openWithMail } from './mailed-links.ts'
import { codeNow, fromBase32, Visitor } from './visitor.ts'

const subject = 'Reset your password'
const password = 'quite a new secret'
const form = { password, again: password }

async function openReset(t: Test, env?: Record<string, string>) {
  const world = await openWithMail(t, env)
  const ann = await aMember(world, 'ann', { skip_confirmation: true })
  const visitor = new Visitor(world.app)
  const request = (login: string) => visitor.post('/users/password/new', { login })
  const use = (link: string, fields: Record<string, string> = {}) =>
    visitor.post('/users/password/edit', { reset_password_token: link.split('=')[1]!, ...form, ...fields })

  return { ...world, ann, visitor, request, use }
}

/** The outcome of the mails, in order. */
async function outcomesOf({ platform }: Awaited<ReturnType<typeof openReset>>) {
  return (await platform.pool.query(`SELECT kind, outcome FROM outbox WHERE kind ~ '^password' ORDER BY id`)).rows
}

t.test('who forgot their password chooses another with the mailed link, once, and is signed out everywhere', async t => {
  const world = await openReset(t)
  const { visitor, ann, request, use, linkTo, mailTo, platform } = world

  t.match((await visitor.get('/users/sign_in')).body, /href="\/users\/password\/new">Forgot your password\?/)
  t.match(await request('Ann'), { statusCode: 200, body: /Check your mail/ })
  const link = await linkTo('ann@example.com', subject)

  t.match((await visitor.get(link)).body, /Choose a password[\s\S]+@ann[\s\S]+value="ann" autocomplete="username"/)
  t.equal((await ann.get('/-/profile')).statusCode, 200, 'opening the link changes nothing')
  t.match(await use(link, { again: 'other' }), { statusCode: 400, body: /do not match/ })
  t.match(await use(link, { password: 'short', again: 'short' }), { statusCode: 400, body: /8 to 256/ })
  t.match(await use(link, { password: 'password', again: 'password' }), { statusCode: 400, body: /too easy to guess/ })
  t.hasStrict(await use(link), { statusCode: 303, headers: { location: '/users/sign_in' } })
  t.match((await visitor.get('/users/sign_in')).body, /Password set\. Sign in with it\./)
  t.equal((await ann.get('/-/profile')).statusCode, 401, 'the other session has ended')
  t.match(await visitor.get(link), { statusCode: 400, body: /was used, has expired or is incomplete/ })
  t.equal((await use(link)).statusCode, 400)
  t.equal((await visitor.signIn({ login: 'ann', password })).statusCode, 303)
  t.match(await mailTo('ann@example.com', 'Your password was changed'), /of ann at http:\/\/tocsin\.test was changed/)
  t.same((await platform.pool.query(`SELECT name, author_id FROM audit_events WHERE name ~ '^password' ORDER BY id`)).rows, [
    { name: 'password_reset_requested', author_id: null },
    { name: 'password_reset', author_id: ann.id }
  ])
})

t.test('two who use a link at the same time set one password', async t => {
  const { request, linkTo, app } = await openReset(t)

  await request('ann@example.com')
  const token = (await linkTo('ann@example.com', subject)).split('=')[1]!
  const answers = await Promise.all(
    ['first', 'second'].map(word => {
      const chosen = `the ${word} new secret`

      return new Visitor(app).post('/users/password/edit', { reset_password_token: token, password: chosen, again: chosen })
    })
  )

  t.same(answers.map(({ statusCode }) => statusCode).sort(), [303, 400])
})

t.test('a link ends with its time, with another password and with another address', async t => {
  const { visitor, ann, platform, config, call, use } = await openReset(t)
  const linkFor = async (ms: number) => {
    const user = await platform.fork().findOneOrFail(User, { id: ann.id })

    return (await passwordUrl(config, user, new Date(Date.now() + ms))).slice(config.baseUrl.length)
  }
  const status = async (link: string) => (await visitor.get(link)).statusCode

  t.equal(await status(await linkFor(-1000)), 400, 'expired')
  t.equal((await use(await linkFor(-1000))).statusCode, 400)
  const link = await linkFor(60_000)
  t.equal(await status(link), 200)
  t.equal(await status(link.replace(/\.\d+\./, '.9999999999.')), 400, 'another time')
  t.equal(await status(link.replace(/=\d+/, '=1')), 400, 'another user')
  t.equal(await status(link.slice(0, -1)), 400)
  t.equal(await status('/users/password/edit'), 400)
  await call('PUT', `/users/${ann.id}`, { email: 'ann@new.example', skip_reconfirmation: true })
  t.equal(await status(link), 400)
  const second = await linkFor(60_000)
  await call('PUT', `/users/${ann.id}`, { password: 'one-time words' })
  t.equal(await status(second), 400)
  const third = await linkFor(60_000)
  await call('POST', `/users/${ann.id}/block`)
  t.equal(await status(third), 400, 'blocked')
  t.equal((await use(third)).statusCode, 400)
})

t.test('the answer, the work and the audit log do not tell who has an account', async t => {
  const world = await openReset(t)
  const { request, call, ann, platform, linkTo, smtp } = world

  await call('POST', `/users/${(await aMember(world, 'ben', { skip_confirmation: true })).id}/block`)
  await platform.pool.query(`UPDATE users SET kind = 'project_bot' WHERE id = $1`, [
    (await aMember(world, 'bot', { skip_confirmation: true })).id
  ])
  const known = await request('ann')

  for (const login of ['nobody', 'nobody@example.com', 'ben', 'bot', '%']) {
    const unknown = await request(login)

    t.equal(unknown.statusCode, known.statusCode, login)
    t.equal(unknown.body, known.body, login)
  }
  await linkTo('ann@example.com', subject)
  const events = await platform.pool.query(
    `SELECT entity_id AS entity, details->>'target_details' AS of FROM audit_events WHERE name = 'password_reset_requested' ORDER BY id`
  )
  t.same(events.rows.slice(0, 2), [
    { entity: ann.id, of: 'ann' },
    { entity: 0, of: 'unknown user' }
  ])
  t.equal(events.rowCount, 6)
  const outcomes = (await outcomesOf(world)).filter(({ kind }) => kind === 'password.reset')
  t.equal(outcomes.length, 6, 'each request writes one mail')
  t.same([...new Set(smtp.letters.map(({ to }) => to[0]))], ['ann@example.com'], 'and only Ann is sent one')
})

t.test('an account is mailed one link in ten minutes, however it is named', async t => {
  const world = await openReset(t)

  for (const login of ['ann', 'ANN', 'ann@example.com']) await world.request(login)
  await world.linkTo('ann@example.com', subject)
  t.equal((await outcomesOf(world)).filter(({ kind }) => kind === 'password.reset').length, 1)
})

t.test('a network asks as often as it may try passwords', async t => {
  const { request, use } = await openReset(t, { RATE_LIMIT_SIGN_IN: '4' })

  // Ann has signed in.
  for (let n = 1; n <= 3; n++) t.equal((await request(`nobody${n}`)).statusCode, 200)
  t.equal((await request('ann')).statusCode, 429)
  t.equal((await use('token=1.2.3')).statusCode, 429)
})

t.test('the second factor is still asked for after a reset', async t => {
  const { ann, app, request, linkTo, use } = await openReset(t)
  const current = `a password, ${[...'ann'].reverse().join('-')}`

  await ann.post('/-/profile/two_factor', { current })
  const secret = /value="([A-Z2-7 ]{39})"/.exec((await ann.get('/-/profile/two_factor')).body)![1]!
  await ann.post('/-/profile/two_factor/confirmation', { code: codeNow(fromBase32(secret)) })
  await request('ann')
  t.equal((await use(await linkTo('ann@example.com', subject))).statusCode, 303)
  const visitor = new Visitor(app)
  t.match((await visitor.signIn({ login: 'ann', password })).headers.location, /^\/users\/sign_in\/code/)
  t.equal((await visitor.get('/-/profile')).statusCode, 401)
})

t.test('a reset confirms the address and ends a lock', async t => {
  const { ann, app, platform, request, linkTo, use } = await openReset(t)
  const guesser = new Visitor(app)

  await platform.pool.query('UPDATE users SET confirmed_at = NULL WHERE id = $1', [ann.id])
  for (let n = 1; n <= 10; n++) await guesser.signIn({ login: 'ann', password: 'wrong' })
  await request('ann')
  await use(await linkTo('ann@example.com', subject))
  const { rows } = await platform.pool.query('SELECT confirmed_at IS NOT NULL AS confirmed, locked_until FROM users WHERE id = $1', [
    ann.id
  ])
  t.same(rows, [{ confirmed: true, locked_until: null }])
  t.equal((await guesser.signIn({ login: 'ann', password })).statusCode, 303)
})

t.test('changing the password while signed in is told by mail, too', async t => {
  const { ann, mailTo } = await openReset(t)

  await ann.get('/-/profile/password')
  t.equal((await ann.post('/-/profile/password', { current: `a password, ${[...'ann'].reverse().join('-')}`, ...form })).statusCode, 303)
  t.match(await mailTo('ann@example.com', 'Your password was changed'), /all other sessions were signed out/)
})

t.test('requests from another site are refused', async t => {
  const { visitor, request, use } = await openReset(t)

  visitor.headers['sec-fetch-site'] = 'cross-site'
  t.equal((await request('ann')).statusCode, 403)
  t.equal((await use('token=1.2.3')).statusCode, 403)
})

t.test('without a mail server, the pages say whom to ask', async t => {
  const { app } = await openApp(t)
  const visitor = new Visitor(app)

  t.match((await visitor.get('/users/sign_in')).body, /Forgot your password\? Ask an administrator to reset it\./)
  const { body } = await visitor.get('/users/password/new')
  t.match(body, /Ask an administrator to reset it\./)
  t.notMatch(body, /<form/)
  t.equal((await visitor.post('/users/password/new', { login: 'root' })).statusCode, 404)
})
