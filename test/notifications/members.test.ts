import t from 'tap'
import { wantsNotification } from '../../src/notifications/recipients/wants-notification.ts'
import type { OutboxKind } from '../../src/outbox/outbox-entry.ts'
import { aPerson } from '../projects/people.ts'
import { anSmtpServer } from '../support/smtp.ts'
import { eventually, onBothBackends, openApp } from '../support/world.ts'

const kinds: OutboxKind[] = [
  'issue.opened',
  'issue.closed',
  'issue.reopened',
  'issue.reassigned',
  'issue.due',
  'note.created',
  'project.moved'
]
const none = { isMentioned: false, isParticipant: false }
const mentioned = { isMentioned: true, isParticipant: false }
const participant = { isMentioned: false, isParticipant: true }

/** For each level: which kinds a bystander, a mentioned user and a participant hear about. */
const table = {
  disabled: { none: [], mentioned: [], participant: [] },
  mention: { none: ['project.moved'], mentioned: kinds, participant: ['project.moved'] },
  participating: { none: ['project.moved'], mentioned: kinds, participant: kinds },
  watch: { none: kinds.filter(kind => kind !== 'issue.due'), mentioned: kinds, participant: kinds }
} as const

for (const [level, expected] of Object.entries(table)) {
  t.test(`the level ${level} decides what a member hears about`, async t => {
    const setting = { level: level as keyof typeof table, wants: () => false }

    for (const [name, involvement] of Object.entries({ none, mentioned, participant })) {
      t.same(
        kinds.filter(kind => wantsNotification(kind, setting, involvement)),
        expected[name as keyof typeof expected],
        name
      )
    }
  })
}

t.test('the level custom adds the chosen events', async t => {
  const setting = { level: 'custom' as const, wants: (flag: string) => flag === 'close_issue' }

  t.same(
    kinds.filter(kind => wantsNotification(kind, setting, none)),
    ['issue.closed']
  )
  t.same(
    kinds.filter(kind => wantsNotification(kind, setting, participant)),
    kinds.filter(kind => kind !== 'project.moved')
  )
})

onBothBackends(t, 'members get mail about issues as their settings say', async (t, kind) => {
  const smtp = await anSmtpServer(t)
  const world = await openApp(t, { kind, env: { SMTP_URL: smtp.url } })
  const { call, work, platform } = world
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const path = `/projects/${project.id}`
  const [watcher, dev, quiet] = [await aPerson(world, 'watcher'), await aPerson(world, 'dev'), await aPerson(world, 'quiet')]
  const to = (name: string) => smtp.letters.filter(letter => letter.to[0] === `${name}@example.com`)

  for (const person of [watcher, dev, quiet]) {
    await platform.pool.query(`UPDATE users SET email = username || '@example.com', confirmed_at = now() WHERE id = $1`, [person.id])
    await call('POST', `${path}/members`, { user_id: person.id, access_level: 30 })
  }
  await call('PUT', `${path}/notification_settings`, { level: 'watch' }, watcher.token)
  await call('PUT', '/notification_settings', { level: 'disabled' }, quiet.token)
  await work('deliveries')

  const { body: issue } = await call('POST', `${path}/issues`, { title: 'Broken <cart>', description: 'Please look, @dev and @quiet.' })
  await eventually(() => to('watcher').length === 1 && to('dev').length === 1, 'the watcher and the mentioned user get mail')
  await call('POST', `${path}/issues/${issue.iid}/notes`, { body: 'Nothing for the developer.' })
  await eventually(() => to('watcher').length === 2, 'the watcher gets the comment')
  await call('PUT', `${path}/issues/${issue.iid}`, { assignee_ids: [dev.id] })
  await eventually(() => to('dev').length === 2 && to('watcher').length === 3, 'the new assignee gets mail')

  t.equal(to('quiet').length, 0)
  t.equal(to('dev').length, 2, 'a comment without a mention is not for those who do not take part')
  const { data } = to('dev')[0]!

  t.match(data, /^Subject: Shop \| Broken <cart> \(#1\)$/m)
  t.match(data, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m)
  t.match(data, /^References: <issue-\d+@tocsin.test>$/m)
  t.match(data.replaceAll(/=\r?\n/g, ''), /Broken &lt;cart&gt;/)
})

t.test('one click unsubscribes from an issue', async t => {
  const smtp = await anSmtpServer(t)
  const world = await openApp(t, { env: { SMTP_URL: smtp.url } })
  const { app, call, work, platform } = world
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const path = `/projects/${project.id}`
  const watcher = await aPerson(world, 'watcher')

  await platform.pool.query(`UPDATE users SET email = 'watcher@example.com', confirmed_at = now() WHERE id = $1`, [watcher.id])
  await call('POST', `${path}/members`, { user_id: watcher.id, access_level: 30 })
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
