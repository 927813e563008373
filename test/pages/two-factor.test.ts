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

t.test('signing in takes a code when the second factor is on', async t => {
  const { app, visitor, secret, recoveryCodes, platform } = await enrolled(t)

  t.equal(recoveryCodes.length, 10)
  t.match((await visitor.get(path)).body, /<strong>10<\/strong> of 10/)

  const other = new Visitor(app)
  t.match(await other.signIn({ return_to: '/-/profile/sessions' }), {
    statusCode: 303,
    headers: { location: '/users/sign_in/code?return_to=%2F-%2Fprofile%2Fsessions' }
  })
  const half = { ...other.cookies } as { _service_session: string }

  t.equal((await other.get('/-/profile')).statusCode, 401, 'half a sign-in is good for nothing else')
  t.equal((await app.inject({ url: '/api/v4/user', cookies: half })).statusCode, 401)
  t.equal((await other.post('/users/sign_in/code', { code: '000000' })).statusCode, 401)

  const answered = await other.post('/users/sign_in/code', { code: codeNow(secret, 1), return_to: '/-/profile/sessions' })
  t.match(answered, { statusCode: 303, headers: { location: '/-/profile/sessions' } })
  t.not(other.cookies._service_session, half._service_session, 'the secret is another')
  t.equal((await other.get('/-/profile/sessions')).statusCode, 200)
  t.equal((await app.inject({ url: '/users/sign_in/code', cookies: half, headers: html })).statusCode, 303, 'and the half is used up')
  t.same((await platform.pool.query(`SELECT details->>'with' AS means FROM audit_events WHERE name = 'user_signed_in' ORDER BY id`)).rows, [
    { means: 'password' },
    { means: 'code' }
  ])
})

t.test('a code is never good twice, not even at the same moment', async t => {
  const { app, secret, code: used } = await enrolled(t)
  const visitors = [new Visitor(app), new Visitor(app), new Visitor(app)]

  for (const visitor of visitors) await visitor.signIn()
  t.equal((await visitors[0]!.post('/users/sign_in/code', { code: used })).statusCode, 401, 'the code it was turned on with is used up')

  const code = codeNow(secret, 1)
  const answers = await Promise.all(visitors.map(visitor => visitor.post('/users/sign_in/code', { code })))

  t.same(answers.map(({ statusCode }) => statusCode).sort(), [303, 401, 401])
})

t.test('a recovery code is good once, however it is typed', async t => {
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
  t.equal((await late.post('/users/sign_in/code', { code: second })).statusCode, 401, 'new ones take the place of the old')
})

t.test('wrong codes lock the account as wrong passwords do, and a right password between them forgives nothing', async t => {
  const { app, secret } = await enrolled(t)
  const visitor = new Visitor(app)

  for (const _round of [1, 2]) {
    await visitor.signIn()
    for (const code of ['1', '2', '3', '4', '5']) t.equal((await visitor.post('/users/sign_in/code', { code })).statusCode, 401)
  }
  t.equal((await visitor.post('/users/sign_in/code', { code: codeNow(secret, 1) })).statusCode, 401)
  t.equal((await new Visitor(app).signIn()).statusCode, 401)
})

t.test('it is turned on by a right code alone, and off by the password', async t => {
  const { app, platform } = await openApp(t)
  const [visitor, elsewhere] = [new Visitor(app), new Visitor(app)]

  await elsewhere.signIn()
  await visitor.signIn()
  t.match((await visitor.get(path)).body, /badge">off/)
  t.equal((await visitor.post(path, { current: 'wrong' })).statusCode, 400)
  t.equal((await visitor.post(path, { current: rootPassword })).statusCode, 303)
  t.match((await visitor.get(path)).body, /<svg.+<path/)
  t.match((await visitor.post(`${path}/confirmation`, { code: '000000' })).body, /not the code of this moment/)
  t.equal((await elsewhere.signIn()).headers.location, '/', 'until then nothing is asked for')

  await visitor.enrol()
  t.equal((await elsewhere.get('/-/profile')).statusCode, 401, 'sessions that did without are ended')
  t.equal((await visitor.post(path, { current: rootPassword })).statusCode, 303, 'beginning again changes nothing')
  t.match((await visitor.get(path)).body, /badge good">on/)

  t.equal((await visitor.post(`${path}/removal`, { current: 'wrong' })).statusCode, 400)
  t.equal((await visitor.post(`${path}/removal`, { current: rootPassword })).statusCode, 303)
  t.match((await visitor.get(path)).body, /Two-factor authentication is off/)
  t.equal((await new Visitor(app).signIn()).headers.location, '/')
  t.same(
    (await platform.pool.query(`SELECT name FROM audit_events WHERE name LIKE 'two_factor%' ORDER BY id`)).rows.map(({ name }) => name),
    ['two_factor_enabled', 'two_factor_disabled']
  )
})
