import { Gitlab } from '@gitbeaker/rest'
import t from 'tap'
import { openReceiver } from '../../notifications/receiver.ts'
import { listen } from '../../support/listen.ts'
import { openApp, rootToken } from '../../support/world.ts'

t.test('a GitLab client manages webhooks of projects and groups, and system hooks', async t => {
  const { app, call, config } = await openApp(t)
  const receiver = await openReceiver(t)
  const host = await listen(app)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const { body: group } = await call('POST', '/groups', { name: 'Team', path: 'team' })

  config.baseUrl = host
  await call('POST', `/projects/${project.id}/issues`, { title: 'A' })
  const { ProjectHooks, GroupHooks, SystemHooks } = new Gitlab({ host, token: rootToken })
  const hook = await ProjectHooks.add(project.id, receiver.url, { issuesEvents: true, token: 'T' })

  t.same([hook.url, hook.issues_events, hook.push_events, hook.project_id], [receiver.url, true, true, project.id])
  t.equal((await ProjectHooks.show(project.id, hook.id)).id, hook.id)
  t.equal((await ProjectHooks.all(project.id)).length, 1)
  t.equal((await ProjectHooks.edit(project.id, hook.id, receiver.url, { noteEvents: true })).note_events, true)
  t.equal((await call('POST', `/projects/${project.id}/hooks/${hook.id}/test/issues_events`)).status, 201)
  t.equal(receiver.requests[0]!.headers['x-gitlab-token'], 'T')
  await ProjectHooks.remove(project.id, hook.id)
  t.same(await ProjectHooks.all(project.id), [])

  const ofGroup = await GroupHooks.add(group.id, receiver.url, { subgroupEvents: true })

  t.equal(ofGroup.subgroup_events, true)
  await GroupHooks.remove(group.id, ofGroup.id)
  const system = await SystemHooks.add(receiver.url, { repositoryUpdateEvents: false })

  t.equal(system.repository_update_events, false)
  await SystemHooks.test(system.id)
  t.equal(receiver.requests[1]!.headers['x-gitlab-event'], 'System Hook')
  await SystemHooks.remove(system.id)
  t.same(await SystemHooks.all(), [])
})
