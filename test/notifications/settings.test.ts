import t from 'tap'
import { aPerson } from '../projects/people.ts'
import { openApp } from '../support/world.ts'

const flagsOfProject = {
  new_note: false,
  new_issue: false,
  reopen_issue: false,
  close_issue: false,
  reassign_issue: false,
  issue_due: false,
  new_merge_request: false,
  push_to_merge_request: false,
  reopen_merge_request: false,
  close_merge_request: false,
  reassign_merge_request: false,
  merge_merge_request: false,
  failed_pipeline: true,
  fixed_pipeline: true,
  success_pipeline: false,
  moved_project: true,
  merge_when_pipeline_succeeds: false
}

t.test('a user has global, group and project settings with defaults', async t => {
  const { call } = await openApp(t)
  const { body: group } = await call('POST', '/groups', { name: 'Team', path: 'team' })
  const { body: project } = await call('POST', '/projects', { name: 'Shop', namespace_id: group.id })
  const { body: me } = await call('GET', '/user')

  t.same((await call('GET', '/notification_settings')).body, { level: 'participating', notification_email: me.email })
  t.same((await call('GET', `/groups/${group.id}/notification_settings`)).body, { level: 'global' })
  t.same((await call('GET', `/projects/${encodeURIComponent('team/shop')}/notification_settings`)).body, { level: 'global' })

  t.same((await call('PUT', `/projects/${project.id}/notification_settings`, { level: 'custom', new_note: true })).body, {
    level: 'custom',
    events: { ...flagsOfProject, new_note: true }
  })
  t.same((await call('PUT', '/notification_settings?level=custom&new_issue=true')).body, {
    level: 'custom',
    notification_email: me.email,
    events: { ...flagsOfProject, new_issue: true, new_epic: false }
  })
  t.same((await call('PUT', `/groups/${group.id}/notification_settings?level=disabled`)).body, { level: 'disabled' })
  t.same((await call('PUT', `/projects/${project.id}/notification_settings`, { level: 'watch' })).body, { level: 'watch' })
  t.same((await call('PUT', `/projects/${project.id}/notification_settings`, { level: 'custom' })).body.events.new_note, true, 'flags stay')
})

t.test('invalid settings are refused', async t => {
  const world = await openApp(t)
  const { call } = world
  const stranger = await aPerson(world, 'stranger')
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const wrong = await call('PUT', '/notification_settings', { level: 'foo' })
  const foreign = await call('PUT', '/notification_settings', { notification_email: 'other@example.com' })

  t.same([wrong.status, wrong.body], [400, { message: "'foo' is not a valid level" }])
  t.same([foreign.status, foreign.body], [400, { message: { notification_email: ['must be an email you have verified'] } }])
  t.equal((await call('PUT', '/notification_settings', {})).status, 400)
  t.equal((await call('GET', `/projects/${project.id}/notification_settings`, undefined, stranger.token)).status, 404)
  t.equal((await call('GET', '/groups/999/notification_settings')).status, 404)
})
