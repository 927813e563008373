import t, { type Test } from 'tap'
import { signUpUrl } from '#identity/sign-up/sign-up-link.ts'
import { openApp } from '../support/world.ts'
import { aMember } from './a-member.ts'
import { openWithMail } from './mailed-links.ts'
import { Visitor } from './visitor.ts'

const path = '/users/sign_up'
const eve = 'eve@shop.example'
const password = 'quite a long secret'
const account = { name: 'Eve Moss', username: 'eve', password, again: password }

async function openSignUp(t: Test, settings: object = { sign_up: 'domains', domain_allowlist: ['shop.example'] }) {
  const world = await openWithMail(t)
  const visitor = new Visitor(world.app)

  await world.call('PUT', '/application/settings', settings)

  return {
    ...world,
    visitor,
    request: (email: string) => visitor.post(path, { email }),
    link: () => world.linkTo(eve, 'Create your account'),
    create: (link: string, fields: Record<string, string> = {}, by = visitor) =>
      by.post(`${path}/account`, { sign_up_token: link.split('token=')[1]!, ...account, ...fields }),
    userOf: async (username: string) => (await world.call('GET', `/users?username=${username}`)).body[0]
  }
}

function problemsOf(body: string) {
  return [...body.matchAll(/<p class="(?:error|problem)"[^>]*>([^<]+)</g)].map(([, text]) => text)
}

t.test('with an address at an allowed domain, people create an account and are signed in', async t => {
  const { visitor, request, link, create, userOf, call } = await openSignUp(t)

  t.match((await visitor.get('/users/sign_in')).body, /href="\/users\/sign_up">Create an account/)
  t.match((await visitor.get(path)).body, /At shop\.example\./)
  t.same(problemsOf((await request('eve@other.example')).body), ['Must be at shop.example.'])
  t.same(problemsOf((await request('eve@sub.shop.example')).body), ['Must be at shop.example.'])
  t.same(problemsOf((await request('nonsense')).body), ['Is invalid.'])
  t.match(await request(eve), { statusCode: 200, body: /Check your mail/ })
  const url = await link()

  t.match((await visitor.get(url)).body, /Its e-mail address is <strong>eve@shop\.example/)
  t.notOk(await userOf('eve'), 'opening the link creates nothing')
  t.match(await create(url, { again: 'other' }), { statusCode: 400, body: /value="eve"[\s\S]+do not match/ })
  t.same(problemsOf((await create(url, { username: 'root' })).body), ['Username has already been taken.'])
  t.equal((await create(url, { password: 'password', again: 'password' })).statusCode, 400)
  t.hasStrict(await create(url, { email: 'evil@shop.example', admin: 'true', is_admin: 'true' }), {
    statusCode: 303,
    headers: { location: '/' }
  })
  t.match((await visitor.get('/-/profile')).body, /value="Eve Moss"/)
  const user = (await call('GET', `/users/${(await userOf('eve')).id}`)).body
  t.hasStrict(user, { email: eve, state: 'active', is_admin: false })
  t.type(user.confirmed_at, 'string')
  t.match(await create(url, { username: 'eve2' }), { statusCode: 400, body: /was used, has expired or is incomplete/ })
  t.equal((await visitor.get(url)).statusCode, 400)
})

t.test('of two who use a link at once, one gets an account', async t => {
  const { app, request, link, create, call } = await openSignUp(t)

  await request(eve)
  const url = await link()
  const answers = await Promise.all(['eve', 'eva'].map(username => create(url, { username }, new Visitor(app))))

  t.same(answers.map(({ statusCode }) => statusCode).sort(), [303, 400])
  t.equal((await call('GET', `/users?search=${eve}`)).body.length, 1)
})

t.test('the page does not tell whose address has an account; its owner is told by mail', async t => {
  const world = await openSignUp(t)
  const { request, mailTo, mailsTo } = world

  await aMember(world, 'ann', { email: 'ann@shop.example', skip_confirmation: true })
  const [known, unknown] = [await request('Ann@shop.example'), await request(eve)]
  t.equal(known.statusCode, unknown.statusCode)
  t.equal(known.body, unknown.body)
  t.match(await mailTo('Ann@shop.example', 'You already have an account'), /has one already/)
  await request(eve)
  await mailTo(eve, 'Create your account')
  t.equal(mailsTo(eve).length, 1, 'one link in ten minutes')
})

t.test('a link ends with its time and with the settings', async t => {
  const { visitor, config, call, create } = await openSignUp(t)
  const linkFor = async (ms: number, email = eve) =>
    (await signUpUrl(config, email, new Date(Date.now() + ms))).slice(config.baseUrl.length)
  const link = await linkFor(60_000)

  t.equal((await visitor.get(await linkFor(-1000))).statusCode, 400)
  t.equal((await create(await linkFor(-1000))).statusCode, 400)
  t.equal((await visitor.get(link)).statusCode, 200)
  t.equal((await visitor.get(link.replace(/\.\d{10}\./, '.9999999999.'))).statusCode, 400)
  t.equal((await visitor.get(link.replace('token=', `token=${Buffer.from('x').toString('base64url')}`))).statusCode, 400)
  t.equal((await visitor.get(`${path}/account`)).statusCode, 400)
  await call('PUT', '/application/settings', { domain_allowlist: ['other.example'] })
  t.same(problemsOf((await create(link)).body), ['Must be at other.example.'])
  await call('PUT', '/application/settings', { sign_up: 'invited' })
  for (const answer of [await visitor.get(link), await create(link), await visitor.post(path, { email: eve })])
    t.match(answer, { statusCode: 403, body: /Sign-up is closed/ })
})

t.test('with approval, the user waits until an admin approves, and admins are told', async t => {
  const { app, call, visitor, platform, request, link, create, mailTo, userOf } = await openSignUp(t, { sign_up: 'approval' })
  const root = new Visitor(app)

  await root.signIn()
  t.notMatch((await root.get('/admin/users')).body, /waiting for approval<\/a>/)
  t.match((await visitor.get(path)).body, /An administrator then approves your account/)
  await request(eve)
  t.match(await create(await link()), { statusCode: 200, body: /Your account is waiting for approval/ })
  const { id, state } = (await call('GET', `/users/${(await userOf('eve')).id}`)).body
  t.equal(state, 'blocked_pending_approval')
  t.match(await visitor.signIn({ login: 'eve', password }), { statusCode: 401, body: /Your account is waiting for approval/ })
  t.match(await visitor.signIn({ login: 'eve', password: 'wrong' }), { statusCode: 401, body: /Invalid username or password/ })
  t.match(await mailTo('root@localhost', 'Eve Moss (@eve) is waiting for approval'), new RegExp(`/admin/users/${id}`))

  t.match((await root.get('/admin/users')).body, /1 user waiting for approval<\/a>/)
  t.match((await root.get(`/admin/users?state=${state}`)).body, /@eve<[\s\S]+waiting for approval/)
  t.match((await root.get(`/admin/users/${id}`)).body, /Approval[\s\S]+value="approve">Approve/)
  t.equal((await root.post(`/admin/users/${id}/approval`, { decision: 'approve' })).statusCode, 303)
  await mailTo(eve, 'Your account was approved')
  t.equal((await visitor.signIn({ login: 'eve', password })).statusCode, 303)
  t.match(await root.post(`/admin/users/${id}/approval`, { decision: 'reject' }), {
    statusCode: 400,
    body: /does not have a pending request/
  })
  t.ok(await userOf('eve'))
  t.same((await platform.pool.query(`SELECT author_id, entity_id FROM audit_events WHERE name = 'user_approved'`)).rows, [
    { author_id: 1, entity_id: id }
  ])
})

t.test('a rejected user is deleted and told', async t => {
  const { app, visitor, request, link, create, mailTo, userOf } = await openSignUp(t, { sign_up: 'approval' })
  const root = new Visitor(app)

  await request(eve)
  await create(await link())
  await root.signIn()
  await root.get('/admin/users')
  const { id } = await userOf('eve')
  t.hasStrict(await root.post(`/admin/users/${id}/approval`, { decision: 'reject' }), {
    statusCode: 303,
    headers: { location: '/admin/users' }
  })
  await mailTo(eve, 'Your account was not approved')
  t.notOk(await userOf('eve'))
  t.equal((await visitor.signIn({ login: 'eve', password })).statusCode, 401)
})

t.test('the API approves and rejects as GitLab’s does', async t => {
  const { call, platform } = await openApp(t)
  const ids = await Promise.all(
    ['eve', 'joe'].map(async username => {
      const { body } = await call('POST', '/users', { username, name: username, email: `${username}@shop.example`, password })

      return body.id
    })
  )
  const ask = async (id: number, verb: string) => {
    const { status, body } = await call('POST', `/users/${id}/${verb}`)

    return [status, body.message]
  }

  t.same(await ask(ids[0], 'approve'), [409, 'The user you are trying to approve is not pending approval'])
  t.same(await ask(ids[0], 'reject'), [409, 'User does not have a pending request'])
  await platform.pool.query(`UPDATE users SET state = 'blocked_pending_approval' WHERE id = ANY($1)`, [ids])
  t.same(await ask(ids[0], 'approve'), [201, 'Success'])
  t.same(await ask(ids[0], 'approve'), [409, 'The user you are trying to approve is not pending approval'])
  t.same(await ask(ids[1], 'reject'), [200, 'Success'])
  t.equal((await call('POST', `/users/${ids[1]}/reject`)).status, 404)
  t.equal((await call('GET', `/users/${ids[0]}`)).body.state, 'active')
})

t.test('only admins approve', async t => {
  const world = await openApp(t)
  const ann = await aMember(world, 'ann')

  t.equal((await ann.post('/admin/users/1/approval', { decision: 'approve' })).statusCode, 403)
  t.equal((await new Visitor(world.app).post('/admin/users/1/approval', {})).statusCode, 401)
})

t.test('sign-up is closed unless an admin opens it, and without a mail server', async t => {
  const { app, call } = await openApp(t)
  const visitor = new Visitor(app)

  for (const mode of ['off', 'invited', 'approval']) {
    await call('PUT', '/application/settings', { sign_up: mode })
    t.match((await visitor.get(path)).body, /Sign-up is closed/, mode)
    t.equal((await visitor.post(path, { email: eve })).statusCode, 403)
    t.notMatch((await visitor.get('/users/sign_in')).body, /sign_up/)
  }
})

t.test('a network signs up as often as it may try passwords, and other sites cannot', async t => {
  const { app, call } = await openWithMail(t, { RATE_LIMIT_SIGN_IN: '3' })
  const visitor = new Visitor(app)
  const request = async (n: number) => (await visitor.post(path, { email: `eve${n}@shop.example` })).statusCode

  await call('PUT', '/application/settings', { sign_up: 'approval' })
  visitor.headers['sec-fetch-site'] = 'cross-site'
  t.equal(await request(0), 403)
  visitor.headers['sec-fetch-site'] = 'same-origin'
  t.same([await request(1), await request(2), await request(3)], [200, 200, 429])
})
