import t from 'tap'
import { aPerson } from '../../projects/people.ts'
import { hasExactly } from '../../support/has-exactly.ts'
import { openApp } from '../../support/world.ts'

type World = Awaited<ReturnType<typeof openApp>>

const names = (rows: { name: string }[]) => rows.map(({ name }) => name)

/** A group with a project in it. */
async function aGroup({ call }: World, path = 'team') {
  const { body: group } = await call('POST', '/groups', { name: path, path })
  const { body: project } = await call('POST', '/projects', { name: `In ${path}`, namespace_id: group.id })

  return { group, project, labels: `/projects/${project.id}/labels`, issues: `/projects/${project.id}/issues` }
}

t.test('a label is created, found by name and id, changed and deleted', async t => {
  const world = await openApp(t)
  const { call } = world
  const { group, labels } = await aGroup(world)

  for (const path of [labels, `/groups/${group.id}/labels`]) {
    const { status, body: label } = await call('POST', path, { name: 'bug: ä/ö', color: '#abc', description: 'a <b>' })
    const byName = `${path}/${encodeURIComponent('bug: ä/ö')}`

    t.equal(status, 201)
    hasExactly(t, label, { name: 'bug: ä/ö', color: '#aabbcc', text_color: '#1F1E24', description_html: 'a &lt;b&gt;', subscribed: false })
    t.hasStrict(await call('POST', path, { name: 'bug: ä/ö', color: '#abc' }), { status: 409, body: { message: 'Label already exists' } })
    t.equal((await call('GET', byName)).body.id, label.id)
    t.equal((await call('GET', `${path}/${label.id}`)).body.name, 'bug: ä/ö')
    hasExactly(t, await call('PUT', byName, { new_name: 'defect', description: null }), {
      status: 200,
      body: { id: label.id, name: 'defect', description: null }
    })
    t.hasStrict((await call('PUT', byName.replace(/[^/]+$/, 'defect'), { color: 'RebeccaPurple' })).body, { color: '#663399' })
    t.hasStrict((await call('PUT', path, { name: 'defect', color: '#112233' })).body, { color: '#112233', text_color: '#FFFFFF' })
    t.match(await call('PUT', `${path}/defect`, {}), { status: 400, body: { error: /new_name, color, description, priority are missing/ } })
    t.equal((await call('DELETE', `${path}/defect`)).status, 204)
    t.hasStrict(await call('DELETE', `${path}/defect`), { status: 404, body: { message: '404 Label Not Found' } })
  }
  for (const body of [
    { name: 'a,b', color: '#123456' },
    { name: ' ', color: '#123456' },
    { name: 'x', color: 'rouge' },
    { name: 'x', color: '#12' },
    { name: 'x' }
  ]) {
    t.equal((await call('POST', labels, body)).status, 400)
  }
})

t.test('a project uses its own labels and those of the groups above it', async t => {
  const world = await openApp(t)
  const { call } = world
  const { group, project, labels, issues } = await aGroup(world)

  await call('POST', `/groups/${group.id}/labels`, { name: 'shared', color: '#112233' })
  await call('POST', labels, { name: 'own', color: '#112233', priority: 3 })
  t.same((await call('POST', labels, { name: 'shared', color: '#112233' })).status, 409)
  hasExactly(t, (await call('GET', labels)).body, [
    { name: 'own', priority: 3, is_project_label: true },
    { name: 'shared', priority: null, is_project_label: false }
  ])
  t.same(names((await call('GET', `${labels}?include_ancestor_groups=false`)).body), ['own'])
  t.same(names((await call('GET', `${labels}?search=SHA`)).body), ['shared'])
  t.same((await call('PUT', `${labels}/own`, { priority: null })).body.priority, null)
  t.equal((await call('PUT', `${labels}/shared`, { new_name: 'x' })).status, 404, 'labels of a group are changed in the group')
  await call('POST', issues, { title: 'T', labels: 'own,shared' })
  await call('PUT', `${issues}/1`, { state_event: 'close' })
  hasExactly(t, (await call('GET', `/groups/${group.id}/labels?with_counts=true`)).body, [
    { name: 'shared', open_issues_count: 0, closed_issues_count: 1, open_merge_requests_count: 0 }
  ])
  t.equal((await call('GET', `/projects/${project.id}/labels/own?with_counts=true`)).body.open_issues_count, undefined)
})

t.test('issues carry labels, which filter their list and leave events and notes', async t => {
  const world = await openApp(t)
  const { call } = world
  const { issues, labels } = await aGroup(world)
  const { body: issue } = await call('POST', issues, { title: 'One', labels: ['bug', 'new one'] })
  const iids = async (query: string) => (await call('GET', `${issues}?${query}`)).body.map(({ iid }: { iid: number }) => iid)

  t.same(issue.labels, ['bug', 'new one'])
  t.same(names((await call('GET', labels)).body), ['bug', 'new one'], 'new names become labels of the project')
  await call('POST', issues, { title: 'Two', labels: 'bug' })
  await call('POST', issues, { title: 'Three' })
  t.same(await iids('labels=bug'), [2, 1])
  t.same(await iids('labels=bug,new one'), [1])
  t.same(await iids('labels[]=bug&labels[]=other'), [])
  t.same(await iids('labels=Any'), [2, 1])
  t.same(await iids('labels=None'), [3])
  t.same(await iids('labels='), [3, 2, 1])
  t.same((await call('PUT', `${issues}/1`, { add_labels: 'urgent', remove_labels: 'bug' })).body.labels, ['new one', 'urgent'])
  t.same((await call('PUT', `${issues}/1`, { add_labels: 'urgent' })).body.labels, ['new one', 'urgent'], 'twice is once')
  t.same((await call('PUT', `${issues}/2`, { labels: '' })).body.labels, [])
  const { body: events } = await call('GET', `${issues}/1/resource_label_events`)
  hasExactly(
    t,
    events,
    [
      ['add', 'bug'],
      ['add', 'new one'],
      ['add', 'urgent'],
      ['remove', 'bug']
    ].map(([action, name]) => ({ action, label: { name }, resource_type: 'Issue', resource_id: issue.id, user: { username: 'root' } }))
  )
  t.same((await call('GET', `${issues}/1/resource_label_events/${events[0].id}`)).body, events[0])
  t.equal((await call('GET', `${issues}/2/resource_label_events/${events[0].id}`)).status, 404)
  t.same(
    (await call('GET', `${issues}/1/notes`)).body.map(({ body }: { body: string }) => body),
    ['added ~"urgent" and removed ~"bug"', 'added ~"bug" ~"new one"']
  )
  await call('DELETE', `${labels}/urgent`)
  t.same((await call('GET', `${issues}/1`)).body.labels, ['new one'])
  t.equal((await call('GET', `${issues}/1/resource_label_events`)).body[2].label, null)
  const many = Array.from({ length: 101 }, (_, n) => `l${n}`)
  t.equal((await call('PUT', `${issues}/1`, { add_labels: many })).status, 400)
})

t.test('a label is promoted to its group together with those of the same name in other projects', async t => {
  const world = await openApp(t)
  const { call } = world
  const { group, project, labels, issues } = await aGroup(world)
  const { body: other } = await call('POST', '/projects', { name: 'Other', namespace_id: group.id })
  const { body: personal } = await call('POST', '/projects', { name: 'Personal' })

  await call('POST', issues, { title: 'T', labels: 'bug' })
  await call('POST', `/projects/${other.id}/issues`, { title: 'T', labels: 'bug' })
  await call('POST', `/projects/${personal.id}/labels`, { name: 'bug', color: '#112233' })
  hasExactly(t, await call('PUT', `${labels}/bug/promote`), { status: 200, body: { name: 'bug' } })
  t.equal((await call('PUT', `${labels}/bug/promote`)).status, 404, 'twice is once')
  t.same(names((await call('GET', `/groups/${group.id}/labels`)).body), ['bug'])
  for (const id of [project.id, other.id]) {
    hasExactly(t, (await call('GET', `/projects/${id}/labels`)).body, [{ name: 'bug', is_project_label: false }])
    t.same((await call('GET', `/projects/${id}/issues?labels=bug`)).body[0].labels, ['bug'])
  }
  t.hasStrict(await call('PUT', `/projects/${personal.id}/labels/bug/promote`), {
    status: 400,
    body: { message: 'Failed to promote project label to group label' }
  })
})

t.test('issues keep labels and milestones when their project leaves the group', async t => {
  const world = await openApp(t)
  const { call } = world
  const { group, project, issues, labels } = await aGroup(world)
  const { body: next } = await call('POST', '/groups', { name: 'Next', path: 'next' })

  await call('POST', `/groups/${group.id}/labels`, { name: 'bug', color: '#112233' })
  await call('POST', `/groups/${group.id}/labels`, { name: 'known there', color: '#112233' })
  await call('POST', `/groups/${next.id}/labels`, { name: 'known there', color: '#445566' })
  const { body: milestone } = await call('POST', `/groups/${group.id}/milestones`, { title: '1.0', due_date: '2030-01-31' })
  await call('POST', `/projects/${project.id}/milestones`, { title: 'own' })
  await call('POST', issues, { title: 'T', labels: 'bug,known there', milestone_id: milestone.id })
  t.equal((await call('PUT', `/projects/${project.id}/transfer`, { namespace: next.id })).status, 200)
  hasExactly(t, (await call('GET', labels)).body, [
    { name: 'bug', is_project_label: true, color: '#112233' },
    { name: 'known there', is_project_label: false, color: '#445566' }
  ])
  hasExactly(t, (await call('GET', `${issues}/1`)).body, {
    labels: ['bug', 'known there'],
    milestone: { title: '1.0', project_id: project.id, iid: 2, due_date: '2030-01-31' }
  })
  await call('POST', `/groups/${next.id}/milestones`, { title: '2.0' })
  const { body: top } = await call('POST', '/groups', { name: 'Top', path: 'top' })
  await call('POST', `/groups/${top.id}/labels`, { name: 'of the top', color: '#112233' })
  await call('POST', `/groups/${next.id}/transfer`, { group_id: top.id })
  await call('PUT', `${issues}/1`, { labels: 'of the top' })
  await call('POST', `/groups/${next.id}/transfer`)
  t.same((await call('GET', `${issues}/1`)).body.labels, ['of the top'], 'also when a group leaves its parent')
  hasExactly(t, (await call('GET', `${labels}/of%20the%20top`)).body, { is_project_label: true })
})

t.test('guests read labels and subscribe to them, reporters change them', async t => {
  const world = await openApp(t)
  const { call } = world
  const [ann, bob] = [await aPerson(world, 'ann'), await aPerson(world, 'bob')]
  const { project, labels } = await aGroup(world)

  await call('POST', `/projects/${project.id}/members`, { user_id: ann.id, access_level: 10 })
  await call('POST', `/projects/${project.id}/members`, { user_id: bob.id, access_level: 20 })
  t.equal((await bob.call('POST', labels, { name: 'bug', color: '#112233' })).status, 201)
  t.equal((await ann.call('POST', labels, { name: 'other', color: '#112233' })).status, 403)
  t.equal((await ann.call('PUT', `${labels}/bug`, { color: '#112233' })).status, 403)
  t.equal((await ann.call('DELETE', `${labels}/bug`)).status, 403)
  t.hasStrict(await ann.call('POST', `${labels}/bug/subscribe`), { status: 201, body: { subscribed: true } })
  t.equal((await ann.call('POST', `${labels}/bug/subscribe`)).status, 304, 'twice is once')
  t.equal((await bob.call('GET', `${labels}/bug`)).body.subscribed, false)
  t.hasStrict(await ann.call('POST', `${labels}/bug/unsubscribe`), { status: 201, body: { subscribed: false } })
  t.equal((await ann.call('POST', `${labels}/bug/unsubscribe`)).status, 304)
  t.equal((await bob.call('PUT', `${labels}/bug/promote`)).status, 403, 'bob is no reporter of the group')
})
