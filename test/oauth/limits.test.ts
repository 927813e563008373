import t from 'tap'
import { aPerson } from '../identity/people.ts'
import { rootPassword } from '../support/world.ts'
import { openProvider } from './provider.ts'

const password = 'correct horse battery'

t.test('guesses of passwords count with those of the sign-in page', async t => {
  const { post, app } = await openProvider(t, { env: { RATE_LIMIT_SIGN_IN: '2' } })
  const form = { grant_type: 'password', username: 'root', password: 'wrong' }

  t.equal((await post('token', form)).status, 400)
  await app.inject({ method: 'POST', url: '/users/sign_in', payload: { login: 'root', password: 'wrong' } })
  const { status, headers, body } = await post('token', { ...form, password: rootPassword })

  t.equal(status, 429)
  t.equal(body.error, 'temporarily_unavailable')
  t.ok(Number(headers['retry-after']) > 0)
  t.equal(headers['ratelimit-name'], 'throttle_protected_paths')
  t.equal((await post('token', { grant_type: 'refresh_token' })).status, 401, 'other grants have the limit of the address')
})

t.test('requests count by address, with any grant', async t => {
  const { app } = await openProvider(t, { env: { RATE_LIMIT_IP: '2' } })
  const ask = async () => (await app.inject({ method: 'POST', url: '/oauth/token', payload: {} })).statusCode

  t.same([await ask(), await ask(), await ask()], [400, 400, 429])
})

t.test('wrong passwords lock the user, and a right one forgets them', async t => {
  const { post, call } = await openProvider(t)
  const attempt = async (username: string, given: string) =>
    (await post('token', { grant_type: 'password', username, password: given })).status
  const guess = async (username: string, times: number) => {
    for (let n = 0; n < times; n++) await attempt(username, 'wrong')
  }

  await aPerson(call, 'ann', { password, force_random_password: false })
  await aPerson(call, 'ben', { password, force_random_password: false })
  await guess('ann', 9)
  t.equal(await attempt('ann', password), 200)
  await guess('ann', 9)
  t.equal(await attempt('ann', password), 200, 'the count began anew')
  await guess('ben', 10)
  t.equal(await attempt('ben', password), 400, 'locked')
})
