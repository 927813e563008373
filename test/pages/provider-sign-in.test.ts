import t, { type Test } from 'tap'
import { openOidcProvider } from '../support/oidc-provider.ts'
import { openApp, rootPassword } from '../support/world.ts'
import { aMember } from './a-member.ts'
import { openWithMail } from './mailed-links.ts'
import { codeNow, Visitor } from './visitor.ts'

const path = '/users/auth/openid_connect'
const settings = '/-/profile/identities'
const eve = { email: 'eve@shop.example', email_verified: true, name: 'Eve Moss', preferred_username: 'eve' }

async function openSignIn(t: Test, env: Record<string, string> = {}) {
  const provider = await openOidcProvider(t)
  const world = await openApp(t, { env: { ...provider.env, OIDC_SIGN_UP: 'true', ...env } })
  const { app, call, platform } = world

  /** Begins in a browser; returns where the provider's sign-in is. */
  const begin = async (visitor: Visitor, fields: Record<string, string> = {}, at = path) => {
    const answer = await visitor.post(at, fields)

    return urlIn(answer) ?? t.fail(answer.body)
  }
  /** The way to the provider, where somebody signs in, and back. */
  const signIn = async (subject: string, visitor = new Visitor(app), fields: Record<string, string> = {}) =>
    visitor.get(await provider.signIn(String(await begin(visitor, fields)), { subject }))
  const userOf = async (username: string) => {
    const { body: found } = await call('GET', `/users?username=${username}`)

    return found[0] && (await call('GET', `/users/${found[0].id}`)).body
  }
  const auditEvents = async (name: string) =>
    (await platform.pool.query('SELECT entity_id, details FROM audit_events WHERE name = $1 ORDER BY id', [name])).rows

  return { ...world, provider, begin, signIn, userOf, auditEvents, visitor: new Visitor(app) }
}

function urlIn({ headers }: { headers: Record<string, unknown> }) {
  return /^0; url=(.+)$/.exec(String(headers.refresh))?.[1]
}

function problemIn(body: string) {
  return /<p class="problem"[^>]*>([^<]+)</.exec(body)?.[1]
}

const whoAmI = async (visitor: Visitor) => /data-user="(\d+)"/.exec((await visitor.get('/-/profile')).body)?.[1]

t.test('people who are new get an account, and are the same user the next time', async t => {
  const { app, provider, signIn, userOf, visitor, auditEvents } = await openSignIn(t)

  provider.people.set('1', eve)
  t.match((await visitor.get('/users/sign_in?return_to=/alerts')).body, /value="\/alerts"><button class="plain">Continue with Keyring</)
  t.hasStrict(await signIn('1', visitor, { return_to: '/alerts' }), { statusCode: 303, headers: { location: '/alerts' } })
  const user = await userOf('eve')
  t.hasStrict(user, { name: 'Eve Moss', email: eve.email, state: 'active', is_admin: false })
  t.type(user.confirmed_at, 'string')
  t.equal(await whoAmI(visitor), String(user.id))
  t.hasStrict(await auditEvents('identity_connected'), [
    { entity_id: user.id, details: { issuer: provider.issuer, subject: '1', by: 'sign-up' } }
  ])
  t.hasStrict((await auditEvents('user_signed_in')).at(-1), { entity_id: user.id, details: { with: 'OpenID Connect' } })

  provider.people.set('1', { ...eve, email: 'eva@other.example', preferred_username: 'root' })
  const other = new Visitor(app)
  t.hasStrict(await signIn('1', other), { statusCode: 303, headers: { location: '/' } })
  t.equal(await whoAmI(other), String(user.id), 'whatever the provider calls them now')
  t.equal((await userOf('eve')).email, eve.email)
  t.equal((await other.post('/users/sign_out')).statusCode, 303)
  t.match((await other.get('/-/profile')).body, /Continue with Keyring/)
})

t.test('usernames are unique and well-formed', async t => {
  const { provider, signIn, userOf } = await openSignIn(t)

  provider.people.set('1', { ...eve, preferred_username: 'Root' })
  provider.people.set('2', { email: 'röot+x@shop.example', email_verified: true })
  provider.people.set('3', { email: 'admin@shop.example', email_verified: true, preferred_username: 'Ann Lee@corp' })
  provider.people.set('4', { email: '--@shop.example', email_verified: true, preferred_username: 'x.git' })
  for (const subject of ['1', '2', '3', '4']) t.equal((await signIn(subject)).statusCode, 303, subject)
  for (const username of ['root-2', 'ro-ot-x', 'ann-lee', 'x.git-2']) t.ok(await userOf(username), username)
})

t.test('an existing user is connected by an address that both sides have verified', async t => {
  const world = await openSignIn(t)
  const { provider, signIn, call, auditEvents, app } = world
  const ann = await aMember(world, 'ann', { email: 'Ann@shop.example', skip_confirmation: true })

  provider.people.set('7', { ...eve, email: 'ann@shop.example' })
  const visitor = new Visitor(app)
  t.equal((await signIn('7', visitor)).statusCode, 303)
  t.equal(await whoAmI(visitor), String(ann.id))
  t.hasStrict(await auditEvents('identity_connected'), [{ entity_id: ann.id, details: { by: 'verified e-mail' } }])

  provider.people.set('8', { ...eve, email: 'ann@shop.example' })
  t.match(
    problemIn((await signIn('8')).body),
    /There is already an account with the address ann@shop\.example/,
    'the next owner of the address'
  )
  t.equal((await call('GET', '/users?search=ann')).body.length, 1)
})

t.test('users are told by mail that an account was connected', async t => {
  const provider = await openOidcProvider(t)
  const world = await openWithMail(t, provider.env)
  const visitor = new Visitor(world.app)
  const { host } = new URL(provider.issuer)

  await aMember(world, 'ann', { skip_confirmation: true })
  provider.people.set('7', { ...eve, email: 'ann@example.com' })
  await visitor.get(await provider.signIn(String(urlIn(await visitor.post(path))), { subject: '7' }))
  t.match(await world.mailTo('ann@example.com', `An account at ${host} was connected`), /Whoever has it can sign in as you/)
})

t.test('an address that one side did not verify connects nobody', async t => {
  const world = await openSignIn(t)
  const { provider, signIn, platform } = world
  const ann = await aMember(world, 'ann', { skip_confirmation: true })

  for (const email_verified of [false, undefined, 'true']) {
    provider.people.set('7', { ...eve, email: 'ann@example.com', email_verified })
    const refused = await signIn('7')
    t.equal(refused.statusCode, 400)
    t.match(problemIn(refused.body), /Sign in to it another way, then connect Keyring/)
  }
  await platform.pool.query('UPDATE users SET confirmed_at = NULL WHERE id = $1', [ann.id])
  provider.people.set('7', { ...eve, email: 'ann@example.com' })
  t.match(problemIn((await signIn('7')).body), /There is already an account/, 'not confirmed here')
  t.equal((await platform.pool.query('SELECT FROM identities')).rowCount, 0)
})

t.test('a subject is somebody only at its issuer', async t => {
  const { provider, signIn, platform, userOf, visitor } = await openSignIn(t)

  provider.people.set('1', eve)
  await signIn('1')
  await platform.pool.query(`UPDATE identities SET issuer = 'https://elsewhere.example'`)
  provider.people.set('1', { ...eve, email: 'mallory@shop.example', preferred_username: 'mallory' })
  t.equal((await signIn('1', visitor)).statusCode, 303)
  t.equal(await whoAmI(visitor), String((await userOf('mallory')).id))
})

t.test('a sign-in ends in the browser in which it began, once, within ten minutes', async t => {
  const { app, provider, begin, platform, visitor } = await openSignIn(t)
  const victim = new Visitor(app)

  provider.people.set('1', eve)
  const back = await provider.signIn(String(await begin(visitor)), { subject: '1' })
  await begin(victim)
  const foreign = await victim.get(back)
  t.equal(foreign.statusCode, 400)
  t.match(problemIn(foreign.body), /expired, was already used, or began in another browser/)
  t.match(foreign.body, /href="\/users\/sign_in">Sign in again/)
  t.notOk(victim.cookies._service_session)

  const both = await Promise.all([visitor.get(back), visitor.get(back)])
  t.same(both.map(({ statusCode }) => statusCode).sort(), [303, 400], 'of two at once, one')
  const again = await visitor.get(back)
  t.equal(again.statusCode, 400)
  t.match(again.body, /Go to the home page/, 'the back button, when signed in')

  const late = await provider.signIn(String(await begin(visitor)), { subject: '1' })
  await platform.pool.query(`UPDATE provider_sign_ins SET expires_at = expires_at - interval '10 minutes'`)
  t.equal((await visitor.get(late)).statusCode, 400)
  for (const query of ['', '?', '?state=', '?state=a&state=b', '?code=%00&state=%00', '?error=access_denied'])
    t.equal((await visitor.get(`${path}/callback${query}`)).statusCode, 400, query)
})

t.test('sign-ins in two tabs both end', async t => {
  const { provider, begin, visitor } = await openSignIn(t)

  provider.people.set('1', eve)
  const tabs = [String(await begin(visitor, { return_to: '/alerts' })), String(await begin(visitor, { return_to: '/incidents' }))]
  for (const [n, to] of ['/alerts', '/incidents'].entries())
    t.equal((await visitor.get(await provider.signIn(tabs[n]!, { subject: '1' }))).headers.location, to)
})

t.test('a code that was used, one of another sign-in, and another nonce are refused', async t => {
  const { provider, begin, visitor, app } = await openSignIn(t)
  const replaced = (back: string, name: string, value: string) => {
    const url = new URL(back, 'http://tocsin.test')

    url.searchParams.set(name, value)
    return url.pathname + url.search
  }
  const codeOf = (back: string) => new URL(back, 'http://tocsin.test').searchParams.get('code')!

  provider.people.set('1', eve)
  const first = await provider.signIn(String(await begin(visitor)), { subject: '1' })
  t.equal((await visitor.get(first)).statusCode, 303)
  const thief = new Visitor(app)
  const second = await provider.signIn(String(await begin(thief)), { subject: '1' })
  t.match(problemIn((await thief.get(replaced(second, 'code', codeOf(first)))).body), /has expired or was already used/)

  const stolen = await provider.signIn(String(await begin(visitor)), { subject: '1' })
  const own = await provider.signIn(String(await begin(thief)), { subject: '1' })
  t.match(problemIn((await thief.get(replaced(own, 'code', codeOf(stolen)))).body), /has expired or was already used/, 'PKCE')

  const url = new URL(String(await begin(thief)))
  t.same([url.searchParams.get('code_challenge_method'), url.searchParams.get('response_type')], ['S256', 'code'])
  url.searchParams.set('nonce', 'another nonce')
  t.match(problemIn((await thief.get(await provider.signIn(url.href, { subject: '1' }))).body), /could not be verified/)
  t.match(
    problemIn(
      (await thief.get(replaced(await provider.signIn(String(await begin(thief)), { subject: '1' }), 'iss', 'https://evil.example'))).body
    ),
    /could not be verified/
  )
  t.notOk(thief.cookies._service_session)
})

t.test('errors of the provider are told, with a way on', async t => {
  const { provider, begin, visitor } = await openSignIn(t)
  const back = await provider.signIn(String(await begin(visitor, { return_to: '/alerts' })), { error: 'access_denied' })
  const denied = await visitor.get(back)

  t.equal(denied.statusCode, 400)
  t.equal(problemIn(denied.body), 'The sign-in was cancelled, or Keyring does not let you in.')
  t.match(denied.body, /value="\/alerts"><button class="plain">Continue with Keyring/)
  const failed = await provider.signIn(String(await begin(visitor)), { error: 'server_error' })
  t.match(problemIn((await visitor.get(failed)).body), /Keyring refused the sign-in: it may not be set up for this site/)

  provider.people.set('1', { preferred_username: 'eve' })
  t.match(
    problemIn((await visitor.get(await provider.signIn(String(await begin(visitor)), { subject: '1' }))).body),
    /did not send your e-mail/
  )
})

t.test('a wrong client secret and a provider that is away are told, and the rest works', async t => {
  const provider = await openOidcProvider(t)
  const wrong = await openSignIn(t, { OIDC_CLIENT_SECRET: 'wrong' })

  provider.people.set('1', eve)
  t.match(problemIn((await wrong.signIn('1')).body), /Keyring refused the sign-in: it may not be set up for this site/)
  for (const [issuer, text] of [
    ['http://127.0.0.1:9', /Keyring cannot be reached/],
    [`${provider.issuer}/elsewhere`, /There is no OpenID Connect provider at the configured address of Keyring/],
    [provider.issuer.replace('127.0.0.1', 'localhost'), /There is no OpenID Connect provider at the configured address of Keyring/]
  ] as const) {
    const away = await openApp(t, { env: { ...provider.env, OIDC_ISSUER: issuer } })
    const visitor = new Visitor(away.app)
    const answer = await visitor.post(path, { return_to: '/alerts' })

    t.equal(answer.statusCode, 400)
    t.match(problemIn(answer.body), text)
    t.equal((await visitor.get('/-/readiness')).statusCode, 200)
    t.equal((await visitor.signIn()).statusCode, 303)
  }
})

t.test('users who are blocked, or wait for approval, are refused', async t => {
  const world = await openSignIn(t)
  const { provider, signIn, call, userOf } = world
  const ann = await aMember(world, 'ann', { skip_confirmation: true })

  provider.people.set('1', eve)
  provider.people.set('2', { ...eve, email: 'ann@example.com' })
  await signIn('1')
  await call('POST', `/users/${(await userOf('eve')).id}/block`)
  await call('POST', `/users/${ann.id}/block`)
  for (const subject of ['1', '2']) t.match(problemIn((await signIn(subject)).body), /This account is blocked/)

  await call('PUT', '/application/settings', { sign_up: 'approval' })
  provider.people.set('3', { ...eve, email: 'ivy@shop.example', preferred_username: 'ivy' })
  t.match(problemIn((await signIn('3')).body), /waiting for approval/)
  t.match(problemIn((await signIn('3')).body), /waiting for approval/)
  const ivy = await userOf('ivy')
  t.equal(ivy.state, 'blocked_pending_approval')
  await call('POST', `/users/${ivy.id}/approve`)
  t.equal((await signIn('3')).statusCode, 303)
})

t.test('allowed domains hold for new accounts, for verified addresses', async t => {
  const { provider, signIn, call } = await openSignIn(t)

  await call('PUT', '/application/settings', { domain_allowlist: ['shop.example'] })
  provider.people.set('1', { ...eve, email: 'eve@other.example' })
  provider.people.set('2', { ...eve, email_verified: false })
  for (const subject of ['1', '2']) t.match(problemIn((await signIn(subject)).body), /verified e-mail address at shop\.example/)
  provider.people.set('2', eve)
  t.equal((await signIn('2')).statusCode, 303)
})

t.test('the mode of sign-up holds for people who are new, without OIDC_SIGN_UP', async t => {
  const world = await openSignIn(t, { OIDC_SIGN_UP: 'false' })
  const { provider, signIn, call } = world

  await aMember(world, 'ann', { skip_confirmation: true })
  provider.people.set('1', eve)
  provider.people.set('2', { ...eve, email: 'ann@example.com' })
  for (const sign_up of ['off', 'invited']) {
    await call('PUT', '/application/settings', { sign_up })
    t.match(problemIn((await signIn('1')).body), /You have no account here/, sign_up)
  }
  t.equal((await signIn('2')).statusCode, 303)
  await call('PUT', '/application/settings', { sign_up: 'domains', domain_allowlist: ['other.example'] })
  t.match(problemIn((await signIn('1')).body), /verified e-mail address at other\.example/)
  await call('PUT', '/application/settings', { domain_allowlist: ['shop.example'] })
  t.equal((await signIn('1')).statusCode, 303)
})

t.test('an admin is not connected by an address', async t => {
  const { provider, signIn, platform } = await openSignIn(t)

  provider.people.set('1', { ...eve, email: 'root@localhost' })
  t.match(problemIn((await signIn('1')).body), /There is already an account with the address root@localhost/)
  t.equal((await platform.pool.query('SELECT FROM identities')).rowCount, 0)
})

t.test('a required group is asked for at every sign-in', async t => {
  const { provider, signIn } = await openSignIn(t, { OIDC_REQUIRED_GROUP: 'on-call' })

  for (const [groups, status] of [
    [['on-call', 'staff'], 303],
    ['on-call', 303],
    [['on-call-2'], 400],
    [undefined, 400]
  ] as const) {
    provider.people.set('1', { ...eve, groups })
    const answer = await signIn('1')
    t.equal(answer.statusCode, status, String(groups))
    if (status === 400) t.match(problemIn(answer.body), /not in the group that may sign in here/)
  }
})

t.test('an address that the provider did not verify is not confirmed here either', async t => {
  const { provider, signIn, userOf } = await openSignIn(t)

  provider.people.set('1', { ...eve, email_verified: undefined })
  t.equal((await signIn('1')).statusCode, 303)
  t.equal((await userOf('eve')).confirmed_at, null)
})

t.test('the second factor is asked for', async t => {
  const { provider, begin, signIn, visitor, app } = await openSignIn(t)

  provider.people.set('1', eve)
  await visitor.signIn()
  const { secret } = await visitor.enrol()
  await visitor.get(settings)
  await visitor.get(await provider.signIn(String(await begin(visitor, { current: rootPassword }, settings)), { subject: '1' }))
  const other = new Visitor(app)
  const answer = await signIn('1', other, { return_to: '/alerts' })
  t.equal(answer.headers.location, '/users/sign_in/code?return_to=%2Falerts')
  t.match((await other.get('/alerts')).body, /Continue with Keyring/, 'not signed in yet')
  await other.get(answer.headers.location!)
  t.equal((await other.post('/users/sign_in/code', { code: codeNow(secret, 1), return_to: '/alerts' })).headers.location, '/alerts')
})

t.test('a lock after wrong passwords does not keep people out', async t => {
  const world = await openSignIn(t)
  const { provider, signIn, app } = world

  await aMember(world, 'ann', { skip_confirmation: true })
  provider.people.set('1', { ...eve, email: 'ann@example.com' })
  for (let n = 0; n < 10; n++) await new Visitor(app).post('/users/sign_in', { login: 'ann', password: 'wrong' })
  t.equal((await new Visitor(app).signIn({ login: 'ann', password: 'a password, n-n-a' })).statusCode, 401)
  t.equal((await signIn('1')).statusCode, 303)
})

t.test('users connect and disconnect in their settings', async t => {
  const world = await openSignIn(t)
  const { provider, begin, auditEvents, app, call, platform } = world
  const ann = await aMember(world, 'ann')
  const password = 'a password, n-n-a'

  provider.people.set('1', eve)
  t.match((await ann.get(settings)).body, /You have not connected any account[\s\S]+Connect Keyring/)
  t.match(await ann.post(settings, { current: 'wrong' }), { statusCode: 400, body: /password is wrong/ })
  const url = String(await begin(ann, { current: password }, settings))
  const stranger = new Visitor(app)
  stranger.cookies._service_provider = ann.cookies._service_provider!
  const back = await provider.signIn(url, { subject: '1' })
  t.equal((await stranger.get(back)).statusCode, 400, 'not without her session')
  await ann.get(settings)
  t.equal(
    (await ann.get(await provider.signIn(String(await begin(ann, { current: password }, settings)), { subject: '1' }))).headers.location,
    settings
  )
  const { body } = await ann.get(settings)
  t.match(body, /Connected\. You can sign in with it[\s\S]+eve@shop\.example/)
  t.notMatch(body, /Connect Keyring/)
  const other = new Visitor(app)
  t.equal((await world.signIn('1', other)).statusCode, 303)
  t.equal(await whoAmI(other), String(ann.id))
  const root = new Visitor(app)
  await root.signIn()
  t.match((await root.get(`/admin/users/${ann.id}`)).body, /Signs in with<\/dt><dd>127\.0\.0\.1:\d+ \(eve@shop\.example\)/)

  const bob = await aMember(world, 'bob')
  await bob.get(settings)
  const taken = await bob.get(await provider.signIn(String(await begin(bob, { current: 'a password, b-o-b' }, settings)), { subject: '1' }))
  t.match(taken, { statusCode: 400, body: /connected to another user here[\s\S]+Back to the settings/ })
  await bob.get(settings)
  const denied = await bob.get(
    await provider.signIn(String(await begin(bob, { current: 'a password, b-o-b' }, settings)), { error: 'access_denied' })
  )
  t.match(denied, { statusCode: 400, body: /The sign-in was cancelled[\s\S]+Back to the settings/ })

  const [, action] = /action="(\/-\/profile\/identities\/\d+\/deletion)"/.exec((await ann.get(settings)).body)!
  await bob.get(settings)
  t.equal((await bob.post(action!)).statusCode, 404)
  t.equal((await ann.post(action!)).statusCode, 303)
  t.match((await ann.get(settings)).body, /You have not connected any account/)
  t.same((await platform.pool.query(`SELECT data, subject_id FROM outbox WHERE kind = 'identity.connected'`)).rows, [
    { data: { provider: new URL(provider.issuer).host }, subject_id: ann.id }
  ])
  t.hasStrict(await auditEvents('identity_disconnected'), [{ entity_id: ann.id, details: { issuer: provider.issuer, subject: '1' } }])
  t.equal((await call('GET', `/users/${ann.id}`)).status, 200)
})

t.test('who has no password sets one, and manages the second factor, soon after signing in', async t => {
  const { provider, signIn, visitor, platform } = await openSignIn(t)
  const password = { password: 'a quite long secret', again: 'a quite long secret' }
  const age = () => platform.pool.query(`UPDATE sessions SET created_at = created_at - interval '10 minutes'`)

  provider.people.set('1', eve)
  await signIn('1', visitor)
  const [, action] = /action="(\/-\/profile\/identities\/\d+\/deletion)"/.exec((await visitor.get(settings)).body)!
  t.match(await visitor.post(action!), { statusCode: 400, body: /Set a password first/ })
  await age()
  for (const [page, action = page] of [
    ['/-/profile/password'],
    ['/-/profile/two_factor'],
    ['/-/profile/account', '/-/profile/account/export']
  ]) {
    const { body } = await visitor.get(page!)
    t.match(body, new RegExp(`href="/users/sign_in\\?return_to=${encodeURIComponent(page!)}">sign in again`))
    t.notMatch(body, /name="current"/)
    t.match(await visitor.post(action!, password), { statusCode: 400, body: /Sign in again first/ })
  }
  await signIn('1', visitor)
  t.notMatch((await visitor.get('/-/profile/two_factor')).body, /sign in again|name="current"/)
  await visitor.get('/-/profile/account')
  const { connected_sign_ins: connected } = (await visitor.post('/-/profile/account/export')).json()
  t.hasStrict(connected, [{ issuer: provider.issuer, subject: '1', email: eve.email }])
  t.equal((await visitor.post('/-/profile/two_factor')).statusCode, 303)
  t.match((await visitor.get('/-/profile/two_factor')).body, /Scan the QR code/)
  await visitor.get('/-/profile/password')
  t.equal((await visitor.post('/-/profile/password', password)).statusCode, 303)
  t.match((await visitor.get('/-/profile/password')).body, /name="current"/, 'from now on it is asked for')
  t.equal((await visitor.post(action!)).statusCode, 303)
  t.equal((await visitor.signIn({ login: 'eve', password: password.password })).statusCode, 303)
})

t.test('the same new person twice at once is one user', async t => {
  const { app, provider, begin, call } = await openSignIn(t)

  provider.people.set('1', eve)
  const backs = [] as [Visitor, string][]
  for (let n = 0; n < 3; n++) {
    const visitor = new Visitor(app)
    backs.push([visitor, await provider.signIn(String(await begin(visitor)), { subject: '1' })])
  }
  t.same(
    (await Promise.all(backs.map(([visitor, back]) => visitor.get(back)))).map(({ statusCode }) => statusCode),
    [303, 303, 303]
  )
  t.equal((await call('GET', '/users?search=eve')).body.length, 1)
})

t.test('other sites cannot begin a sign-in, and beginnings are limited', async t => {
  const { app, provider } = await openSignIn(t)
  const visitor = new Visitor(app)

  visitor.headers['sec-fetch-site'] = 'cross-site'
  t.equal((await visitor.post(path)).statusCode, 403)
  const limited = await openApp(t, { env: { ...provider.env, RATE_LIMIT_SIGN_IN: '3' } })
  const eager = new Visitor(limited.app)
  const statuses = []
  for (let n = 0; n < 4; n++) statuses.push((await eager.post(path)).statusCode)
  t.same(statuses, [200, 200, 200, 429])
})

t.test('without a provider nothing of it is there', async t => {
  const { app } = await openApp(t)
  const visitor = new Visitor(app)

  await visitor.signIn()
  t.notMatch((await visitor.get('/users/sign_in')).body, /Continue with/)
  t.notMatch((await visitor.get('/-/profile')).body, /Connected sign-ins/)
  t.equal((await visitor.get(settings)).statusCode, 404)
  t.equal((await visitor.post(path)).statusCode, 404)
})
