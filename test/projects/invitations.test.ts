import { Gitlab } from '@gitbeaker/rest'
import t, { type Test } from 'tap'
import { useConfirmedEmail } from '#identity/emails/jobs.ts'
import { deleteExpiredInvitations } from '#projects/invitations/list-invitations.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { listen } from '../support/listen.ts'
import { openSmtpServer } from '../support/smtp.ts'
import { eventually, onBothBackends, openApp, type QueueKind, rootToken } from '../support/world.ts'
import { aPerson } from './people.ts'

const kinds = ['projects', 'groups'] as const

async function openPlace(t: Test, kind: (typeof kinds)[number], options: Parameters<typeof openApp>[1] = {}) {
  const world = await openApp(t, options)
  const { body } = await world.call('POST', `/${kind}`, { name: 'Shop', path: 'shop' })
  const path = `/${kind}/${body.id}`
  const invitations = async () => (await world.call('GET', `${path}/invitations`)).body
  const invite = (email: string, fields: object = {}) => world.call('POST', `${path}/invitations`, { email, access_level: 30, ...fields })

  return { ...world, path, invitations, invite }
}

async function withMail(t: Test, queueKind: QueueKind, kind: (typeof kinds)[number] = 'projects') {
  const smtp = await openSmtpServer(t)
  const place = await openPlace(t, kind, { kind: queueKind, env: { SMTP_URL: smtp.url } })

  await place.work('mail')
  await place.work('deliveries')
  const outcomes = async () =>
    (await place.platform.pool.query(`SELECT outcome FROM outbox WHERE consumer = 'mail' ORDER BY id`)).rows.map(({ outcome }) => outcome)

  return { ...place, smtp, outcomes }
}

for (const kind of kinds) {
  t.test(`people are invited to ${kind} by e-mail, listed, changed and withdrawn`, async t => {
    const { call, path, invitations, invite } = await openPlace(t, kind)

    hasExactly(t, await invite('eve@a.example, Joe@a.example', { expires_at: '2099-12-31', invite_source: 'api' }), {
      status: 201,
      body: { status: 'success' }
    })
    const listed = await invitations()
    hasExactly(t, listed, [
      { access_level: 30, expires_at: '2099-12-31', invite_email: 'eve@a.example', user_name: null, created_by_name: 'Administrator' },
      { access_level: 30, expires_at: '2099-12-31', invite_email: 'Joe@a.example', user_name: null, created_by_name: 'Administrator' }
    ])
    t.same(
      Object.keys(listed[0]).sort(),
      ['access_level', 'created_at', 'created_by_name', 'expires_at', 'id', 'invite_email', 'user_name'],
      'no secrets'
    )
    hasExactly(t, (await call('GET', `${path}/invitations?query=JOE`)).body, [{ invite_email: 'Joe@a.example' }])
    t.hasStrict((await call('GET', `${path}/invitations?per_page=1`)).headers, { 'x-total': '2', 'x-next-page': '2' })

    hasExactly(t, await invite('JOE@a.example,nonsense,new@a.example,NEW@a.example'), {
      status: 201,
      body: {
        status: 'error',
        message: { 'JOE@a.example': 'Invite email has already been taken', nonsense: 'Invite email is invalid' }
      }
    })
    t.equal((await invitations()).length, 3)

    hasExactly(t, (await call('POST', `${path}/invitations`, { email: ['a@l.example', 'b@l.example'], access_level: 10 })).body, {
      status: 'success'
    })
    await Promise.all(['a', 'b'].map(name => call('DELETE', `${path}/invitations/${name}@l.example`)))
    const one = `${path}/invitations/${encodeURIComponent('joe@A.example')}`
    hasExactly(t, await call('PUT', one, { access_level: 20, expires_at: '' }), {
      status: 200,
      body: { access_level: 20, expires_at: null, invite_email: 'Joe@a.example' }
    })
    t.equal((await call('PUT', one, { expires_at: '2001-01-01' })).status, 400)
    t.equal((await call('PUT', one, { access_level: 35 })).status, 400)
    t.equal((await call('DELETE', one)).status, 204)
    t.equal((await call('DELETE', one)).status, 404, 'twice is once')
    t.equal((await call('PUT', one, { access_level: 20 })).status, 404)
    const { body: events } = await call('GET', `${path}/audit_events`)
    t.same(
      events.slice(0, 3).map(({ event_name: name }: { event_name: string }) => name),
      ['invitation_removed', 'invitation_updated', 'invitation_removed']
    )
  })

  t.test(`users with a confirmed address are members of ${kind} at once`, async t => {
    const world = await openPlace(t, kind)
    const { call, path, platform, invite, invitations } = world
    const [ann, ben, cat, dan] = [
      await aPerson(world, 'ann'),
      await aPerson(world, 'ben'),
      await aPerson(world, 'cat'),
      await aPerson(world, 'dan')
    ]

    await platform.pool.query(
      `UPDATE users SET email = username || '@a.example', confirmed_at = CASE WHEN username = 'cat' THEN NULL ELSE now() END WHERE id > 1`
    )
    await platform.pool.query(
      `INSERT INTO user_emails (user_id, email, confirmed_at) VALUES ($1, 'ben@b.example', now()), ($1, 'new@b.example', NULL)`,
      [ben.id]
    )
    hasExactly(t, await invite('ANN@a.example,ben@b.example,cat@a.example,new@b.example', { user_id: `${dan.id},99999,${ann.id}` }), {
      status: 201,
      body: { status: 'error', message: { 99999: '404 User Not Found', ann: 'User already exists in source' } }
    })
    for (const { id } of [ann, ben, dan]) hasExactly(t, (await call('GET', `${path}/members/${id}`)).body, { access_level: 30 })
    t.equal((await call('GET', `${path}/members/${cat.id}`)).status, 404)
    hasExactly(t, await invitations(), [{ invite_email: 'cat@a.example' }, { invite_email: 'new@b.example' }])
    t.hasStrict(await call('POST', `${path}/invitations`, { user_id: cat.id, access_level: 10 }), {
      status: 201,
      body: { status: 'success' }
    })
    hasExactly(t, await invite('ann@a.example'), {
      status: 201,
      body: { status: 'error', message: { 'ann@a.example': 'User already exists in source' } }
    })
  })
}

t.test('nobody invites above their role, or changes what is above it', async t => {
  const world = await openPlace(t, 'projects')
  const { path, call, invite } = world
  const ann = await aPerson(world, 'ann')
  const byAnn = (email: string, level: number) => ann.call('POST', `${path}/invitations`, { email, access_level: level })

  await invite('owner@a.example', { access_level: 50 })
  await call('POST', `${path}/members`, { user_id: ann.id, access_level: 30 })
  t.equal((await byAnn('eve@a.example', 10)).status, 403)
  t.equal((await ann.call('GET', `${path}/invitations`)).status, 403)
  await call('PUT', `${path}/members/${ann.id}`, { access_level: 40 })
  t.equal((await byAnn('eve@a.example', 50)).status, 403)
  t.equal((await byAnn('eve@a.example', 40)).status, 201)
  t.equal((await ann.call('PUT', `${path}/invitations/eve@a.example`, { access_level: 50 })).status, 403)
  t.equal((await ann.call('PUT', `${path}/invitations/owner@a.example`, { access_level: 10 })).status, 403)
  t.equal((await ann.call('DELETE', `${path}/invitations/owner@a.example`)).status, 403)
})

t.test('invitations have bounds', async t => {
  const { path, call, invite, platform, invitations } = await openPlace(t, 'projects')
  const { pool } = platform
  const addresses = (count: number) => Array.from({ length: count }, (_, n) => `a${n}@a.example`).join(',')
  const insert = `INSERT INTO invitations (project_id, email, access_level, salt, open_until)
    SELECT id, n || '@b.example', 30, '', now() + interval '1 day' FROM projects, generate_series(1, 1000) n WHERE path = 'shop'`

  t.equal((await invite(addresses(101))).status, 400)
  t.equal((await invite('')).status, 400)
  t.equal((await call('POST', `${path}/invitations`, { user_id: 'x', access_level: 30 })).status, 400)
  t.equal((await call('POST', `${path}/invitations`, { email: 'a@a.example' })).status, 400, 'a role is needed')
  await pool.query(insert)
  hasExactly(t, (await invite('one@a.example')).body, {
    message: { 'one@a.example': 'base has 1000 invitations already' },
    status: 'error'
  })
  await pool.query('DELETE FROM invitations')
  await pool.query(
    `INSERT INTO outbox (consumer, kind, project_id) SELECT 'mail', 'invitation', id FROM projects, generate_series(1, 199) WHERE path = 'shop'`
  )
  hasExactly(t, (await invite('one@a.example,two@a.example')).body, {
    message: { 'two@a.example': 'base at most 200 invitations are sent an hour' },
    status: 'error'
  })
  hasExactly(t, await invitations(), [{ invite_email: 'one@a.example' }])
})

t.test('an expired invitation is not listed, can be replaced, and is deleted later', async t => {
  const { path, call, invite, platform, invitations } = await openPlace(t, 'projects')
  const age = (days: number) => platform.pool.query(`UPDATE invitations SET open_until = now() - $1 * interval '1 day'`, [days])
  const count = async () => Number((await platform.pool.query('SELECT count(*) FROM invitations')).rows[0].count)

  await invite('eve@a.example')
  await age(1)
  t.same(await invitations(), [])
  t.equal((await call('PUT', `${path}/invitations/eve@a.example`, { access_level: 20 })).status, 404)
  t.hasStrict((await invite('eve@a.example')).body, { status: 'success' })
  t.equal((await invitations()).length, 1)
  await age(29)
  await deleteExpiredInvitations(platform.fork(), new Date())
  t.equal(await count(), 1)
  await age(31)
  await deleteExpiredInvitations(platform.fork(), new Date())
  t.equal(await count(), 0)
})

t.test('of several invitations of an address at once, one is stored', async t => {
  const { invite, invitations } = await openPlace(t, 'groups')
  const answers = await Promise.all(['eve@a.example', 'EVE@a.example', 'Eve@a.example'].map(email => invite(email)))

  t.same(answers.map(({ body }) => body.status).sort(), ['error', 'error', 'success'])
  t.equal((await invitations()).length, 1)
})

onBothBackends(t, 'an invitation is mailed once, and not after it was withdrawn', async (t, kind) => {
  const { call, path, invite, smtp, outcomes, platform } = await withMail(t, kind)

  await invite('eve@a.example')
  const [letter] = await eventually(() => smtp.letters.length > 0 && smtp.letters, 'the mail arrives')
  t.same(letter!.to, ['eve@a.example'])
  t.match(letter!.data, /Subject: Administrator \(@root\) invited you to the project Shop/)
  t.match(letter!.data.replaceAll('=\n', ''), /\/-\/invites\/\d+\.[\w-]{43}/)

  smtp.greylisted.add('joe@a.example')
  await invite('joe@a.example')
  await eventually(() => smtp.deferred.length > 0, 'it is attempted')
  await call('DELETE', `${path}/invitations/joe@a.example`)
  smtp.greylisted.clear()
  smtp.refused.add('nobody@a.example')
  await invite('nobody@a.example')
  await eventually(async () => (await outcomes()).every(Boolean), 'all is decided')
  t.same(await outcomes(), ['sent', 'discarded', 'failed'])
  await platform.pool.query(`UPDATE outbox SET dispatched_at = now() - interval '1 hour', ended_at = NULL WHERE outcome = 'discarded'`)
  t.equal(smtp.letters.length, 1)
})

onBothBackends(t, 'a mail whose job was lost is sent, and one that was sent is not sent again', async (t, kind) => {
  const smtp = await openSmtpServer(t)
  const { invite, platform, work } = await openPlace(t, 'groups', { kind, env: { SMTP_URL: smtp.url } })

  await invite('eve@a.example')
  await platform.pool.query(`UPDATE outbox SET dispatched_at = now() - interval '2 minutes' WHERE consumer = 'mail'`)
  await work('mail')
  await work('deliveries')
  await invite('joe@a.example')
  await eventually(() => smtp.letters.length === 2, 'both arrive')
  await eventually(async () => (await platform.pool.query(`SELECT FROM outbox WHERE outcome = 'sent'`)).rowCount === 2, 'both are noted')
  await platform.pool.query(`UPDATE outbox SET dispatched_at = now() - interval '2 minutes' WHERE consumer = 'mail'`)
  await invite('new@a.example')
  await eventually(() => smtp.letters.length === 3, 'the third arrives')
  t.same(smtp.letters.map(({ to }) => to[0]).sort(), ['eve@a.example', 'joe@a.example', 'new@a.example'])
})

onBothBackends(t, 'who confirms an invited address becomes a member', async (t, kind) => {
  const { call, path, invite, invitations, work, platform } = await openPlace(t, 'projects', {
    kind,
    env: { SMTP_URL: 'smtp://127.0.0.1:9' }
  })
  const person = (username: string, email: string, skip = true) =>
    call('POST', '/users', { username, name: username, email, force_random_password: true, skip_confirmation: skip })

  await work('mail')
  for (const email of ['Eve@a.example', 'eve@b.example', 'joe@a.example'])
    await invite(email, { access_level: 20, expires_at: '2099-01-01' })
  const { body: joe } = await person('joe', 'joe@a.example', false)
  const { body: eve } = await person('eve', 'eve@a.example')
  await eventually(async () => (await invitations()).length === 2, 'one is accepted')
  hasExactly(t, (await call('GET', `${path}/members/${eve.id}`)).body, {
    access_level: 20,
    expires_at: '2099-01-01',
    created_by: { username: 'root' }
  })
  t.equal((await call('GET', `${path}/members/${joe.id}`)).status, 404, 'not confirmed')
  await call('POST', `/users/${eve.id}/emails`, { email: 'eve@b.example', skip_confirmation: true })
  await eventually(async () => (await invitations()).length === 1, 'a member stays one')
  t.same((await invitations())[0].invite_email, 'joe@a.example')
  await platform.pool.query('UPDATE users SET confirmed_at = now() WHERE id = $1', [joe.id])
  await platform.queues.add('mail', useConfirmedEmail, [{}], {})
  await eventually(async () => (await invitations()).length === 0, 'the schedule finds what has no job')
  t.equal((await call('GET', `${path}/members/${joe.id}`)).status, 200)
})

t.test('gitbeaker invites', async t => {
  const { app, config, ...world } = await openApp(t)
  const host = await listen(app)

  config.baseUrl = host
  const { Projects, Groups, ProjectInvitations, GroupInvitations } = new Gitlab({ host, token: rootToken })
  const { id: projectId } = await Projects.create({ name: 'Shop' })
  const { id: groupId } = await Groups.create('Team', 'team')
  const ann = await aPerson(world, 'ann')

  for (const [Invitations, id] of [
    [ProjectInvitations, projectId],
    [GroupInvitations, groupId]
  ] as const) {
    t.hasStrict(await Invitations.add(id, 30, { email: 'eve@a.example,joe+x@a.example' }), { status: 'success' })
    t.hasStrict(await Invitations.add(id, 30, { userId: String(ann.id) }), { status: 'success' })
    t.hasStrict(await Invitations.edit(id, 'joe+x@a.example', { accessLevel: 20, expiresAt: '2099-01-01' }), {
      access_level: 20,
      expires_at: '2099-01-01'
    })
    hasExactly(t, await Invitations.all<false, 'offset'>(id, { query: 'joe' }), [{ invite_email: 'joe+x@a.example', access_level: 20 }])
    await Invitations.remove(id, 'joe+x@a.example')
    hasExactly(t, await Invitations.all(id), [{ invite_email: 'eve@a.example' }])
  }
})
