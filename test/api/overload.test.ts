import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { anEnvelope } from '../support/factories.ts'
import { eventually, openApp, rootToken } from '../support/world.ts'

const ask = { url: '/api/v4/user', headers: { 'private-token': rootToken } }
const turnedAway = { statusCode: 503, headers: { 'retry-after': '5' }, body: '{"message":"503 Service Unavailable"}' }

t.test('a process that is out of memory refuses pages and API requests, and still accepts errors', async t => {
  const { app, platform } = await openApp(t, { env: { OVERLOAD_HEAP_PERCENT: '1' } })
  // Of the project that is there from the start: another could not be made any more.
  const { rows } = await platform.pool.query('SELECT project_id, public_key FROM client_keys')
  const intake = `/errortracking/api/v1/projects/api/${rows[0].project_id}/envelope/?sentry_key=${rows[0].public_key}`

  await eventually(async () => (await app.inject(ask)).statusCode === 503, 'it is noticed')
  t.hasStrict(await app.inject(ask), turnedAway)
  t.hasStrict(await app.inject('/users/sign_in'), turnedAway)
  t.equal((await app.inject('/-/liveness')).statusCode, 200)
  const sent = await app.inject({ method: 'POST', url: intake, payload: anEnvelope() })
  t.equal(sent.statusCode, 200)
})

t.test('a process with a blocked event loop refuses requests until it recovers', async t => {
  const { app } = await openApp(t, { env: { OVERLOAD_DELAY_MS: '40' } })

  t.equal((await app.inject(ask)).statusCode, 200)
  const response = await eventually(async () => {
    for (const endsAt = Date.now() + 150; Date.now() < endsAt; );
    await nextTurn()
    const response = await app.inject(ask)

    return response.statusCode !== 200 && response
  }, 'the delay is noticed')

  t.hasStrict(response, turnedAway)
  await eventually(async () => (await app.inject(ask)).statusCode === 200, 'it is over')
})
