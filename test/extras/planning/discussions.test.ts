import t from 'tap'
import { aPerson } from '../../projects/people.ts'
import { hasExactly } from '../../support/has-exactly.ts'
import { openApp } from '../../support/world.ts'

async function anIssue(t: Parameters<typeof openApp>[0]) {
  const world = await openApp(t)
  const { call } = world
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const [ann, bob] = [await aPerson(world, 'ann'), await aPerson(world, 'bob')]

  for (const { id } of [ann, bob]) await call('POST', `/projects/${project.id}/members`, { user_id: id, access_level: 20 })
  await call('POST', `/projects/${project.id}/issues`, { title: 'One', assignee_ids: [bob.id] })

  return { ...world, ann, bob, project, issues: `/projects/${project.id}/issues`, issue: `/projects/${project.id}/issues/1` }
}

t.test('a discussion is started, replied to, edited and read', async t => {
  const { call, ann, issue } = await anIssue(t)
  const discussions = `${issue}/discussions`
  const { status, body: discussion } = await ann.call('POST', discussions, { body: 'Why?' })

  t.equal(status, 201)
  t.match(discussion.id, /^[0-9a-f]{40}$/)
  hasExactly(t, discussion, { individual_note: false, notes: [{ type: 'DiscussionNote', body: 'Why?', author: { username: 'ann' } }] })
  const notes = `${discussions}/${discussion.id}/notes`
  const { body: reply } = await call('POST', notes, { body: 'Because.' })
  t.hasStrict(reply, { type: 'DiscussionNote', body: 'Because.' })
  t.same((await call('GET', `${notes}/${reply.id}`)).body, reply)
  t.equal((await ann.call('PUT', `${notes}/${reply.id}`, { body: 'X' })).status, 403, 'authors and maintainers edit')
  t.equal((await call('PUT', `${notes}/${reply.id}`, { body: 'Therefore.' })).status, 200)
  hasExactly(t, (await call('GET', `${discussions}/${discussion.id}`)).body.notes, [{ body: 'Why?' }, { body: 'Therefore.' }])
  const { body: single } = await ann.call('POST', `${issue}/notes`, { body: 'Alone' })
  t.equal(single.type, null)
  t.equal((await call('PUT', `${issue}/notes/${single.id}`, { body: 'Alone?' })).status, 200, 'maintainers edit those of others')
  const { body: all } = await call('GET', discussions)
  hasExactly(t, all, [
    { individual_note: true, notes: [{ system: true }] },
    { id: discussion.id, individual_note: false },
    { individual_note: true, notes: [{ id: single.id }] }
  ])
  t.equal((await call('GET', `${discussions}?per_page=1`)).headers['x-total'], '3')
  t.equal((await call('GET', `${discussions}/${all[2].id}/notes/${reply.id}`)).status, 404, 'a note of another discussion')
  t.equal((await call('POST', `${discussions}/${all[0].id}/notes`, { body: 'X' })).status, 404, 'system notes have no replies')
  t.equal((await call('POST', `${discussions}/${all[2].id}/notes`, { body: 'Not alone' })).status, 201)
  hasExactly(t, (await call('GET', `${discussions}/${all[2].id}`)).body, {
    individual_note: false,
    notes: [{ type: 'DiscussionNote' }, { type: 'DiscussionNote' }]
  })
  t.equal((await ann.call('DELETE', `${notes}/${reply.id}`)).status, 403)
  t.equal((await call('DELETE', `${notes}/${reply.id}`)).status, 204)
  t.equal((await call('DELETE', `${notes}/${reply.id}`)).status, 404, 'twice is once')
})

t.test('issues are linked in both directions, for callers who see both', async t => {
  const { call, ann, issues, issue, project } = await anIssue(t)
  const { body: hidden } = await call('POST', '/projects', { name: 'Hidden' })

  await call('POST', issues, { title: 'Two' })
  await call('POST', `/projects/${hidden.id}/issues`, { title: 'Secret' })
  const { status, body: link } = await ann.call('POST', `${issue}/links`, {
    target_project_id: project.id,
    target_issue_iid: 2,
    link_type: 'blocks'
  })
  t.equal(status, 201)
  hasExactly(t, link, { source_issue: { title: 'One' }, target_issue: { title: 'Two' }, link_type: 'blocks' })
  hasExactly(t, (await ann.call('GET', `${issue}/links`)).body, [{ title: 'Two', link_type: 'blocks', issue_link_id: link.id }])
  hasExactly(t, (await ann.call('GET', `${issues}/2/links`)).body, [{ title: 'One', link_type: 'is_blocked_by' }])
  t.same((await ann.call('GET', `${issues}/2/links/${link.id}`)).body, link)
  t.hasStrict(await ann.call('POST', `${issues}/2/links`, { target_project_id: project.id, target_issue_iid: 1 }), {
    status: 409,
    body: { message: 'Issue(s) already assigned' }
  })
  t.equal((await ann.call('POST', `${issue}/links`, { target_project_id: project.id, target_issue_iid: 1 })).status, 400)
  t.equal((await ann.call('POST', `${issue}/links`, { target_project_id: hidden.id, target_issue_iid: 1 })).status, 404)
  const { body: secret } = await call('POST', `${issue}/links`, { target_project_id: 'root/hidden', target_issue_iid: 1 })
  t.equal((await call('GET', `${issue}/links`)).body.length, 2)
  hasExactly(t, (await ann.call('GET', `${issue}/links`)).body, [{ title: 'Two' }])
  for (const method of ['GET', 'DELETE'] as const) t.equal((await ann.call(method, `${issue}/links/${secret.id}`)).status, 404)
  t.hasStrict(await ann.call('DELETE', `${issue}/links/${link.id}`), { status: 200, body: { id: link.id } })
  t.equal((await ann.call('DELETE', `${issue}/links/${link.id}`)).status, 404, 'twice is once')
  t.same(
    (await ann.call('GET', `${issues}/2/notes`)).body.map(({ body }: { body: string }) => body),
    ['removed the relation with #1', 'marked this issue as related to #1']
  )
})

t.test('the participants of an issue are its author, assignees and commenters', async t => {
  const { call, ann, issue } = await anIssue(t)

  hasExactly(t, (await call('GET', `${issue}/participants`)).body, [{ username: 'root' }, { username: 'bob' }])
  await ann.call('POST', `${issue}/notes`, { body: 'B' })
  hasExactly(t, (await call('GET', `${issue}/participants`)).body, [{ username: 'root' }, { username: 'ann' }, { username: 'bob' }])
})
