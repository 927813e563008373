import t from 'tap'
import { openApp, rootPassword } from '../support/world.ts'
import { Visitor } from './visitor.ts'

const wrong = { password: 'wrong' }

t.test('ten failures in a row lock an account for ten minutes, and the tenth says what the first said', async t => {
  const { app, platform } = await openApp(t)
  const visitor = new Visitor(app)
  const first = await visitor.signIn(wrong)

  for (let n = 2; n <= 9; n++) await visitor.signIn(wrong)
  t.equal((await visitor.signIn()).statusCode, 303, 'nine are forgiven')

  const answers = []
  for (let n = 1; n <= 10; n++) answers.push(await visitor.signIn(wrong))
  t.same([...new Set(answers.map(({ statusCode }) => statusCode))], [401])
  t.equal(problemOf(answers[9]!.body), problemOf(first.body))

  const refused = await visitor.signIn()
  t.equal(refused.statusCode, 401, 'now the right one is refused too')
  t.equal(problemOf(refused.body), problemOf(first.body))
  t.equal(problemOf((await visitor.signIn({ login: 'nobody' })).body), problemOf(first.body), 'as is somebody who does not exist')

  const { rows } = await platform.pool.query(`SELECT round(extract(epoch FROM locked_until - now()) / 60)::int AS minutes FROM users`)
  t.same(rows, [{ minutes: 10 }])

  await platform.pool.query(`UPDATE users SET locked_until = now() - interval '1 second'`)
  t.equal((await visitor.signIn()).statusCode, 303, 'after that it is as before')
  const names = (await platform.pool.query('SELECT name, count(*) FROM audit_events GROUP BY name')).rows
  t.match(Object.fromEntries(names.map(({ name, count }) => [name, count])), { user_sign_in_failed: 19, user_locked: 1, user_signed_in: 2 })
})

t.test('failures at the same moment are all counted', async t => {
  const { app, platform } = await openApp(t)
  const count = async () => (await platform.pool.query('SELECT failed_sign_ins, locked_until FROM users')).rows[0]

  await Promise.all(Array.from({ length: 9 }, () => new Visitor(app).signIn(wrong)))
  t.match(await count(), { failed_sign_ins: 9, locked_until: null })

  await Promise.all(Array.from({ length: 3 }, () => new Visitor(app).signIn(wrong)))
  t.match(await count(), { failed_sign_ins: 0, locked_until: Date }, 'and the tenth locks, however many come with it')
})

t.test('whoever is signed in cannot try out passwords either', async t => {
  const { app } = await openApp(t)
  const visitor = new Visitor(app)
  const change = (current: string) =>
    visitor.post('/-/profile/password', { current, password: 'a password of mine', again: 'a password of mine' })

  await visitor.signIn()
  for (let n = 1; n <= 10; n++) t.equal((await change('wrong')).statusCode, 400)
  t.match(await change(rootPassword), { statusCode: 400, body: /wait for ten minutes/ })
})

function problemOf(body: string) {
  return /role="alert">([^<]+)</.exec(body)?.[1]
}
