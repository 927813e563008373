import t from 'tap'
import { openApp } from '../support/world.ts'
import { prove } from './prove.ts'
import { notificationEndpoints } from './statements/endpoints.ts'
import { notificationSetting } from './statements/resources.ts'

const kinds = [
  'new_note',
  'new_issue',
  'reopen_issue',
  'close_issue',
  'reassign_issue',
  'issue_due',
  'new_merge_request',
  'push_to_merge_request',
  'reopen_merge_request',
  'close_merge_request',
  'reassign_merge_request',
  'merge_merge_request',
  'failed_pipeline',
  'fixed_pipeline',
  'success_pipeline',
  'moved_project',
  'merge_when_pipeline_succeeds'
]
const { call } = await openApp(t)
const { body: group } = await call('POST', '/groups', { name: 'Team', path: 'team' })
const { body: project } = await call('POST', '/projects', { name: 'Shop', namespace_id: group.id })
const { body: me } = await call('GET', '/user')
const ofGroup = `/groups/${group.id}/notification_settings`
const ofProject = `/projects/${project.id}/notification_settings`

prove(t, notificationSetting, {
  level: async t => {
    for (const level of ['disabled', 'participating', 'watch', 'global', 'mention', 'custom'])
      t.hasStrict(await call('PUT', ofProject, { level }), { status: 200, body: { level } })
    t.equal((await call('PUT', ofProject, { level: 'loud' })).status, 400)
  },
  notification_email: async t => {
    t.equal((await call('GET', '/notification_settings')).body.notification_email, me.email)
    for (const path of [ofGroup, ofProject]) t.notOk('notification_email' in (await call('GET', path)).body, path)
  },
  events: async t => {
    t.notOk('events' in (await call('PUT', ofProject, { level: 'watch' })).body)
    const { body } = await call('PUT', ofProject, { level: 'custom' })

    t.same(Object.keys(body.events).sort(), kinds.toSorted())
    for (const flag of Object.values(body.events)) t.type(flag, 'boolean')
    t.ok('new_epic' in (await call('PUT', '/notification_settings', { level: 'custom' })).body.events)
  }
})

/** Each kind of mail can be switched on and off. */
async function everyKind(path: string) {
  for (const kind of kinds) {
    for (const value of [true, false]) {
      const { body } = await call('PUT', path, { level: 'custom', [kind]: value })

      if (body.events[kind] !== value) return kind
    }
  }
}

prove(t, notificationEndpoints, {
  'GET /notification_settings': async t => {
    t.hasStrict(await call('GET', '/notification_settings'), { status: 200, body: { notification_email: me.email } })
  },
  'PUT /notification_settings': async t => {
    t.hasStrict((await call('PUT', '/notification_settings', { notification_email: me.email })).body, { notification_email: me.email })
    t.equal(await everyKind('/notification_settings'), undefined)
    t.hasStrict((await call('PUT', '/notification_settings', { level: 'watch' })).body, { level: 'watch' })
  },
  'GET /groups/:id/notification_settings': async t => t.same((await call('GET', ofGroup)).body, { level: 'global' }),
  'GET /projects/:id/notification_settings': async t => {
    await call('PUT', ofProject, { level: 'mention' })
    t.same((await call('GET', '/projects/team%2Fshop/notification_settings')).body, { level: 'mention' })
  },
  'PUT /groups/:id/notification_settings': async t => {
    t.equal(await everyKind(ofGroup), undefined)
    t.same((await call('PUT', ofGroup, { level: 'participating' })).body, { level: 'participating' })
  },
  'PUT /projects/:id/notification_settings': async t => {
    t.equal(await everyKind(ofProject), undefined)
    t.same((await call('PUT', `${ofProject}?level=disabled`)).body, { level: 'disabled' })
  }
})
