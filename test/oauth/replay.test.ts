import t from 'tap'
import { openProvider } from './provider.ts'

const many = 200

/** How many requests got each answer. When the machine is slow, some may not get a connection in time: they change nothing. */
function tally(responses: { status: number; body: { error?: string } }[]) {
  const count = (wanted: number | string) => responses.filter(({ status, body }) => status === wanted || body.error === wanted).length

  return { won: count(200), refused: count('invalid_grant'), late: count('temporarily_unavailable') }
}

t.test('a code that is used again gives nothing, and ends what it gave', async t => {
  const { register, approve, exchange, refresh, statusWith, auditEvents } = await openProvider(t)
  const client = await register()
  const thief = await register()
  const code = await approve(client)
  const { body: tokens } = await exchange(client, code)

  t.equal((await exchange(thief, code)).body.error, 'invalid_grant')
  t.equal(await statusWith(tokens.access_token), 200, 'another client cannot end the grant')
  t.equal((await exchange(client, code)).body.error, 'invalid_grant')
  t.equal(await statusWith(tokens.access_token), 401)
  t.equal((await refresh(client, tokens.refresh_token)).body.error, 'invalid_grant')
  t.equal((await exchange(client, code)).body.error, 'invalid_grant', 'a third time, too')

  const events = await auditEvents('oauth_grant_revoked')

  t.equal(events.length, 1)
  t.equal(events[0].details.reason, 'its code was used again')
})

t.test('a refresh token that is used again ends its whole family', async t => {
  const { register, authorize, refresh, statusWith, auditEvents } = await openProvider(t)
  const client = await register()
  const first = await authorize(client)
  const { body: second } = await refresh(client, first.refresh_token)
  const { body: third } = await refresh(client, second.refresh_token)
  const unrelated = await authorize(client)

  t.equal(await statusWith(third.access_token), 200)
  t.equal((await refresh(client, first.refresh_token)).body.error, 'invalid_grant')
  t.equal(await statusWith(third.access_token), 401)
  t.equal((await refresh(client, third.refresh_token)).body.error, 'invalid_grant')
  t.equal(await statusWith(unrelated.access_token), 200, 'another authorization of the same client goes on')
  t.same(
    (await auditEvents('oauth_grant_revoked')).map(({ details }: { details: { reason: string } }) => details.reason),
    ['a refresh token was used again']
  )
})

t.test('within REFRESH_REUSE_SECONDS a refresh token may be used once more', async t => {
  const { register, authorize, refresh, statusWith, platform } = await openProvider(t, { env: { REFRESH_REUSE_SECONDS: '60' } })
  const client = await register()
  const first = await authorize(client)
  const { body: second } = await refresh(client, first.refresh_token)
  const { status, body: again } = await refresh(client, first.refresh_token)

  t.equal(status, 200)
  t.not(again.access_token, second.access_token)
  t.equal(await statusWith(first.access_token), 401)
  t.same([await statusWith(second.access_token), await statusWith(again.access_token)], [200, 200], 'both pairs are valid')
  t.equal((await refresh(client, first.refresh_token)).body.error, 'invalid_grant', 'a third use')
  t.same([await statusWith(second.access_token), await statusWith(again.access_token)], [401, 401], 'ends the family')

  const late = await authorize(client)
  const { body: next } = await refresh(client, late.refresh_token)

  await platform.pool.query("UPDATE oauth_tokens SET refresh_used_at = refresh_used_at - interval '61 seconds'")
  t.equal((await refresh(client, late.refresh_token)).body.error, 'invalid_grant', 'after the window')
  t.equal(await statusWith(next.access_token), 401)
})

t.test('of concurrent exchanges of one code one wins, and the others end its grant', async t => {
  const { register, approve, exchange, statusWith, platform } = await openProvider(t)
  const client = await register()
  const code = await approve(client)
  const responses = await Promise.all(Array.from({ length: many }, () => exchange(client, code)))
  const { won, refused, late } = tally(responses)

  t.equal(won, 1)
  t.ok(refused > 0)
  t.equal(won + refused + late, many)
  t.equal(await statusWith(responses.find(({ status }) => status === 200)!.body.access_token), 401)
  const { rows } = await platform.pool.query('SELECT count(*) AS tokens, count(DISTINCT grant_id) AS grants FROM oauth_tokens')

  t.same(rows, [{ tokens: 1, grants: 1 }])
})

for (const [seconds, pairs] of [
  ['0', 1],
  ['60', 2]
] as const) {
  t.test(`of concurrent refreshes ${pairs} win with a window of ${seconds} seconds`, async t => {
    const { register, authorize, refresh, statusWith } = await openProvider(t, { env: { REFRESH_REUSE_SECONDS: seconds } })
    const client = await register()
    const tokens = await authorize(client)
    const responses = await Promise.all(Array.from({ length: many }, () => refresh(client, tokens.refresh_token)))
    const { won, refused, late } = tally(responses)

    t.equal(won, pairs)
    t.ok(refused > 0)
    t.equal(won + refused + late, many)
    for (const { status, body } of responses) if (status === 200) t.equal(await statusWith(body.access_token), 401, 'the family has ended')
  })
}

t.test('nothing stays valid when a refresh and a revocation meet', async t => {
  const { register, authorize, refresh, post, statusWith } = await openProvider(t)
  const client = await register()

  for (let round = 0; round < 10; round++) {
    const tokens = await authorize(client)
    const [refreshed, revoked] = await Promise.all([
      refresh(client, tokens.refresh_token),
      post('revoke', { token: tokens.refresh_token, client_id: client.client_id, client_secret: client.client_secret })
    ])

    t.equal(revoked.status, 200)
    for (const { access_token: token } of [tokens, refreshed.body]) if (token) t.equal(await statusWith(token), 401)
  }
})
