import { Gitlab } from '@gitbeaker/rest'
import t from 'tap'
import { hasExactly } from '../../support/has-exactly.ts'
import { listen } from '../../support/listen.ts'
import { openApp, rootToken } from '../../support/world.ts'

t.test('a GitLab client plans issues with labels, milestones, links and discussions, and shares groups', async t => {
  const { app, config } = await openApp(t)
  const host = await listen(app)
  config.baseUrl = host
  const gitlab = new Gitlab({ host, token: rootToken })
  const group = await gitlab.Groups.create('Team', 'team')
  const other = await gitlab.Groups.create('Other', 'other')
  const { id } = await gitlab.Projects.create({ name: 'Shop', namespaceId: group.id })

  const label = await gitlab.ProjectLabels.create(id, 'bug: urgent', '#aabbcc', { priority: 1 })
  hasExactly(t, await gitlab.ProjectLabels.edit(id, 'bug: urgent', { newName: 'bug: late' }), { id: label.id, name: 'bug: late' })
  hasExactly(t, await gitlab.ProjectLabels.all(id, { withCounts: true }), [{ name: 'bug: late', open_issues_count: 0 }])
  const milestone = await gitlab.ProjectMilestones.create(id, '1.0', { dueDate: '2030-01-31' })
  const issue = await gitlab.Issues.create(id, 'One', { labels: 'bug: late', milestoneId: milestone.id })
  hasExactly(t, issue, { labels: ['bug: late'], milestone: { title: '1.0', due_date: '2030-01-31' } })
  hasExactly(t, await gitlab.Issues.all({ projectId: id, labels: 'bug: late', milestone: '1.0' }), [{ iid: 1 }])
  hasExactly(t, await gitlab.IssueLabelEvents.all(id, 1), [{ action: 'add', label: { name: 'bug: late' } }])
  hasExactly(t, await gitlab.IssueMilestoneEvents.all(id, 1), [{ action: 'add', milestone: { title: '1.0' } }])

  await gitlab.Issues.create(id, 'Two')
  await gitlab.IssueLinks.create(id, 1, id, 2, { linkType: 'blocks' })
  hasExactly(t, await gitlab.IssueLinks.all(id, 2), [{ iid: 1, link_type: 'is_blocked_by' }])
  const discussion = await gitlab.IssueDiscussions.create(id, 1, 'Why?')
  await gitlab.IssueDiscussions.addNote(id, 1, discussion.id, 'Because.')
  hasExactly(t, (await gitlab.IssueDiscussions.show(id, 1, discussion.id)).notes, [{ body: 'Why?' }, { body: 'Because.' }])

  await gitlab.Groups.share(group.id, other.id, 30, {})
  hasExactly(t, (await gitlab.Groups.show(group.id)).shared_with_groups, [{ group_id: other.id, group_access_level: 30 }])
  await gitlab.Groups.unshare(group.id, other.id, {})
  await gitlab.Groups.transfer(group.id, { groupId: other.id })
  hasExactly(t, await gitlab.Projects.show(id), { path_with_namespace: 'other/team/shop', star_count: 0 })
})
