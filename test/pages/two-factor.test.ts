import t from 'tap'
import { openApp, rootPassword } from '../support/world.ts'
import { codeNow, Visitor } from './visitor.ts'

const path = '/-/profile/two_factor'
const html = { accept: 'text/html' }

async function enrolled(t: Parameters<typeof openApp>[0]) {
  const world = await openApp(t)
  const visitor = new Visitor(world.app)

  await visitor.signIn()

  return { ...world, visitor, ...(await visitor.enrol()) }
}

t.test('signing in takes a code when two-factor authentication is enabled', async t => {
  const { app, visitor, secret, recoveryCodes, platform } = await enrolled(t)

  t.equal(recoveryCodes.length, 10)
  t.match((await visitor.get(path)).body, /<strong>10<\/strong> of 10/)

  const other = new Visitor(app)
  const first = await other.signIn({ return_to: '/-/profile/sessions' })
  t.equal(first.headers.location, '/users/sign_in/code?return_to=%2F-%2Fprofile%2Fsessions')
  const pending = { ...other.cookies } as { _service_session: string }

  t.equal((await other.get('/-/profile')).statusCode, 401, 'the pending session opens no other page')
  t.equal((await app.inject({ url: '/api/v4/user', cookies: pending })).statusCode, 401)
  t.equal((await other.post('/users/sign_in/code', { code: '000000' })).statusCode, 401)

  const answered = await other.post('/users/sign_in/code', { code: codeNow(secret, 1), return_to: '/-/profile/sessions' })
  t.equal(answered.headers.location, '/-/profile/sessions')
  t.not(other.cookies._service_session, pending._service_session, 'the session secret is new')
  t.equal((await other.get('/-/profile/sessions')).statusCode, 200)
  t.equal(
    (await app.inject({ url: '/users/sign_in/code', cookies: pending, headers: html })).statusCode,
    303,
    'the pending session is gone'
  )
  t.same((await platform.pool.query(`SELECT details->>'with' AS means FROM audit_events WHERE name = 'user_signed_in' ORDER BY id`)).rows, [
    { means: 'password' },
    { means: 'code' }
  ])
})

t.test('a code works once, also when it is sent twice at the same time', async t => {
  const { app, secret, code: used } = await enrolled(t)
  const visitors = [new Visitor(app), new Visitor(app), new Visitor(app)]

  for (const visitor of visitors) await visitor.signIn()
  t.equal((await visitors[0]!.post('/users/sign_in/code', { code: used })).statusCode, 401, 'the code that enabled it was used')

  const code = codeNow(secret, 1)
  const answers = await Promise.all(visitors.map(visitor => visitor.post('/users/sign_in/code', { code })))

  t.same(answers.map(({ statusCode }) => statusCode).sort(), [303, 401, 401])
  const late = visitors[answers.findIndex(({ statusCode }) => statusCode === 401)]!
  t.equal((await late.post('/users/sign_in/code', { code: used })).statusCode, 401, 'an earlier code stays used')
})

t.test('a user who is blocked between the password and the code is not signed in', async t => {
  const { app, secret, platform } = await enrolled(t)
  const visitor = new Visitor(app)

  await visitor.signIn()
  await platform.pool.query(`UPDATE users SET state = 'blocked'`)
  const answered = await visitor.post('/users/sign_in/code', { code: codeNow(secret, 1) })

  t.equal(answered.headers.location, '/users/sign_in')
  t.equal((await platform.pool.query(`SELECT FROM audit_events WHERE name = 'user_signed_in'`)).rowCount, 1)
})

t.test('a recovery code works once and ignores case and separators', async t => {
  const { app, visitor, recoveryCodes } = await enrolled(t)
  const visitors = [new Visitor(app), new Visitor(app), new Visitor(app)]
  const [first, second] = recoveryCodes as [string, string]

  for (const one of visitors) await one.signIn()
  const answers = await Promise.all(
    visitors.map(one => one.post('/users/sign_in/code', { code: first.toUpperCase().replaceAll('-', ' ') }))
  )

  t.same(answers.map(({ statusCode }) => statusCode).sort(), [303, 401, 401])
  t.match((await visitor.get(path)).body, /<strong>9<\/strong> of 10/)

  t.equal((await visitor.post(`${path}/recovery_codes`, { current: 'wrong' })).statusCode, 400)
  t.match((await visitor.post(`${path}/recovery_codes`, { current: rootPassword })).body, /Your recovery codes/)
  const late = visitors[answers.findIndex(({ statusCode }) => statusCode === 401)]!
  t.equal((await late.post('/users/sign_in/code', { code: second })).statusCode, 401, 'new codes replace the old ones')
})

t.test('wrong codes lock the account, and a right password between them does not reset the count', async t => {
  const { app, secret } = await enrolled(t)
  const visitor = new Visitor(app)

  for (const _round of [1, 2]) {
    await visitor.signIn()
    for (const code of ['1', '2', '3', '4', '5']) t.equal((await visitor.post('/users/sign_in/code', { code })).statusCode, 401)
  }
  t.equal((await visitor.post('/users/sign_in/code', { code: codeNow(secret, 1) })).statusCode, 401)
  t.equal((await new Visitor(app).signIn()).statusCode, 401)
})

t.test('enabling takes a valid code and disabling takes the password', async t => {
  const { app, platform } = await openApp(t)
  const [visitor, elsewhere] = [new Visitor(app), new Visitor(app)]

  await elsewhere.signIn()
  await visitor.signIn()
  t.match((await visitor.get(path)).body, /badge">off/)
  t.equal((await visitor.post(path, { current: 'wrong' })).statusCode, 400)
  t.equal((await visitor.post(path, { current: rootPassword })).statusCode, 303)
  t.match((await visitor.get(path)).body, /<svg.+<path/)
  t.match((await visitor.post(`${path}/confirmation`, { code: '000000' })).body, /The code is wrong/)
  t.equal((await elsewhere.signIn()).headers.location, '/', 'sign-in asks for no code before that')

  await visitor.enrol()
  t.equal((await elsewhere.get('/-/profile')).statusCode, 401, 'other sessions are ended')
  t.equal((await visitor.post(path, { current: rootPassword })).statusCode, 303, 'beginning again changes nothing')
  t.match((await visitor.get(path)).body, /badge good">on/)

  t.equal((await visitor.post(`${path}/removal`, { current: 'wrong' })).statusCode, 400)
  t.equal((await visitor.post(`${path}/removal`, { current: rootPassword })).statusCode, 303)
  t.match((await visitor.get(path)).body, /Two-factor authentication is off/)
  t.equal((await new Visitor(app).signIn()).headers.location, '/')
  t.same((await platform.pool.query('SELECT totp_secret, cardinality(recovery_codes) AS codes FROM users')).rows, [
    { totp_secret: null, codes: 0 }
  ])
  t.same(
    (await platform.pool.query(`SELECT name FROM audit_events WHERE name LIKE 'two_factor%' ORDER BY id`)).rows.map(({ name }) => name),
    ['two_factor_enabled', 'two_factor_disabled']
  )
})
