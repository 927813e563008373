import { join } from 'node:path'
import t from 'tap'
import { BadConfig, readConfig } from '#config.ts'

t.test('each refused value is named with its setting and the rule, and secrets are not shown', async t => {
  const refusals: Record<string, string> = {
    PORT: '99999',
    TRUST_PROXY: 'true',
    NODE_ENV: 'prod',
    SERVICE_VERSION: '18',
    NAMESPACE: 'Two Words',
    BASE_URL: 'https://tocsin.example.com/?a=1',
    DATABASE_URL: 'postgresql://tocsin:pass@localhost:99999/tocsin',
    REDIS_URL: 'http://localhost',
    SMTP_URL: 'mail.example.com',
    MAIL_FROM: 'tocsin',
    SECRET_KEY: 'short'
  }

  t.same(problemsOf(refusals), [
    'PORT must be a whole number from 0 to 65535, not "99999".',
    'BASE_URL must be a URL such as https://tocsin.example.com, without a user name, query or fragment, not "https://tocsin.example.com/?a=1".',
    'TRUST_PROXY must be the number of reverse proxies, such as 1, or their networks, such as 10.0.0.0/8,fd00::/8 (if everybody were trusted, clients could forge their address), not "true".',
    'SERVICE_VERSION must be a version such as 18.0, not "18".',
    'DATABASE_URL must be a URL such as postgresql://user:password@host:5432/tocsin, with a port up to 65535 and special characters in %XX form.',
    'REDIS_URL must be a URL such as redis://host:6379, rediss://…, or several separated by commas for a cluster.',
    'NAMESPACE must be lowercase letters, digits and _, starting with a letter, at most 41, not "Two Words".',
    'SECRET_KEY must have at least 32 characters.',
    'SMTP_URL must be a URL such as smtp://user:password@mail.example.com:587, or smtps://… for TLS from the start.',
    'MAIL_FROM must be an address such as tocsin@example.com, or Tocsin <tocsin@example.com>, not "tocsin".',
    'NODE_ENV must be one of development, test, production, not "prod".'
  ])
})

t.test('a password in BASE_URL is not shown', async t => {
  const [problem] = problemsOf({ BASE_URL: 'https://root:secret@tocsin.example.com' })

  t.match(problem, 'not "https://***@tocsin.example.com"')
})

t.test('every form of an address that drivers accept is accepted', async t => {
  for (const url of [
    'postgresql://tocsin@/tocsin?host=%2Ftmp',
    'postgres:///tocsin',
    'postgres://u:p%40ss@host:5432/tocsin?sslmode=require'
  ])
    t.equal(readConfig({ DATABASE_URL: url, SECRET_KEY: 'k'.repeat(32) }).databaseUrl, url)
  for (const url of ['redis://localhost', 'rediss://:pass@host:6380/1', 'redis://a:1,b:2,redis://c:3'])
    t.equal(readConfig({ REDIS_URL: url }).redisUrl, url)
})

t.test('a database of its own needs a SECRET_KEY, and the refusal says where to get one', async t => {
  const dir = t.testdir({ new: {}, old: { 'secret.key': 'made by the embedded database' } })
  const env = (name: string) => ({ DATABASE_URL: 'postgresql://localhost/tocsin', DATA_DIR: join(dir, name) })
  t.equal(problemsOf({ DATABASE_URL: 'postgresql://localhost/t', SECRET_KEY: 'short' }).length, 1, 'one problem is named once')
  const needed = 'SECRET_KEY is needed together with DATABASE_URL, the same for all processes.'

  t.same(problemsOf(env('new')), [`${needed} Make one: openssl rand -base64 32`])
  t.same(problemsOf(env('old')), [`${needed} This installation has one: SECRET_KEY=$(cat ${join(dir, 'old', 'secret.key')})`])
  t.doesNotThrow(() => readConfig({ ...env('new'), SECRET_KEY: 'k'.repeat(32) }))
  t.doesNotThrow(() => readConfig({}))
})

t.test('a setting that has no effect without another one is refused', async t => {
  const url = 'https://services.example.com'

  t.same(problemsOf({ RECAPTCHA_SITE_KEY: 'site' }), ['RECAPTCHA_SECRET_KEY is needed together with RECAPTCHA_SITE_KEY.'])
  t.same(problemsOf({ RECAPTCHA_SECRET_KEY: 'secret', RECAPTCHA_VERIFY_URL: url }), [
    'RECAPTCHA_SITE_KEY is needed together with RECAPTCHA_SECRET_KEY.'
  ])
  t.same(problemsOf({ SPAM_CHECK_URL: url }), ['SPAM_CHECK_KEY is needed together with SPAM_CHECK_URL.'])
  t.same(problemsOf({ SPAM_CHECK_KEY: 'key' }), ['SPAM_CHECK_URL is needed together with SPAM_CHECK_KEY.'])
  t.same(problemsOf({ SPAM_CHECK_KEY: 'key', SPAM_CHECK_URL: 'akismet' }), [
    'SPAM_CHECK_URL must be a URL such as https://tocsin.example.com, without a user name, query or fragment, not "akismet".'
  ])
  t.same(problemsOf({ OIDC_ISSUER: 'https://login.example.com' }), [
    'OIDC_CLIENT_ID is needed together with OIDC_ISSUER.',
    'OIDC_CLIENT_SECRET is needed together with OIDC_ISSUER.'
  ])
  t.same(problemsOf({ OIDC_CLIENT_ID: 'tocsin', OIDC_CLIENT_SECRET: 'secret', OIDC_REQUIRED_GROUP: 'staff' }), [
    'OIDC_ISSUER is needed together with OIDC_CLIENT_ID.'
  ])
  t.same(problemsOf({ OIDC_REQUIRED_GROUP: 'staff' }), ['OIDC_ISSUER is needed together with OIDC_REQUIRED_GROUP.'])
  t.doesNotThrow(() =>
    readConfig({ SPAM_CHECK_KEY: 'key', SPAM_CHECK_URL: url, RECAPTCHA_SITE_KEY: 'site', RECAPTCHA_SECRET_KEY: 'secret' })
  )
})

t.test('an issuer is reached by https, on this machine also by http', async t => {
  const client = { OIDC_CLIENT_ID: 'tocsin', OIDC_CLIENT_SECRET: 'secret' }

  for (const issuer of [
    'http://login.example.com',
    'https://login.example.com/?a=1',
    'https://login.example.com/.well-known/openid-configuration',
    'https://a:b@login.example.com',
    'login.example.com'
  ]) {
    const [problem] = problemsOf({ ...client, OIDC_ISSUER: issuer })
    t.match(problem, /^OIDC_ISSUER must be the URL of an issuer such as https:\/\/login\.example\.com/, issuer)
  }
  for (const issuer of ['https://login.example.com/realms/team', 'http://localhost:8080/', 'http://[::1]:8080'])
    t.equal(readConfig({ ...client, OIDC_ISSUER: issuer }).oidc?.issuer, issuer)
  t.equal(readConfig({}).oidc, undefined)
})

t.test('a WEBHOOK_CONCURRENCY of which only a part is used causes a warning', async t => {
  const warningsOf = (env: Record<string, string>) => readConfig(env).warnings

  t.same(warningsOf({ WEBHOOK_CONCURRENCY: '20' }), [
    'WEBHOOK_CONCURRENCY is 20, of which 5 are used: half of DELIVERIES_CONCURRENCY. Set DELIVERIES_CONCURRENCY to 40, or lower WEBHOOK_CONCURRENCY.'
  ])
  for (const env of [
    { WEBHOOK_CONCURRENCY: '5' },
    { WEBHOOK_CONCURRENCY: '20', DELIVERIES_CONCURRENCY: '40' },
    { DELIVERIES_CONCURRENCY: '2' }
  ])
    t.same(warningsOf(env as Record<string, string>), [])
})

t.test('TRUST_PROXY is a number of hops or a list of networks, and none by default', async t => {
  const read = (TRUST_PROXY: string) => readConfig({ TRUST_PROXY }).trustProxy

  t.equal(read(''), undefined)
  t.equal(read('2'), 2)
  t.same(read('10.0.0.0/8, fd00::/8,192.0.2.1'), ['10.0.0.0/8', 'fd00::/8', '192.0.2.1'])
  for (const given of ['false', '-1', '10.0.0.0/8,', '0.0.0.0/0', '::/0', '10.0.0.0/33', 'loopback']) {
    const [problem] = problemsOf({ TRUST_PROXY: given })
    t.ok(problem?.endsWith(`not "${given}".`), given)
  }
})

t.test('numbers, switches and mailboxes become values, and an empty variable counts as unset', async t => {
  const config = readConfig({ PORT: '8080', HOST: '', impersonation_enabled: 'false', MAIL_FROM: 'Tocsin <alarm@example.com>' })

  t.equal(config.port, 8080)
  t.equal(config.host, '127.0.0.1')
  t.equal(config.isImpersonationOn, false)
  t.same(config.smtp.from, { name: 'Tocsin', address: 'alarm@example.com' })
  t.equal(config.databasePool, 8)
})

t.test('a variable that looks like a misspelt setting is warned about', async t => {
  const env = {
    DATABSE_URL: 'x',
    PROT: '1',
    REDIS_URI: 'x',
    TOCSIN_PORT: '1',
    TOCSIN_COLOUR: 'x',
    HOME: '/',
    PORT: '1',
    NODE_ENVS: '',
    PATH: 'x'
  }

  t.same(readConfig(env).warnings, [
    'DATABSE_URL is not a setting and is ignored. Did you mean DATABASE_URL?',
    'PROT is not a setting and is ignored. Did you mean PORT?',
    'REDIS_URI is not a setting and is ignored. Did you mean REDIS_URL?',
    'TOCSIN_PORT is not a setting and is ignored. Did you mean PORT?',
    'TOCSIN_COLOUR is not a setting and is ignored. docs/configuration.md lists the settings.'
  ])
})

function problemsOf(env: Record<string, string>) {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof BadConfig) return error.problems
    throw error
  }

  return []
}
