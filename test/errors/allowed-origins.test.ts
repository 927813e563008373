import t from 'tap'
import { checkOrigin } from '#intake/errors/allowed-origins.ts'
import { anEnvelope, openProject } from '../support/factories.ts'
import { eventually } from '../support/world.ts'

const cases: [pattern: string, origin: string, isAllowed: boolean][] = [
  ['https://shop.example.com', 'https://shop.example.com', true],
  ['https://shop.example.com', 'https://SHOP.example.com/path', true],
  ['https://shop.example.com', 'http://shop.example.com', false],
  ['https://shop.example.com:8443', 'https://shop.example.com:8443', true],
  ['https://shop.example.com:8443', 'https://shop.example.com', false],
  ['shop.example.com:443', 'https://shop.example.com', true],
  ['shop.example.com:80', 'http://shop.example.com', true],
  ['shop.example.com', 'http://shop.example.com:3000', true],
  ['Shop.Example.Com', 'https://shop.example.com', true],
  ['shop.example.com', 'https://example.com', false],
  ['shop.example.com', 'https://my-shop.example.com', false],
  ['shop.example.com', 'https://shop.example.com.evil.test', false],
  ['shop.example.com', 'https://evil.test/shop.example.com', false],
  ['*.example.com', 'https://a.b.example.com', true],
  ['*.example.com', 'https://example.com', true],
  ['*.example.com', 'https://notexample.com', false],
  ['https://*.example.com', 'http://a.example.com', false],
  ['example.com', 'null', false],
  ['*', 'null', true],
  ['*', 'https://any.test', true]
]

for (const [pattern, origin, isAllowed] of cases) {
  t.test(`${pattern} ${isAllowed ? 'allows' : 'does not allow'} ${origin}`, async t => {
    const check = () => checkOrigin(['other.test', pattern], { origin })

    if (isAllowed) t.doesNotThrow(check)
    else t.throws(check, { message: 'The client key does not allow this origin.' })
  })
}

t.test('pages of other origins than those of the client key are refused, and so are their preflights', async t => {
  const { app, call, send, path, intake, key, project, platform } = await openProject(t, { isPrivate: true })
  const url = `${intake}?sentry_key=${key.public_key}`
  const statusFrom = async (headers: Record<string, string>) => (await send(anEnvelope(), headers)).statusCode
  const preflight = async (origin: string, query = `?sentry_key=${key.public_key}`) =>
    (await app.inject({ method: 'OPTIONS', url: `${intake}${query}`, headers: { origin, 'access-control-request-method': 'POST' } }))
      .statusCode

  t.equal(await statusFrom({ origin: 'https://evil.test' }), 200, 'any without a list')
  t.equal(await preflight('https://evil.test'), 200)
  const { body: changed } = await call('PUT', `${path}/client_keys/${key.id}`, { allowed_origins: ['https://shop.test', '*.example.com'] })
  t.same(changed.allowed_origins, ['https://shop.test', '*.example.com'])
  await eventually(async () => (await preflight('https://evil.test')) === 403, 'the change is known')

  const refused = await send(anEnvelope(), { origin: 'https://evil.test' }, url)
  t.equal(refused.statusCode, 403)
  t.same(refused.json(), { detail: 'The client key does not allow this origin.', causes: [] })
  t.hasStrict(refused.headers, { 'x-sentry-error': 'The client key does not allow this origin.' })
  t.equal(await statusFrom({ referer: 'https://evil.test/page' }), 403, 'the Referer counts without an Origin')
  t.equal(await statusFrom({ origin: 'https://shop.test', referer: 'https://evil.test/page' }), 200)
  t.equal(await statusFrom({ referer: 'https://www.example.com/page' }), 200)
  t.equal(await statusFrom({}), 200, 'servers send neither')
  t.equal(await preflight('https://shop.test'), 200)
  t.equal(await preflight('https://evil.test', ''), 200, 'a preflight without a key says nothing of the key')
  t.equal(await preflight('https://evil.test', '?sentry_key=unknown'), 200)

  const dsn = { event_id: undefined, dsn: `https://${key.public_key}@tocsin.test/errortracking/api/v1/projects/${project.id}` }
  t.equal((await send(anEnvelope({ message: 'm' }, dsn), { origin: 'https://evil.test' }, intake)).statusCode, 403, 'a key in the envelope')
  await app.close()
  const { rows } = await platform.pool.query(`SELECT category, items FROM error_dropped_counts WHERE reason = 'origin'`)
  t.same(rows, [{ category: 'envelope', items: 3 }])
})

t.test('allowed origins are validated, kept by other changes, and removed by an empty list', async t => {
  const { call, path } = await openProject(t)
  const { body: key } = await call('POST', `${path}/client_keys`, { allowed_origins: ['localhost:3000'] })

  t.same(key.allowed_origins, ['localhost:3000'])
  for (const origin of ['', 'https://', 'ftp://shop.test', 'shop.test/path', 'a b', '*.*.test', 'shop.*']) {
    t.equal((await call('PUT', `${path}/client_keys/${key.id}`, { allowed_origins: [origin] })).status, 400, origin)
  }
  t.same((await call('PUT', `${path}/client_keys/${key.id}`, { name: 'web' })).body.allowed_origins, ['localhost:3000'])
  t.same((await call('PUT', `${path}/client_keys/${key.id}`, { allowed_origins: [] })).body.allowed_origins, [])
})
