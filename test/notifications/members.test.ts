import t from 'tap'
import { openSmtpServer } from '../support/smtp.ts'
import { eventually, onBothBackends, openApp } from '../support/world.ts'
import { aMember } from './people.ts'

onBothBackends(t, 'members get mail about issues as their settings say', async (t, kind) => {
  const smtp = await openSmtpServer(t)
  const world = await openApp(t, { kind, env: { SMTP_URL: smtp.url } })
  const { call, work } = world
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const path = `/projects/${project.id}`
  const watcher = await aMember(world, project.id, 'watcher')
  const dev = await aMember(world, project.id, 'dev')
  const quiet = await aMember(world, project.id, 'quiet')

  await aMember(world, project.id, 'other')
  const to = (name: string) => smtp.letters.filter(letter => letter.to[0] === `${name}@example.com`)

  await call('PUT', `${path}/notification_settings`, { level: 'watch' }, watcher.token)
  await call('PUT', '/notification_settings', { level: 'disabled' }, quiet.token)
  await work('deliveries')

  const { body: issue } = await call('POST', `${path}/issues`, { title: 'Broken <cart>', description: 'Please look, @dev and @quiet.' })
  await eventually(() => to('watcher').length === 1 && to('dev').length === 1, 'the watcher and the mentioned user get mail')
  await call('POST', `${path}/issues/${issue.iid}/notes`, { body: 'Nothing for the developer.' })
  await eventually(() => to('watcher').length === 2 && to('dev').length === 2, 'the watcher and the mentioned user get the comment')
  await call('PUT', `${path}/issues/${issue.iid}`, { assignee_ids: [dev.id] })
  await eventually(() => to('dev').length === 3 && to('watcher').length === 3, 'the new assignee gets mail')

  t.equal(to('quiet').length, 0)
  t.equal(to('other').length, 0, 'who does not take part gets nothing')
  const { data } = to('dev')[0]!

  t.match(data, /^Subject: Shop \| Broken <cart> \(#1\)$/m)
  t.match(data, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m)
  t.match(data, /^References: <issue-\d+@tocsin.test>$/m)
  t.match(data.replaceAll(/=\r?\n/g, ''), /Broken &lt;cart&gt;/)
})

t.test('one click unsubscribes from an issue', async t => {
  const smtp = await openSmtpServer(t)
  const world = await openApp(t, { env: { SMTP_URL: smtp.url } })
  const { app, call, work } = world
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const path = `/projects/${project.id}`
  const watcher = await aMember(world, project.id, 'watcher')

  await call('PUT', `${path}/notification_settings`, { level: 'watch' }, watcher.token)
  await work('deliveries')
  await call('POST', `${path}/issues`, { title: 'One' })
  await eventually(() => smtp.letters.length === 1, 'the first mail')
  const [, url] = /^List-Unsubscribe:\s+<http:\/\/tocsin\.test(.+)>$/m.exec(smtp.letters[0]!.data.replaceAll(/\r?\n[ \t]+/g, ' ')) ?? []
  const form = { 'content-type': 'application/x-www-form-urlencoded' }

  t.equal((await app.inject({ url: url! })).statusCode, 200)
  t.equal((await app.inject({ method: 'POST', url: url!, payload: 'List-Unsubscribe=One-Click', headers: form })).statusCode, 200)
  t.equal((await app.inject({ url: `${url}x` })).statusCode, 400, 'a changed link is invalid')
  await call('POST', `${path}/issues/1/notes`, { body: 'More' })
  await call('POST', `${path}/issues`, { title: 'Two' })
  await eventually(() => smtp.letters.length === 2, 'another issue')
  t.match(smtp.letters[1]!.data, /^Subject: Shop \| Two/m)
})

t.test('a mention is a message of its own, also while a rule gathers', async t => {
  const smtp = await openSmtpServer(t)
  const world = await openApp(t, { env: { SMTP_URL: smtp.url } })
  const { call, work } = world
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const path = `/projects/${project.id}`
  const dev = await aMember(world, project.id, 'dev')
  const { body: channel } = await call('POST', `${path}/notification_channels`, {
    kind: 'email',
    name: 'Dev',
    settings: { user_ids: [dev.id] }
  })
  const open = (title: string, type: string, description = '') => call('POST', `${path}/issues`, { title, issue_type: type, description })

  await call('POST', `${path}/notification_rules`, {
    name: 'All',
    triggers: ['incident.opened'],
    channel_ids: [channel.id],
    gather_minutes: 60
  })
  await work('deliveries')
  await open('One', 'incident')
  await eventually(() => smtp.letters.length === 1, 'the first incident')
  await open('Two', 'incident')
  await eventually(async () => (await call('GET', `${path}/notification_deliveries?status=pending`)).body.length === 1, 'the second waits')
  await open('Three', 'issue', 'Please look, @dev.')
  await eventually(() => smtp.letters.length === 2, 'the mention does not wait')
  t.match(smtp.letters[1]!.data, /^Subject: Shop \| Three \(#3\)$/m)
  t.match(smtp.letters[1]!.data, /^References: <issue-\d+@/m)
})
