import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose'
import t, { type Test } from 'tap'
import { signIdToken } from '#oauth/openid/id-token.ts'
import { rotateKeys } from '#oauth/openid/key-ring.ts'
import { SigningKey } from '#oauth/openid/signing-key.ts'
import { openApp, type WorldOptions } from '../support/world.ts'

// The endpoint shows the keys of today. All times of these tests follow it.
const start = new Date(Math.floor(Date.now() / 1000) * 1000)
const afterDays = (days: number, seconds = 0) => new Date(start.getTime() + days * 86_400_000 + seconds * 1000)

async function openProvider(t: Test, options?: WorldOptions) {
  const { app, call, platform, config } = await openApp(t, options)
  const { body: user } = await call('GET', '/user')
  const viewer = { ...user, websiteUrl: '', publicEmail: '' }
  const sign = (at: Date, extra: object = {}) =>
    signIdToken(platform.fork(), config, { user: viewer, clientId: 'shop', scopes: ['openid'], accessToken: 'a', ...extra }, at)
  const jwks = async () => (await app.inject('/oauth/discovery/keys')).json<JSONWebKeySet>()
  const kids = async () => (await jwks()).keys.map(({ kid }) => kid!).sort()

  return { platform, config, sign, jwks, kids, rotate: (at: Date) => rotateKeys(platform.fork(), config, at), user }
}

function kidOf(token: string) {
  return decodeProtectedHeader(token).kid
}

t.test('an ID token verifies against the published keys, for two minutes', async t => {
  const { sign, jwks, user, config } = await openProvider(t)
  const token = await sign(start, { nonce: 'n-1', authTime: afterDays(0, -60) })
  const keys = createLocalJWKSet(await jwks())
  const verify = (at: Date) => jwtVerify(token, keys, { issuer: config.baseUrl, audience: 'shop', currentDate: at })
  const { payload, protectedHeader } = await verify(afterDays(0, 119))

  t.same(payload, {
    iss: 'http://tocsin.test',
    aud: 'shop',
    sub: String(user.id),
    iat: start.getTime() / 1000,
    exp: start.getTime() / 1000 + 120,
    auth_time: start.getTime() / 1000 - 60,
    nonce: 'n-1',
    // The left half of the SHA-256 of "a".
    at_hash: 'ypeBEsobvcr6wjGzmiPcTQ'
  })
  t.same(protectedHeader, { alg: 'RS256', typ: 'JWT', kid: (await jwks()).keys[0]!.kid })
  await t.rejects(verify(afterDays(0, 121)), { code: 'ERR_JWT_EXPIRED' })
})

t.test('the published keys are public, and private keys are encrypted at rest', async t => {
  const { sign, jwks, platform } = await openProvider(t)

  await sign(start)
  const [stored] = await platform.fork().find(SigningKey, {})
  const { keys } = await jwks()

  t.same(
    keys.map(key => Object.keys(key).sort()),
    [['alg', 'e', 'kid', 'kty', 'n', 'use']]
  )
  t.notOk(Buffer.from(stored!.privateKey).includes('"d"'), 'no JWK is readable in the database')
})

t.test('one key signs until its successor has been published for a day', async t => {
  const { sign, rotate, kids } = await openProvider(t)
  const first = kidOf(await sign(start))

  await rotate(afterDays(89))
  t.same(await kids(), [first], 'not before its time')
  await rotate(afterDays(90))
  await rotate(afterDays(90))
  t.equal((await kids()).length, 2, 'rotating twice makes one successor')
  const [second] = (await kids()).filter(kid => kid !== first)

  t.equal(kidOf(await sign(afterDays(90, 3600))), first)
  t.equal(kidOf(await sign(afterDays(91))), second)
})

t.test('a key is deleted when nothing signed with it is valid', async t => {
  const { sign, rotate, platform } = await openProvider(t)
  const stored = async () => (await platform.fork().find(SigningKey, {}, { orderBy: { id: 'asc' } })).map(({ kid }) => kid)
  const first = kidOf(await sign(start))

  await rotate(afterDays(90))
  const [, second] = await stored()

  await rotate(afterDays(91, 1800))
  t.same(await stored(), [first, second])
  await rotate(afterDays(91, 3600))
  t.same(await stored(), [second])
  t.equal(kidOf(await sign(afterDays(92))), second)
})

t.test('after a change of SECRET_KEY, a new key signs', async t => {
  const { sign, platform, config, jwks } = await openProvider(t)
  const first = kidOf(await sign(start))

  config.secretKey = 'another secret key of thirty-two letters'
  const token = await sign(afterDays(2))

  t.not(kidOf(token), first)
  t.equal(await platform.fork().count(SigningKey, {}), 2)
  await jwtVerify(token, createLocalJWKSet(await jwks()), { currentDate: afterDays(2) })
})
