import { Gitlab } from '@gitbeaker/rest'
import t from 'tap'
import { aPerson } from '../projects/people.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { listen } from '../support/listen.ts'
import { openApp, rootToken } from '../support/world.ts'

t.test('a GitLab client manages incidents', async t => {
  const { app, config, ...world } = await openApp(t)
  const host = await listen(app)
  const { body: project } = await world.call('POST', '/projects', { name: 'Shop' })
  const ann = await aPerson(world, 'ann')
  const bob = await aPerson(world, 'bob')

  config.baseUrl = host
  await world.call('POST', `/projects/${project.id}/members`, { user_id: ann.id, access_level: 20 })
  await world.call('POST', `/projects/${project.id}/members`, { user_id: bob.id, access_level: 30 })
  const { Issues, IssueNotes } = new Gitlab({ host, token: ann.token })
  const root = new Gitlab({ host, token: rootToken })

  const incident = await Issues.create(project.id, 'Checkout is down', {
    issueType: 'incident',
    description: 'Since noon.',
    assigneeIds: [bob.id]
  })
  const iid = incident.iid
  hasExactly(t, incident, {
    iid: 1,
    issue_type: 'incident',
    type: 'INCIDENT',
    state: 'opened',
    severity: 'UNKNOWN',
    author: { username: 'ann' },
    assignees: [{ username: 'bob' }],
    references: { full: 'root/shop#1' }
  })
  t.hasStrict(await Issues.create(project.id, 'Buy milk'), { iid: 2, issue_type: 'issue' })

  const listed = async (options: object) => (await Issues.all({ projectId: project.id, ...options })).map(({ iid }) => iid)
  t.same(await listed({}), [2, 1])
  t.same(await listed({ issueType: 'incident' }), [1])
  t.same(await listed({ search: 'NOON' }), [1])
  t.same(await listed({ assigneeId: 'Any' }), [1])
  t.same(await listed({ assigneeId: 'None' }), [2])
  t.same(await listed({ assigneeUsername: ['bob'] }), [1])
  t.same(await listed({ assigneeId: 0 }), [2])
  t.same(await listed({ authorUsername: 'bob' }), [])
  t.same(await listed({ state: 'closed' }), [])
  t.same(await listed({ iids: [2] }), [2])
  t.same(await listed({ orderBy: 'title', sort: 'asc' }), [2, 1])
  for (const orderBy of ['created_at', 'title', 'updated_at']) {
    t.same((await listed({ pagination: 'keyset', perPage: 1, orderBy, sort: 'asc' })).toSorted(), [1, 2], `${orderBy}, by keyset`)
  }

  t.hasStrict(await Issues.edit(project.id, iid, { title: 'Checkout is slow', description: 'Since one.' }), {
    title: 'Checkout is slow',
    description: 'Since one.'
  })
  const closed = await Issues.edit(project.id, iid, { stateEvent: 'close' })
  t.hasStrict(closed, { state: 'closed', closed_by: { username: 'ann' } })
  t.type(closed.closed_at, 'string')
  t.hasStrict(await Issues.edit(project.id, iid, { stateEvent: 'close' }), { state: 'closed' }, 'twice is once')
  t.same(await listed({ state: 'closed' }), [1])
  hasExactly(t, await Issues.edit(project.id, iid, { stateEvent: 'reopen', assigneeIds: [] }), {
    state: 'opened',
    closed_at: null,
    assignees: []
  })
  t.hasStrict(await Issues.show(iid, { projectId: project.id }), { iid, user_notes_count: 0 })
  await t.rejects(Issues.show(9, { projectId: project.id }), { message: '404 Issue Not Found' })
  await t.rejects(Issues.create(project.id, ' '), { cause: { response: { status: 400 } } })

  const note = await IssueNotes.create(project.id, iid, 'Found it.')
  t.hasStrict(note, { body: 'Found it.', system: false, author: { username: 'ann' }, noteable_iid: 1 })
  t.hasStrict(await IssueNotes.edit(project.id, iid, note.id, { body: 'Mended it.' }), { body: 'Mended it.' })
  t.hasStrict(await IssueNotes.show(project.id, iid, note.id), { body: 'Mended it.' })
  const developer = new Gitlab({ host, token: bob.token })
  await t.rejects(developer.IssueNotes.edit(project.id, iid, note.id, { body: 'X' }), { message: '403 Forbidden' })
  t.hasStrict(await root.IssueNotes.edit(project.id, iid, note.id, { body: 'Mended.' }), { body: 'Mended.', author: { username: 'ann' } })
  t.same(
    (await IssueNotes.all(project.id, iid, { sort: 'asc' })).map(({ body }) => body),
    [
      'assigned to @bob',
      'changed the title from **Checkout is down** to **Checkout is slow**',
      'changed the description',
      'closed',
      'unassigned everybody',
      'reopened',
      'Mended.'
    ]
  )
  const [systemNote] = await IssueNotes.all(project.id, iid, { activity_filter: 'only_activity', perPage: 1, maxPages: 1 } as object)
  await t.rejects(root.IssueNotes.remove(project.id, iid, systemNote!.id), { message: '404 Note Not Found' }, 'system notes stay')
  await root.IssueNotes.remove(project.id, iid, note.id)

  const { rows } = await world.platform.pool.query(
    `SELECT action, target_type, target_iid::int, note->>'body' AS body, author_id::int FROM activity_events
     WHERE target_iid = 1 ORDER BY id`
  )
  t.same(rows, [
    { action: 'created', target_type: 'Issue', target_iid: 1, body: null, author_id: ann.id },
    { action: 'closed', target_type: 'Issue', target_iid: 1, body: null, author_id: ann.id },
    { action: 'reopened', target_type: 'Issue', target_iid: 1, body: null, author_id: ann.id },
    { action: 'commented', target_type: 'Note', target_iid: 1, body: 'Found it.', author_id: ann.id }
  ])

  const rootsNote = await root.IssueNotes.create(project.id, iid, 'Thanks.')
  await t.rejects(IssueNotes.remove(project.id, iid, rootsNote.id), { message: '403 Forbidden' })
})

t.test('concurrently created issues have consecutive numbers', async t => {
  const { call } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const opened = await Promise.all(
    Array.from({ length: 12 }, (_, n) => call('POST', `/projects/${project.id}/issues`, { title: `I ${n}` }))
  )

  t.same(
    opened.map(({ body }) => body.iid).toSorted((a, b) => a - b),
    Array.from({ length: 12 }, (_, n) => n + 1)
  )
})
