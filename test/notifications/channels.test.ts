import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { Visitor } from '../pages/visitor.ts'
import { aPerson } from '../projects/people.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { openSmtpServer } from '../support/smtp.ts'
import { openApp } from '../support/world.ts'
import { aMember } from './people.ts'
import { openReceiver } from './receiver.ts'

t.test('a channel is created, tested, changed and deleted', async t => {
  const { call } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const receiver = await openReceiver(t, { status: 200, text: 'thanks' })
  const path = `/projects/${project.id}/notification_channels`
  const created = await call('POST', path, { kind: 'webhook', name: 'Hook', settings: { url: receiver.url } })

  t.equal(created.status, 201)
  t.same(created.body.settings, { host: new URL(receiver.url).host }, 'its URL is secret')
  const one = `${path}/${created.body.id}`
  const { body: signing } = await call('POST', `${one}/signing_secret`)
  const tested = await call('POST', `${one}/test`)

  t.same(tested.body, { status: 'sent', answer: '200: thanks' })
  const { headers, text } = receiver.requests[0]!

  t.equal(receiver.requests[0]!.body.type, 'test', 'receivers tell it from an alert')
  t.ok(new Webhook(signing.signing_secret).verify(text, headers as Record<string, string>))
  const { body: replaced } = await call('POST', `${one}/signing_secret`)

  await call('POST', `${one}/test`)
  const later = receiver.requests[1]!

  for (const { signing_secret: secret } of [signing, replaced]) {
    t.ok(new Webhook(secret).verify(later.text, later.headers as Record<string, string>), 'both secrets sign for a day')
  }
  t.equal((await call('PUT', one, { active: false })).body.active, false)
  t.equal((await call('DELETE', one)).status, 204)
  t.same((await call('GET', path)).body, [])
})

t.test('wrong settings are named', async t => {
  const { call } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const messageOf = async (kind: string, settings: object) =>
    (await call('POST', `/projects/${project.id}/notification_channels`, { kind, name: 'X', settings })).body.message

  t.same(await messageOf('slack', {}), { settings: { url: ['is missing'] } })
  t.same(await messageOf('slack', { url: 'ftp://example.com' }), { settings: { url: ['must be an http or https URL'] } })
  t.same(await messageOf('ntfy', { url: 'https://ntfy.sh', topic: 'no spaces' }), {
    settings: { topic: ['must match pattern "^[-_A-Za-z0-9]{1,64}$"'] }
  })
  t.same(await messageOf('email', { addresses: ['nope'] }), { settings: { addresses: ['"nope" is not an e-mail address'] } })
  t.same(await messageOf('email', {}), { settings: { base: ['has no recipients: give roles, user_ids, assignees or addresses'] } })
})

t.test('a stored token is deleted by null, or by the box of the form', async t => {
  const { app, call } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const receiver = await openReceiver(t, { status: 200 })
  const settings = { url: receiver.url, topic: 'ops' }
  const path = `/projects/${project.id}/notification_channels`
  const { body: channel } = await call('POST', path, { kind: 'ntfy', name: 'Phones', settings: { ...settings, token: 'tk_secret' } })
  const authorization = async () => {
    await call('POST', `${path}/${channel.id}/test`)

    return receiver.requests.at(-1)!.headers.authorization
  }
  const visitor = new Visitor(app)
  const form = { name: 'Phones', hourly_limit: '20', active: 'true', topic: 'ops' }

  await visitor.signIn()
  t.equal(await authorization(), 'Bearer tk_secret')
  await visitor.post(`/projects/${project.id}/notifications/channels/${channel.id}`, form)
  t.equal(await authorization(), 'Bearer tk_secret', 'an empty field leaves it as it is')
  await visitor.post(`/projects/${project.id}/notifications/channels/${channel.id}`, { ...form, removed: 'token' })
  t.equal(await authorization(), undefined)
  await call('PUT', `${path}/${channel.id}`, { settings: { token: 'tk_other' } })
  t.equal(await authorization(), 'Bearer tk_other')
  await call('PUT', `${path}/${channel.id}`, { settings: { token: null } })
  t.equal(await authorization(), undefined)
})

t.test('tests are limited for each user', async t => {
  const { call } = await openApp(t, { env: { RATE_LIMIT_TOKENS: '2' } })
  const receiver = await openReceiver(t, { status: 200 })
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const path = `/projects/${project.id}/notification_channels`
  const { body: channel } = await call('POST', path, { kind: 'webhook', name: 'Hook', settings: { url: receiver.url } })
  const statuses: number[] = []

  for (let n = 0; n < 4; n++) statuses.push((await call('POST', `${path}/${channel.id}/test`)).status)
  t.same(statuses, [200, 200, 429, 429])
  t.equal(receiver.requests.length, 2)
})

t.test('a test opens no incident that stays', async t => {
  const { call } = await openApp(t)
  const receiver = await openReceiver(t, { status: 202 })
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const path = `/projects/${project.id}/notification_channels`
  const { body: channel } = await call('POST', path, {
    kind: 'pagerduty',
    name: 'On call',
    settings: { url: receiver.url, routing_key: 'a'.repeat(32) }
  })

  await call('POST', `${path}/${channel.id}/test`)
  t.same(
    receiver.requests.map(({ body }) => body.event_action),
    ['trigger', 'resolve']
  )
  t.equal(receiver.requests[0]!.body.dedup_key, receiver.requests[1]!.body.dedup_key)
})

t.test('the test of an e-mail channel goes to the user who asks for it', async t => {
  const smtp = await openSmtpServer(t)
  const world = await openApp(t, { env: { SMTP_URL: smtp.url } })
  const { call } = world
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const mia = await aMember(world, project.id, 'mia', 40)
  const { body: channel } = await call('POST', `/projects/${project.id}/notification_channels`, {
    kind: 'email',
    name: 'Team',
    settings: { roles: ['maintainer', 'owner'] }
  })

  hasExactly(t, (await call('POST', `/projects/${project.id}/notification_channels/${channel.id}/test`, {}, mia.token)).body, {
    status: 'sent'
  })
  t.equal(smtp.letters.length, 1)
  t.same(smtp.letters[0]!.to, ['mia@example.com'])
  t.match(smtp.letters[0]!.data, /\n\nTest of the channel "Team"\n/)
  t.notMatch(smtp.letters[0]!.data, /Alert triggered|^References:/m, 'nothing has happened')
})

t.test('developers see channels, and maintainers change them', async t => {
  const world = await openApp(t)
  const { call } = world
  const dev = await aPerson(world, 'dev')
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const path = `/projects/${project.id}/notification_channels`

  await call('POST', `/projects/${project.id}/members`, { user_id: dev.id, access_level: 30 })
  t.equal((await call('GET', path, undefined, dev.token)).status, 200)
  t.equal((await call('POST', path, { kind: 'email', name: 'X', settings: { assignees: true } }, dev.token)).status, 403)
})
