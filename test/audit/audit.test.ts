import type { LightMyRequestResponse } from 'fastify'
import t from 'tap'
import { aPerson } from '../projects/people.ts'
import { openApp, rootToken } from '../support/world.ts'

t.test('changes of projects, groups and members are audited', async t => {
  const world = await openApp(t)
  const { call } = world
  const ann = await aPerson(world, 'ann')
  const { body: group } = await call('POST', '/groups', { name: 'G', path: 'g' })
  const { body: project } = await call('POST', '/projects', { name: 'P' })

  await call('PUT', '/groups/g', { path: 'h', visibility: 'public' })
  await call('POST', '/groups/h/members', { user_id: ann.id, access_level: 10 })
  await call('PUT', `/groups/h/members/${ann.id}`, { access_level: 20 })
  await call('DELETE', `/groups/h/members/${ann.id}`)
  await call('PUT', `/projects/${project.id}`, { path: 'q', visibility: 'internal', description: 'D' })
  await call('PUT', `/projects/${project.id}/transfer`, { namespace: 'h' })
  await call('POST', `/projects/${project.id}/archive`)
  await call('POST', `/projects/${project.id}/unarchive`)
  const names = async (url: string) => (await call('GET', url)).body.map(({ event_name: name }: { event_name: string }) => name).reverse()

  t.same(await names('/groups/h/audit_events'), [
    'group_created',
    'group_renamed',
    'group_visibility_changed',
    'member_added',
    'member_updated',
    'member_removed'
  ])
  t.same(await names(`/projects/${project.id}/audit_events`), [
    'project_created',
    'project_renamed',
    'project_visibility_changed',
    'project_transferred',
    'project_archived',
    'project_unarchived'
  ])
  const [, added] = (await call('GET', '/groups/h/audit_events?sort=asc&per_page=100')).body.slice(2)

  t.hasStrict(added, {
    entity_id: group.id,
    entity_type: 'Group',
    event_name: 'member_added',
    details: {
      as: 'Guest',
      author_name: 'Administrator',
      target_id: ann.id,
      target_type: 'User',
      target_details: 'ann',
      entity_path: 'h',
      ip_address: '127.0.0.1'
    }
  })
  t.match(added, { author_id: Number })
  t.hasStrict(await call('GET', `/groups/h/audit_events/${added.id}`), { status: 200, body: added })
  t.hasStrict(await call('GET', `/audit_events/${added.id}`), { status: 200, body: added })
  t.hasStrict(await call('GET', `/projects/${project.id}/audit_events/${added.id}`), {
    status: 404,
    body: { message: '404 Audit Event Not Found' }
  })
  t.same(await names(`/audit_events?entity_type=Group&entity_id=${group.id}&per_page=2`), ['member_updated', 'member_removed'])

  await call('DELETE', `/projects/${project.id}`)
  t.same(
    await names(`/audit_events?entity_type=Project&entity_id=${project.id}&per_page=1`),
    ['project_deleted'],
    'also after the deletion'
  )
})

t.test('audit events have keyset pages and time filters', async t => {
  const { app, call, platform } = await openApp(t)

  await platform.pool.query(
    `INSERT INTO audit_events (name, entity_type, entity_id, details, created_at)
     SELECT 'x', 'User', 1, '{}', '2026-01-01'::timestamptz + n * interval '1 day' FROM generate_series(0, 24) n`
  )
  const collected: number[] = []
  let url: string | undefined = '/api/v4/audit_events?pagination=keyset&order_by=id&sort=desc&per_page=10&entity_type=User'

  while (url) {
    const response: LightMyRequestResponse = await app.inject({ url, headers: { 'private-token': rootToken } })
    collected.push(...response.json().map(({ id }: { id: number }) => id))
    url = /<http:\/\/tocsin\.test([^>]+)>; rel="next"/.exec(String(response.headers.link))?.[1]
  }
  t.equal(collected.length, 25)
  t.same(
    collected,
    [...new Set(collected)].sort((a, b) => b - a)
  )

  const count = async (query: string) => (await call('GET', `/audit_events?entity_type=User&${query}`)).headers['x-total']
  t.equal(await count('created_after=2026-01-20'), '6')
  t.equal(await count('created_after=2026-01-20T00:00:01Z&created_before=2026-01-22'), '2')
  t.hasStrict(await call('GET', '/audit_events?created_after=soon'), { status: 400, body: { error: 'created_after is invalid' } })
  t.equal((await call('GET', '/audit_events?pagination=keyset&order_by=id&sort=asc')).status, 405)
  t.equal((await call('GET', '/audit_events?pagination=keyset&sort=desc')).status, 400)
  t.equal((await call('GET', '/audit_events?entity_type=Odd')).status, 400)
})
