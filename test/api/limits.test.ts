import { pino } from 'pino'
import t from 'tap'
import { buildApp } from '#app.ts'
import { boot } from '#boot.ts'
import { stylesheet } from '#pages/layout/assets.ts'
import { anEnvelope, openProject } from '../support/factories.ts'
import { onBothBackends, openApp, redisUrl, rootPassword, rootToken } from '../support/world.ts'

const admin = { 'private-token': rootToken }
const names = ['ratelimit-name', 'ratelimit-limit', 'ratelimit-observed', 'ratelimit-remaining', 'ratelimit-reset']

onBothBackends(t, 'a user has a limit of requests a minute, which every response states', async (t, kind) => {
  const { app } = await openApp(t, { kind, env: { RATE_LIMIT_USER: '3' } })
  const ask = () => app.inject({ url: '/api/v4/user', headers: admin })
  const before = Date.now() / 1000

  const first = await ask()
  t.hasStrict(first.headers, {
    'ratelimit-name': 'throttle_authenticated_api',
    'ratelimit-limit': '3',
    'ratelimit-observed': '1',
    'ratelimit-remaining': '2'
  })
  t.equal(first.headers['retry-after'], undefined)
  const after = Date.now() / 1000
  const reset = Number(first.headers['ratelimit-reset'])
  t.ok(reset >= Math.floor(before) + 59 && reset <= Math.ceil(after) + 61, 'the minute ends in a minute')

  await ask()
  t.equal((await ask()).statusCode, 200, 'the last one that is allowed')
  const refused = await ask()

  t.equal(refused.statusCode, 429)
  t.equal(refused.body, 'Retry later')
  t.hasStrict(refused.headers, { 'ratelimit-observed': '4', 'ratelimit-remaining': '0' })
  t.match(refused.headers['content-type'], /^text\/plain/)
  t.ok(Number(refused.headers['retry-after']) > 0 && Number(refused.headers['retry-after']) <= 60)
  t.equal(Date.parse(String(refused.headers['ratelimit-resettime'])) / 1000, Number(refused.headers['ratelimit-reset']))
  t.hasStrict((await ask()).headers, { 'ratelimit-observed': '5' })
})

t.test('limits are counted per user', async t => {
  const { app } = await openApp(t, { env: { RATE_LIMIT_USER: '1', RATE_LIMIT_IP: '1' } })
  const ask = (headers: Record<string, string>) => app.inject({ url: '/api/v4/user', headers })
  const status = async (headers: Record<string, string>) => (await ask(headers)).statusCode

  t.equal(await status(admin), 200)
  t.equal(await status(admin), 429)
  t.equal(await status({}), 401, 'the address has a minute of its own')
})

t.test('anonymous requests and wrong tokens count by IP address', async t => {
  const { app } = await openApp(t, { env: { RATE_LIMIT_IP: '2', TRUST_PROXY: '1' } })
  const ask = (from: string, headers = {}) => app.inject({ url: '/api/v4/user', headers: { 'x-forwarded-for': from, ...headers } })
  const guess = { 'private-token': 'glpat-a-guess' }

  t.hasStrict(await ask('192.0.2.1'), { statusCode: 401, headers: { 'ratelimit-name': 'throttle_unauthenticated_api' } })
  t.equal((await ask('192.0.2.1', guess)).statusCode, 401)
  const refused = await ask('192.0.2.1', guess)

  t.hasStrict(refused, { statusCode: 429, body: 'Retry later', headers: { 'ratelimit-observed': '3' } })
  t.match(refused, { headers: { 'content-type': /^text\/plain/ } })
  t.equal(Number(refused.headers['content-length']), 'Retry later'.length)
  t.equal((await ask('192.0.2.2')).statusCode, 401, 'from elsewhere')
  t.equal((await ask('192.0.2.1', admin)).statusCode, 200, 'who says who they are')
  t.equal((await ask('2001:db8::1')).statusCode, 401)
  t.equal((await ask('2001:db8::2')).statusCode, 401)
  t.equal((await ask('2001:db8::3')).statusCode, 429, 'a network of version 6 is one address')
})

t.test('only the address that a trusted proxy reports counts', async t => {
  const statuses = async (TRUST_PROXY: string, addresses: string[]) => {
    const { app } = await openApp(t, { env: { RATE_LIMIT_IP: '1', TRUST_PROXY } })
    const codes = []

    for (const address of addresses)
      codes.push((await app.inject({ url: '/api/v4/user', headers: { 'x-forwarded-for': address } })).statusCode)

    return codes
  }
  const forged = ['198.51.100.1, 192.0.2.1', '198.51.100.2, 192.0.2.1']

  t.same(await statuses('', forged), [401, 429], 'without a proxy the header is ignored')
  t.same(await statuses('1', forged), [401, 429], 'one proxy adds one address')
  t.same(await statuses('2', forged), [401, 401], 'two proxies add two')
  t.same(await statuses('127.0.0.0/8', forged), [401, 429], 'the proxy is in the network')
  t.same(await statuses('127.0.0.0/8,192.0.2.0/24', forged), [401, 401], 'so is the next one')
  t.same(await statuses('10.0.0.0/8', forged), [401, 429], 'the peer is not in the network')
})

t.test('what is no address in X-Forwarded-For opens no limit of its own', async t => {
  const { app } = await openApp(t, { env: { RATE_LIMIT_IP: '1', TRUST_PROXY: '2' } })
  const statusFrom = async (forwarded: string) =>
    (await app.inject({ url: '/api/v4/user', headers: { 'x-forwarded-for': forwarded } })).statusCode

  t.equal(await statusFrom('garbage'), 401, 'counts as the peer')
  for (const forwarded of ['other garbage', '', ',', 'unknown', '<script>', 'x, 127.0.0.1', '192.0.2.1:port']) {
    t.equal(await statusFrom(forwarded), 429, forwarded)
  }
  t.equal(await statusFrom('192.0.2.1:1111'), 401)
  t.equal(await statusFrom('192.0.2.1:2222'), 429, 'a port makes no other client')
  t.equal(await statusFrom('[2001:db8::1]:1111'), 401)
  t.equal(await statusFrom('[2001:db8::1]:2222'), 429)
  t.equal(await statusFrom('garbage, 192.0.2.1'), 429, 'the address after it counts')
})

t.test('sign-in attempts are limited, whether the password is right or wrong', async t => {
  const { app } = await openApp(t, { env: { RATE_LIMIT_SIGN_IN: '2' } })
  const signIn = (password: string) =>
    app.inject({
      method: 'POST',
      url: '/users/sign_in',
      payload: new URLSearchParams({ login: 'root', password }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' }
    })

  t.equal((await signIn('wrong')).statusCode, 401)
  t.equal((await signIn('wrong too')).statusCode, 401)
  t.hasStrict(await signIn(rootPassword), { statusCode: 429, headers: { 'ratelimit-name': 'throttle_protected_paths' } })
  t.equal((await app.inject('/users/sign_in')).statusCode, 200, 'the page itself can be seen')
})

t.test('error intake, health checks and stylesheets have no limit, nor has anything when limits are off', async t => {
  const { app, send } = await openProject(t, { env: { RATE_LIMIT_IP: '1' } })

  for (const url of ['/-/liveness', stylesheet.path, '/-/liveness', stylesheet.path]) {
    const response = await app.inject(url)
    t.equal(response.statusCode, 200)
    t.equal(response.headers['ratelimit-limit'], undefined)
  }
  for (const _ of [1, 2, 3]) t.equal((await send(anEnvelope())).statusCode, 200)

  const unlimited = await app.inject({ url: '/api/v4/user', headers: admin })
  for (const name of names) t.equal(unlimited.headers[name], undefined, name)
})

t.test('while Redis is unavailable, each process counts its own requests', { skip: redisUrl ? false : 'there is no Redis' }, async t => {
  const { app, platform } = await openApp(t, { kind: 'redis', env: { RATE_LIMIT_USER: '1' } })
  const ask = () => app.inject({ url: '/api/v4/user', headers: admin })

  t.equal((await ask()).statusCode, 200)
  platform.queues.backend.redis!.disconnect()
  t.equal((await ask()).statusCode, 200)
  t.equal((await ask()).statusCode, 429, 'by its own count')
})

t.test('with Redis, all processes share one count', { skip: redisUrl ? false : 'there is no Redis' }, async t => {
  const { app, config } = await openApp(t, { kind: 'redis', env: { RATE_LIMIT_USER: '4' } })
  const platform = await boot(config, { role: 'web', log: pino({ level: 'silent' }) })
  const other = await buildApp(platform)
  const observed = async (of: typeof app) =>
    Number((await of.inject({ url: '/api/v4/user', headers: admin })).headers['ratelimit-observed'])

  t.teardown(() => platform.close())
  t.teardown(() => other.close())
  for (const nth of [1, 2, 3]) t.equal(await observed(app), nth)
  t.equal(await observed(other), 4)
  t.equal((await app.inject({ url: '/api/v4/user', headers: admin })).statusCode, 429)
})
