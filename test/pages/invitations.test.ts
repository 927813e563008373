import t, { type Test } from 'tap'
import { Invitation } from '#projects/invitations/invitation.ts'
import { findInvitation, invitationToken } from '#projects/invitations/invitation-token.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { openApp } from '../support/world.ts'
import { aMember } from './a-member.ts'
import { Visitor } from './visitor.ts'

const places = {
  project: {
    create: '/projects',
    of: (id: number) => ({ api: `/projects/${id}`, page: `/projects/${id}/members`, home: `/projects/${id}` })
  },
  group: { create: '/groups', of: (id: number) => ({ api: `/groups/${id}`, page: `/groups/${id}/-/members`, home: '/groups/shop' }) }
}

/** A place to which `eve@a.example` is invited as a reporter. */
async function openInvitation(t: Test, kind: keyof typeof places = 'project', settings?: object) {
  const world = await openApp(t)
  const { body } = await world.call('POST', places[kind].create, { name: 'Shop', path: 'shop' })
  const place = places[kind].of(body.id)
  const root = new Visitor(world.app)
  const open = async () => (await world.call('GET', `${place.api}/invitations`)).body
  const linkTo = async (email: string) => {
    const invitation = await world.platform.fork().findOneOrFail(Invitation, { email })

    return `/-/invites/${await invitationToken(world.config, invitation)}`
  }

  if (settings) await world.call('PUT', '/application/settings', settings)
  await root.signIn()
  await world.call('POST', `${place.api}/invitations`, { email: 'eve@a.example', access_level: 20, expires_at: '2099-12-31' })

  return {
    ...world,
    ...place,
    root,
    open,
    linkTo,
    link: await linkTo('eve@a.example'),
    membersOf: async () => (await world.call('GET', `${place.api}/members`)).body
  }
}

for (const kind of ['project', 'group'] as const) {
  t.test(`people are invited to a ${kind} on its page of members`, async t => {
    const { root, page, open, platform } = await openInvitation(t, kind)

    t.match((await root.get(page)).body, /Invitations[\s\S]+eve@a\.example[\s\S]+Reporter[\s\S]+by <bdi>Administrator/)
    t.equal((await root.post(page, { who: 'joe@b.example', access_level: '30', expires_at: '' })).headers.location, page)
    t.match((await root.get(page)).body, /joe@b\.example is invited, but no mail server is configured/)
    hasExactly(t, await open(), [{ invite_email: 'eve@a.example' }, { invite_email: 'joe@b.example', access_level: 30, expires_at: null }])
    t.match((await root.post(page, { who: 'JOE@b.example', access_level: '30' })).body, /class="error"[^>]*>Has already been taken/)

    const email = 'joe@b.example'
    await root.post(`${page}/invitations/change`, { email, access_level: '40', expires_at: '2099-01-01' })
    hasExactly(t, await open(), [{}, { access_level: 40, expires_at: '2099-01-01' }])
    t.equal((await root.post(`${page}/invitations/change`, { email, access_level: '40', expires_at: '2001-01-01' })).statusCode, 400)
    t.equal((await root.post(`${page}/invitations/resend`, { email })).statusCode, 303)
    t.equal((await platform.pool.query(`SELECT FROM outbox WHERE kind = 'invitation'`)).rowCount, 3)
    t.equal((await root.post(`${page}/invitations/withdrawal`, { email })).statusCode, 303)
    t.equal((await root.post(`${page}/invitations/withdrawal`, { email })).statusCode, 404)
    t.equal((await open()).length, 1)
  })

  t.test(`who is signed in accepts an invitation to a ${kind}, once`, async t => {
    const world = await openInvitation(t, kind)
    const { app, link, open, home, membersOf } = world
    const ann = await aMember(world, 'ann')

    t.match(
      (await ann.get(link)).body,
      /Administrator<\/strong> \(@root\) invites you[\s\S]+shop<\/strong> with the role <strong>Reporter<[\s\S]+sent to <strong>eve@a\.example[\s\S]+Accept as @ann/
    )
    t.equal((await open()).length, 1, 'opening the link accepts nothing')
    t.equal((await new Visitor(app).post(`${link}/accept`)).statusCode, 401)
    t.equal((await ann.post(`${link}/accept`, { csrf_token: 'wrong' })).statusCode, 403)
    hasExactly(t, await ann.post(`${link}/accept`), { statusCode: 303, headers: { location: home } })
    t.match((await ann.get(home)).body, /You are now a member of Shop/)
    t.ok(
      (await membersOf()).some(
        ({ id, access_level: level, expires_at: day }: Record<string, unknown>) => id === ann.id && level === 20 && day === '2099-12-31'
      )
    )
    t.match(await ann.post(`${link}/accept`), { statusCode: 404, body: /No open invitation/ })
    t.match(await ann.get(link), { statusCode: 404, body: /accepted, declined or withdrawn/ })
  })
}

t.test('an invitation is declined with or without an account', async t => {
  const world = await openInvitation(t)
  const { app, api, call, link, linkTo, open } = world
  const ann = await aMember(world, 'ann')

  await call('POST', `${api}/invitations`, { email: 'joe@b.example', access_level: 10 })
  t.match(await new Visitor(app).post(`${link}/decline`), { statusCode: 200, body: /You declined the invitation to <strong>Shop/ })
  const other = await linkTo('joe@b.example')
  await ann.get(other)
  t.equal((await ann.post(`${other}/decline`, { csrf_token: 'wrong' })).statusCode, 403)
  t.equal((await ann.post(`${other}/decline`)).statusCode, 200)
  t.same(await open(), [])
  t.equal((await ann.post(`${other}/decline`)).statusCode, 404)
  const { body: events } = await call('GET', `${api}/audit_events`)
  t.hasStrict(events.slice(0, 2), [
    { event_name: 'invitation_declined', details: { author_username: 'ann', target_details: 'joe@b.example' } },
    { event_name: 'invitation_declined', details: { author_name: '(unknown)', target_details: 'eve@a.example' } }
  ])
})

t.test('a wrong or expired link says so', async t => {
  const { app, config, link, platform } = await openInvitation(t)
  const visitor = new Visitor(app)
  const [id, mac] = link.slice('/-/invites/'.length).split('.') as [string, string]

  for (const wrong of [
    'nonsense',
    `${id}.${mac.slice(1)}`,
    `${id}.${mac.toUpperCase()}`,
    `${Number(id) + 1}.${mac}`,
    `${id}.${'a'.repeat(43)}`
  ]) {
    t.match(await visitor.get(`/-/invites/${wrong}`), { statusCode: 404, body: /No open invitation/ }, wrong)
    t.equal((await visitor.post(`/-/invites/${wrong}/decline`)).statusCode, 404)
    t.notOk(await findInvitation(platform.fork(), config, wrong))
  }
  await platform.pool.query(`UPDATE invitations SET open_until = now() - interval '1 minute'`)
  t.match(await visitor.get(link), { statusCode: 410, body: /has expired/ })
  t.equal((await visitor.post(`${link}/decline`)).statusCode, 410)
  await platform.pool.query(`UPDATE invitations SET open_until = now() + interval '1 day', expires_at = '2001-01-01'`)
  t.equal((await visitor.get(link)).statusCode, 410, 'a membership that would have ended')
})

t.test('who is signed out signs in first, and cannot sign up unless that is allowed', async t => {
  const world = await openInvitation(t)
  const { app, call, link } = world
  const visitor = new Visitor(app)

  t.match((await visitor.get(link)).body, /Create an account/, 'by default, the invited may')
  await call('PUT', '/application/settings', { sign_up: 'off' })
  const { body } = await visitor.get(link)

  await aMember(world, 'ann')
  t.match(body, new RegExp(`/users/sign_in\\?return_to=${encodeURIComponent(link)}[\\s\\S]+Ask an admin[\\s\\S]+eve@a\\.example`))
  t.notMatch(body, /Create an account/)
  t.equal((await visitor.post(`${link}/sign_up`, {})).statusCode, 404)
  const password = 'a password, n-n-a'
  t.equal((await visitor.post('/users/sign_in', { login: 'ann', password, return_to: link })).headers.location, link)
  t.match((await visitor.get(link)).body, /Accept as @ann/)
})

t.test('where the invited may sign up, the link creates an account with a confirmed address, once', async t => {
  const { app, call, link, home, open, membersOf } = await openInvitation(t, 'project', { sign_up: 'invited' })
  const visitor = new Visitor(app)
  const password = 'quite a long secret'
  const form = { name: 'Eve', username: 'eve', password, again: password, email: 'evil@a.example', admin: 'true' }
  const signUp = (fields: Record<string, string>) => visitor.post(`${link}/sign_up`, { ...form, ...fields })

  t.match((await visitor.get(link)).body, /Create an account/)
  t.match(await signUp({ again: 'other' }), { statusCode: 400, body: /value="eve"[\s\S]+The passwords do not match/ })
  t.equal((await signUp({ password: 'short', again: 'short' })).statusCode, 400)
  t.match(await signUp({ username: 'root' }), { statusCode: 400, body: /Username has already been taken/ })
  t.equal((await signUp({ username: '../x' })).statusCode, 400)
  t.equal((await signUp({ name: '' })).statusCode, 400)
  visitor.headers['sec-fetch-site'] = 'cross-site'
  t.equal((await signUp({})).statusCode, 403)
  visitor.headers['sec-fetch-site'] = 'same-origin'
  t.equal((await open()).length, 1)
  hasExactly(t, await signUp({}), { statusCode: 303, headers: { location: home } })
  t.match((await visitor.get(home)).body, /Shop/)
  const {
    body: [eve]
  } = await call('GET', '/users?username=eve')
  hasExactly(t, (await call('GET', `/users/${eve.id}`)).body, { email: 'eve@a.example', is_admin: false, name: 'Eve' })
  t.type((await call('GET', `/users/${eve.id}`)).body.confirmed_at, 'string')
  t.ok((await membersOf()).some(({ id }: { id: number }) => id === eve.id))
  t.equal((await signUp({ username: 'eve2' })).statusCode, 404)
})

t.test('of two who use one link at once, one gets an account', async t => {
  const { app, call, link, open } = await openInvitation(t, 'group', { sign_up: 'invited' })
  const password = 'quite a long secret'
  const answers = await Promise.all(
    ['eve', 'eva'].map(username => new Visitor(app).post(`${link}/sign_up`, { name: username, username, password, again: password }))
  )

  t.same(answers.map(({ statusCode }) => statusCode).sort(), [303, 400])
  t.equal((await call('GET', '/users')).body.filter(({ username }: { username: string }) => /^ev/.test(username)).length, 1)
  t.same(await open(), [])
})
