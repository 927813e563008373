import t, { type Test } from 'tap'
import { receiveEnvelopes } from '#errors/jobs.ts'
import { loadErrorSubjects } from '#notifications/messages/error-subjects.ts'
import { aMember } from '../pages/a-member.ts'
import { anEnvelope, anEventId, openProject } from '../support/factories.ts'
import { eventually, onBothBackends, type WorldOptions } from '../support/world.ts'
import { sentryClient } from './sentry-api/client.ts'

/** A project with a developer and a group that it is shared with, of which the developer is a member. */
async function openShop(t: Test, options: WorldOptions = {}) {
  const world = await openProject(t, options)
  const { call, project, path, key, platform } = world
  const suffix = anEventId().slice(0, 8)
  const ann = await aMember(world, `ann-${suffix}`)
  const { body: group } = await call('POST', '/groups', { name: 'Billing', path: `billing-${suffix}` })
  const { body: stranger } = await call('POST', '/groups', { name: 'Other', path: `other-${suffix}` })

  await call('POST', `/projects/${project.id}/members`, { user_id: ann.id, access_level: 30 })
  await call('POST', `/groups/${group.id}/members`, { user_id: ann.id, access_level: 30 })
  await call('POST', `/projects/${project.id}/share`, { group_id: group.id, group_access: 30 })

  const itemOf = (event: object) => ({
    projectId: project.id,
    keyId: key.id,
    receivedAt: new Date().toISOString(),
    id: anEventId(),
    encoding: '',
    body: Buffer.from(anEnvelope({ event_id: anEventId(), ...event }))
  })

  return {
    ...world,
    ann,
    username: `ann-${suffix}`,
    email: `ann-${suffix}@example.com`,
    group,
    stranger,
    itemOf,
    save: (rules: string, more: object = {}) => call('PUT', `${path}/ownership`, { rules, ...more }),
    process: async (items: ReturnType<typeof itemOf>[]) => {
      await platform.queues.enqueueBatch(receiveEnvelopes, 'errors', items)
      await eventually(
        async () => (await platform.queues.get('errors').getJobCountByTypes('waiting', 'prioritized', 'active', 'delayed')) === 0,
        'the batch is worked'
      )
    },
    error: async (name: string) => {
      const errors = (await call('GET', `${path}/errors?status=all&per_page=100`)).body

      return errors.find((error: { name: string }) => error.name === name)
    },
    found: async (query: string) => {
      const { status, body } = await call('GET', `${path}/errors?query=${encodeURIComponent(query)}`)

      return status === 200 ? body.map(({ name }: { name: string }) => name).toSorted() : body.message
    },
    assignments: async () =>
      (
        await platform.pool.query(
          `SELECT author_id, details->>'rule' AS rule FROM audit_events
           WHERE entity_id = $1 AND name = 'error_updated' ORDER BY id`,
          [project.id]
        )
      ).rows
  }
}

const failure = (type: string, filename = 'src/cart.ts', more: object = {}) => ({
  platform: 'node',
  exception: { values: [{ type, value: 'x', stacktrace: { frames: [{ filename, function: type, in_app: true }] }, ...more }] }
})

onBothBackends(t, 'new errors are assigned to their owners, once, and never against a choice', async (t, kind) => {
  const { save, username, ann, group, itemOf, process, error, assignments, call, path } = await openShop(t, { kind })

  t.equal((await save(`path:src/* @${username}\npath:src/billing/* #${group.path}`)).status, 200)
  const items = [itemOf(failure('Cart')), itemOf(failure('Bill', '/app/src/billing/pay.ts')), itemOf(failure('Other', 'lib/x.ts'))]

  await process(items)
  await process(items)
  const [cart, bill, other] = [await error('Cart'), await error('Bill'), await error('Other')]

  t.same([cart.assignee_id, cart.assignee_group_id], [ann.id, null])
  t.same([bill.assignee_id, bill.assignee_group_id], [null, group.id])
  t.same([other.assignee_id, other.assignee_group_id], [null, null])
  t.same((await assignments()).map(({ rule, author_id: author }) => [rule, author]).sort(), [
    ['path:src/*', null],
    ['path:src/billing/*', null]
  ])

  await call('PUT', `${path}/errors/${cart.fingerprint}`, { assignee_id: 0 })
  await call('PUT', `${path}/errors/${bill.fingerprint}`, { assignee_id: 1 })
  await process(items)
  await process([itemOf(failure('Cart'))])
  t.equal((await error('Cart')).assignee_id, null, 'what was unassigned stays so, while it does not come back')

  for (const { fingerprint } of [cart, bill]) await call('PUT', `${path}/errors/${fingerprint}`, { status: 'resolved' })
  const later = { timestamp: new Date(Date.now() + 2000).toISOString() }

  await process([itemOf({ ...failure('Cart'), ...later }), itemOf({ ...failure('Bill', '/app/src/billing/pay.ts'), ...later })])
  t.same([(await error('Cart')).status, (await error('Cart')).assignee_id], ['unresolved', ann.id], 'it came back, and nobody had it')
  t.same([(await error('Bill')).status, (await error('Bill')).assignee_id], ['unresolved', 1])

  await call('PUT', `${path}/ownership`, { auto_assign: false })
  const untilNew = (name: string, assignee: number | null) =>
    eventually(async () => {
      const type = `${name}${anEventId()}`

      await process([itemOf(failure(type))])

      return (await error(type)).assignee_id === assignee
    }, `${name} reaches the worker`)

  await untilNew('Off', null)
  await call('PUT', `${path}/ownership`, { auto_assign: true })
  await untilNew('On', ann.id)
})

t.test('an owner who left gets nothing, and the next one of the rule does', async t => {
  const { save, username, ann, email, group, itemOf, process, error, call, project } = await openShop(t)

  t.equal((await save(`tags.area:pay ${email} #${group.path}`)).status, 200)
  await process([itemOf({ ...failure('Mail'), tags: { area: 'pay' } })])
  t.equal((await error('Mail')).assignee_id, ann.id)

  await call('DELETE', `/projects/${project.id}/members/${ann.id}`)
  await call('DELETE', `/groups/${group.id}/members/${ann.id}`)
  await process([itemOf({ ...failure('Gone'), tags: { area: 'pay' } })])
  t.same([(await error('Gone')).assignee_id, (await error('Gone')).assignee_group_id], [null, group.id])
  t.equal((await save(`path:* @${username}`)).status, 400)
})

t.test('rules are refused with the lines that are wrong, and read by developers', async t => {
  const { save, username, group, stranger, call, path, project, ann } = await openShop(t)

  t.same((await call('GET', `${path}/ownership`)).body, { rules: '', auto_assign: true })
  const { status, body } = await save(
    `# Shop\npath:a @${username.toUpperCase()} @${group.path}\npath:b @nobody\npath:c #${stranger.path}\npath:d x@example.com\npath:e`
  )

  t.equal(status, 400)
  t.same(body.message.rules, [
    'line 3: @nobody is no member of this project. Add the person, or correct the name',
    `line 4: #${stranger.path} is no group of this project. Write the full path of a group that the project is in or shared with`,
    'line 5: x@example.com is the confirmed address of no member. Add the person to the project, or write @username',
    'line 6: path:e has no owner. Add one, such as @ann or #acme/billing'
  ])
  t.equal((await save('path:a @root\n'.repeat(1001))).status, 400)
  t.equal((await save('x'.repeat(65_537))).status, 400)
  t.same((await save(`path:a @root`, { auto_assign: false })).body, { rules: 'path:a @root', auto_assign: false })
  t.same((await call('GET', `${path}/ownership`)).body, { rules: 'path:a @root', auto_assign: false })
  const { body: events } = await call('GET', `/projects/${project.id}/audit_events`)

  t.same(events.filter(({ event_name: name }: { event_name: string }) => name === 'error_ownership_updated').length, 1)
  const { body: token } = await call('POST', `/users/${ann.id}/personal_access_tokens`, { name: 'T', scopes: ['api'] })

  t.equal((await call('GET', `${path}/ownership`, undefined, token.token)).status, 200)
  t.equal((await call('PUT', `${path}/ownership`, { rules: '' }, token.token)).status, 403)
})

t.test('a group has errors, which its members find as theirs', async t => {
  const { group, stranger, itemOf, process, error, found, call, path, ann, app, project, platform } = await openShop(t)

  await process(['A', 'B', 'C'].map(type => itemOf(failure(type))))
  const [a, b] = [await error('A'), await error('B')]
  const change = (id: number, body: object) => call('PUT', `${path}/errors/${id}`, body)

  t.equal((await change(a.fingerprint, { assignee_group_id: group.id })).body.assignee_group_id, group.id)
  t.same((await change(a.fingerprint, { assignee_group_id: stranger.id })).body.message, {
    assignee_group_id: ['is not a group that the project is in or shared with']
  })
  t.equal((await change(a.fingerprint, { assignee_group_id: group.id, assignee_id: 1 })).status, 400)
  await change(b.fingerprint, { assignee_id: 1 })

  t.same(await found(`assigned:#${group.path}`), ['A'])
  t.same(await found(`assigned:#${group.path.toUpperCase()}`), ['A'])
  t.match(await found(`assigned:#${stranger.path}`), /there is no group of this project with this path/)
  t.same(await found('is:assigned'), ['A', 'B'])
  t.same(await found('is:unassigned'), ['C'])
  t.same(await found(`!assigned:#${group.path}`), ['B', 'C'])
  t.same(await found('assigned:me'), ['A', 'B'], 'root created the group, and is a member')
  t.same(await found(`assigned:#${group.path} OR assigned:none`), ['A', 'C'])

  const { body: token } = await call('POST', `/users/${ann.id}/personal_access_tokens`, { name: 'T', scopes: ['api'] })
  const mine = await call('GET', `${path}/errors?query=assigned:me`, undefined, token.token)

  t.same(
    mine.body.map(({ name }: { name: string }) => name),
    ['A']
  )
  t.ok((await ann.get('/')).body.includes(`/projects/${project.id}/errors/${a.fingerprint}`), 'home shows it')
  const { rows } = await platform.pool.query('SELECT full_path FROM projects WHERE id = $1', [project.id])
  const [org, slug] = rows[0].full_path.split('/')
  const { body: issues } = await sentryClient(app)('GET', `projects/${org}/${slug}/issues/`)
  const assigned = issues.map(({ title, assignedTo }: { title: string; assignedTo: object }) => [title[0], assignedTo]).sort()

  t.same(assigned, [
    ['A', { type: 'team', id: String(group.id), name: group.full_path }],
    ['B', { type: 'user', id: '1', name: 'root' }],
    ['C', null]
  ])
  const [subject] = await loadErrorSubjects(platform.fork(), [a.fingerprint], 'http://localhost')

  t.same(subject!.assigneeIds.toSorted(), [1, ann.id], 'rules notify its members as assignees')
  await change(a.fingerprint, { assignee_id: ann.id })
  t.same((await change(a.fingerprint, { assignee_group_id: 0 })).body.assignee_id, null)
})

t.test('the priority follows from level and mechanism, until people change it', async t => {
  const { itemOf, process, error, found, call, path } = await openShop(t)
  const unhandled = { mechanism: { type: 'generic', handled: false } }

  await process([
    itemOf(failure('Handled')),
    itemOf(failure('Unhandled', 'a.ts', unhandled)),
    itemOf({ ...failure('Fatal'), level: 'fatal' }),
    itemOf({ ...failure('Warning', 'a.ts', unhandled), level: 'warning' }),
    itemOf({ ...failure('Info', 'a.ts', unhandled), level: 'info' })
  ])
  t.same(await found('priority:high'), ['Fatal', 'Unhandled'])
  t.same(await found('priority:medium'), ['Handled', 'Warning'])
  t.same(await found('priority:[low, medium]'), ['Handled', 'Info', 'Warning'])
  t.same(await found('!priority:high level:fatal'), [])
  t.match(await found('priority:urgent'), /Use priority: with high, medium, low/)

  const { fingerprint } = await error('Info')

  t.equal((await call('PUT', `${path}/errors/${fingerprint}`, { priority: 'high' })).body.priority, 'high')
  t.equal((await call('PUT', `${path}/errors/${fingerprint}`, { priority: 'urgent' })).status, 400)
  await process([itemOf({ ...failure('Info', 'a.ts', unhandled), level: 'info' })])
  t.equal((await error('Info')).priority, 'high', 'events do not change it')
  const sorted = async (sort: string) =>
    (await call('GET', `${path}/errors?sort=${sort}&per_page=2`)).body.map(({ priority }: { priority: string }) => priority)

  t.same(await sorted('priority_desc'), ['high', 'high'])
  t.same(await sorted('priority_asc'), ['medium', 'medium'])
})
