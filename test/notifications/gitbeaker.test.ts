import { Gitlab } from '@gitbeaker/rest'
import t from 'tap'
import { listen } from '../support/listen.ts'
import { openApp } from '../support/world.ts'
import { aPersonWithMail } from './people.ts'

t.test('a GitLab client reads and changes notification settings', async t => {
  const { app, config, ...world } = await openApp(t)
  const host = await listen(app)
  const ann = await aPersonWithMail(world, 'ann')
  const { body: group } = await world.call('POST', '/groups', { name: 'Team', path: 'team' })
  const { body: project } = await world.call('POST', '/projects', { name: 'Shop', namespace_id: group.id })

  config.baseUrl = host
  await world.call('POST', `/groups/${group.id}/members`, { user_id: ann.id, access_level: 30 })
  const { NotificationSettings } = new Gitlab({ host, token: ann.token })
  const inGroup = { groupId: group.id }
  const inProject = { projectId: 'team/shop' }

  t.same(await NotificationSettings.show(), { level: 'participating', notification_email: 'ann@example.com' })
  t.same(await NotificationSettings.show(inGroup), { level: 'global' })
  t.same(await NotificationSettings.show(inProject), { level: 'global' })

  t.same(await NotificationSettings.edit({ level: 'watch', notificationEmail: 'ann@example.com' }), {
    level: 'watch',
    notification_email: 'ann@example.com'
  })
  t.same(await NotificationSettings.edit({ ...inGroup, level: 'mention' }), { level: 'mention' })
  const custom = await NotificationSettings.edit({ ...inProject, level: 'custom', newNote: true, issueDue: true, movedProject: false })

  t.hasStrict(custom, { level: 'custom', events: { new_note: true, issue_due: true, moved_project: false, close_issue: false } })
  t.same(await NotificationSettings.show({ projectId: project.id }), custom)
  t.same(await NotificationSettings.show(inGroup), { level: 'mention' })
  t.hasStrict(await NotificationSettings.show(), { level: 'watch' })

  await t.rejects(NotificationSettings.edit({ level: 'loud' }), { message: "'loud' is not a valid level" })
  await t.rejects(NotificationSettings.show({ projectId: 'team/none' }), { cause: { response: { status: 404 } } })
})
