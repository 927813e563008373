import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { anEnvelope, aProject } from '../support/factories.ts'
import { eventually, newNamespace, openApp, rootToken } from '../support/world.ts'

const ask = { url: '/api/v4/user', headers: { 'private-token': rootToken } }
const turnedAway = { statusCode: 503, headers: { 'retry-after': '5' }, body: '{"message":"503 Service Unavailable"}' }

t.test('a process that is out of memory turns people away, and takes errors in nevertheless', async t => {
  const namespace = newNamespace()
  const { intake, key } = await aProject(t, { namespace })
  const { app } = await openApp(t, { namespace, env: { OVERLOAD_HEAP_PERCENT: '1' } })

  await eventually(async () => (await app.inject(ask)).statusCode === 503, 'it is noticed')
  t.match(await app.inject(ask), turnedAway)
  t.match(await app.inject('/users/sign_in'), turnedAway)
  t.equal((await app.inject('/-/liveness')).statusCode, 200)
  const sent = await app.inject({ method: 'POST', url: `${intake}?sentry_key=${key.public_key}`, payload: anEnvelope() })
  t.equal(sent.statusCode, 200)
})

t.test('a process that is busy turns people away until it is not', async t => {
  const { app } = await openApp(t, { env: { OVERLOAD_DELAY_MS: '40' } })
  const startedAt = Date.now()
  let response = await app.inject(ask)

  t.equal(response.statusCode, 200)
  while (response.statusCode === 200 && Date.now() - startedAt < 15_000) {
    for (const endsAt = Date.now() + 150; Date.now() < endsAt; );
    await nextTurn()
    response = await app.inject(ask)
  }
  t.match(response, turnedAway)
  await eventually(async () => (await app.inject(ask)).statusCode === 200, 'it is over')
})
