import t from 'tap'
import { anEnvelope, anEventId, anException, openProject } from '../../support/factories.ts'
import { hasExactly } from '../../support/has-exactly.ts'
import { readPages, sentryClient } from './client.ts'

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()

/** A project with errors `A`, `B` and `C`, seen in this order. */
async function openShop(t: Parameters<typeof openProject>[0]) {
  const world = await openProject(t)
  const ids: Record<string, string> = {}

  await world.send(anEnvelope({ ...anException('A', 'first'), level: 'fatal', timestamp: hoursAgo(3) }))
  await world.send(anEnvelope({ ...anException('B', 'second'), environment: 'live', timestamp: hoursAgo(2) }))
  await world.send(anEnvelope({ ...anException('C', 'third'), timestamp: hoursAgo(1) }))
  for (const { name, fingerprint } of await world.untilStored(3)) ids[name] = String(fingerprint)

  return { ...world, ids, ask: sentryClient(world.app), issues: `projects/root/${world.project.path}/issues/` }
}

const namesOf = (issues: { metadata: { type: string } }[]) => issues.map(({ metadata }) => metadata.type)

t.test('issues are listed by pages, and unresolved ones without a query', async t => {
  const { ask, issues, ids, project, call, path } = await openShop(t)
  const list = async (query = '') => namesOf(await readPages(ask, `${issues}?per_page=2&query=${encodeURIComponent(query)}`))

  await call('PUT', `${path}/errors/${ids.B}`, { status: 'resolved' })
  t.same(namesOf((await ask('GET', issues)).body), ['C', 'A'])
  t.same(await list(), ['C', 'B', 'A'])
  t.same(await list('is:unresolved'), ['C', 'A'])
  t.same(await list('is:resolved environment:live'), ['B'])
  t.same(await list('level:"fatal" is:unassigned'), ['A'])
  t.same(await list('is:assigned'), [])
  t.same(await list('third'), ['C'])
  t.same(await list('assigned:none third'), ['C'])
  t.same(await list('assigned:me'), [])
  t.hasStrict(await ask('GET', `${issues}?query=is:snoozed`), {
    status: 400,
    body: { detail: 'is:snoozed is not supported. Use is: with unresolved, resolved, ignored, assigned, unassigned, new, regressed' }
  })
  t.hasStrict(await ask('GET', `${issues}?query=levl:fatal`), {
    status: 400,
    body: { detail: 'Unknown condition levl. Did you mean level:fatal? To search a tag, use tags[levl]:fatal' }
  })
  hasExactly(t, (await ask('GET', `${issues}?query=first`)).body, [
    {
      id: ids.A,
      shortId: `${project.path.toUpperCase()}-${ids.A}`,
      title: 'A: first',
      culprit: 'app.shop in inner',
      level: 'fatal',
      status: 'unresolved',
      platform: 'node',
      type: 'error',
      project: { id: String(project.id), slug: project.path, name: project.name },
      count: '1',
      userCount: 0
    }
  ])
})

t.test('issues are resolved, muted and reopened by id, by status, or all', async t => {
  const { ask, issues, ids, errors, call, project } = await openShop(t)
  const statuses = async () =>
    Object.fromEntries((await errors('?status=all')).map(({ name, status }: { name: string; status: string }) => [name, status]))
  const change = (query: string, body: object) => ask('PUT', `${issues}?${query}`, body)

  t.hasStrict(await change(`id=${ids.A}&id=${ids.B}`, { status: 'resolvedInNextRelease', snoozeDuration: null }), {
    status: 200,
    body: { status: 'resolved' }
  })
  t.same(await statuses(), { A: 'resolved', B: 'resolved', C: 'unresolved' })
  t.equal((await errors('?status=resolved'))[0].is_resolved_in_next, true)
  await change('status=unresolved', { status: 'muted', snoozeDuration: 60 })
  t.same(await statuses(), { A: 'resolved', B: 'resolved', C: 'ignored' })
  t.ok((await errors('?status=ignored'))[0].ignored_until)
  await change(`id=${ids.B}&status=muted`, { status: 'unresolved' })
  t.equal((await statuses()).B, 'resolved', 'an issue with another status is left out')
  await change('', { status: 'unresolved' })
  t.same(await statuses(), { A: 'unresolved', B: 'unresolved', C: 'unresolved' })
  t.equal((await change('id=999999', { status: 'resolved' })).status, 200)
  t.hasStrict(await change('', { status: 'bookmarked' }), { status: 400, body: { detail: 'The status bookmarked is unknown' } })
  t.equal((await change('id=none', { status: 'resolved' })).status, 400)
  const { body: events } = await call('GET', `/projects/${project.id}/audit_events?per_page=100`)

  t.equal(events.filter(({ event_name }: { event_name: string }) => event_name === 'error_updated').length, 6)
})

t.test('the issues of an archived project can only be read', async t => {
  const { ask, issues, call, project } = await openShop(t)

  await call('POST', `/projects/${project.id}/archive`)
  t.equal((await ask('GET', issues)).status, 200)
  t.hasStrict(await ask('PUT', issues, { status: 'resolved' }), {
    status: 403,
    body: { detail: '403 Forbidden - the project is archived' }
  })
})

t.test('the latest events of all issues are listed by pages', async t => {
  const { ask, send, untilStored, ids, project } = await openShop(t)
  const eventId = anEventId()
  const events = `projects/root/${project.path}/events/`
  const event = { ...anException('A', 'first'), event_id: eventId, tags: { plan: 'free' }, user: { id: 7, email: 'ada@shop.test' } }

  await send(anEnvelope(event))
  await untilStored(4)
  t.same(
    (await readPages(ask, `${events}?per_page=1`)).map(({ title }) => title),
    ['A: first', 'C: third', 'B: second', 'A: first']
  )
  const [latest] = (await ask('GET', `${events}?cursor=`)).body

  hasExactly(t, latest, { id: eventId, eventID: eventId, groupID: ids.A, user: { id: '7', email: 'ada@shop.test' } })
  t.same(
    latest.tags.filter(({ key }: { key: string }) => key === 'plan'),
    [{ key: 'plan', value: 'free' }]
  )
  t.equal((await ask('GET', `${events}?per_page=1`)).body.length, 1)
})
