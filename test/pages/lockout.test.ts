import t from 'tap'
import { openApp, rootPassword } from '../support/world.ts'
import { Visitor } from './visitor.ts'

const wrong = { password: 'wrong' }

t.test('ten failures in a row lock an account for ten minutes without revealing it', async t => {
  const { app, platform } = await openApp(t)
  const visitor = new Visitor(app)
  const first = await visitor.signIn(wrong)

  for (let n = 2; n <= 9; n++) await visitor.signIn(wrong)
  t.equal((await visitor.signIn()).statusCode, 303, 'nine failures do not lock')

  const answers = []
  for (let n = 1; n <= 10; n++) answers.push(await visitor.signIn(wrong))
  t.same([...new Set(answers.map(({ statusCode }) => statusCode))], [401])
  t.equal(errorOf(answers[9]!.body), errorOf(first.body))

  const refused = await visitor.signIn()
  t.equal(refused.statusCode, 401, 'the right password is refused as well')
  t.equal(errorOf(refused.body), errorOf(first.body))
  t.equal(errorOf((await visitor.signIn({ login: 'nobody' })).body), errorOf(first.body), 'an unknown user gets the same error')

  const { rows } = await platform.pool.query(`SELECT round(extract(epoch FROM locked_until - now()) / 60)::int AS minutes FROM users`)
  t.same(rows, [{ minutes: 10 }])

  await platform.pool.query(`UPDATE users SET locked_until = now() - interval '1 second'`)
  t.equal((await visitor.signIn()).statusCode, 303, 'the lock expires')
  const names = (await platform.pool.query('SELECT name, count(*) FROM audit_events GROUP BY name')).rows
  const counts = Object.fromEntries(names.map(({ name, count }) => [name, count]))
  t.equal(counts.user_sign_in_failed, 19)
  t.equal(counts.user_locked, 1)
  t.equal(counts.user_signed_in, 2)
})

t.test('failures while an account is locked do not extend the lock', async t => {
  const { app, platform } = await openApp(t)
  const lockedUntil = async () => (await platform.pool.query('SELECT locked_until FROM users')).rows[0].locked_until

  await platform.pool.query(`UPDATE users SET locked_until = now() + interval '1 minute', failed_sign_ins = 9`)
  const before = await lockedUntil()
  t.equal((await new Visitor(app).signIn(wrong)).statusCode, 401)
  t.same(await lockedUntil(), before)
})

t.test('concurrent failures are all counted', async t => {
  const { app, platform } = await openApp(t)
  const count = async () => (await platform.pool.query('SELECT failed_sign_ins, locked_until FROM users')).rows[0]

  await Promise.all(Array.from({ length: 9 }, () => new Visitor(app).signIn(wrong)))
  t.same(await count(), { failed_sign_ins: 9, locked_until: null })

  await Promise.all(Array.from({ length: 3 }, () => new Visitor(app).signIn(wrong)))
  t.match(await count(), { failed_sign_ins: 0, locked_until: Date }, 'the tenth locks the account')
})

t.test('wrong current passwords of a signed-in user lock the account as well', async t => {
  const { app } = await openApp(t)
  const visitor = new Visitor(app)
  const change = (current: string) =>
    visitor.post('/-/profile/password', { current, password: 'a password of mine', again: 'a password of mine' })

  await visitor.signIn()
  for (let n = 1; n <= 10; n++) t.equal((await change('wrong')).statusCode, 400)
  t.match(await change(rootPassword), { statusCode: 400, body: /locked for 10 minutes/ })
})

function errorOf(body: string) {
  return /role="alert">([^<]+)</.exec(body)?.[1]
}
