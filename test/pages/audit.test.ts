import t, { type Test } from 'tap'
import { openApp } from '../support/world.ts'
import { aMember } from './a-member.ts'
import { Visitor } from './visitor.ts'

const path = '/admin/audit'

/** Root made a project and a group, and Bob one that is called like a formula. */
async function openAudit(t: Test) {
  const world = await openApp(t, {})
  const root = new Visitor(world.app)
  const { body: shop } = await world.call('POST', '/projects', { name: 'Shop', path: 'shop' })
  const { body: team } = await world.call('POST', '/groups', { name: '=HYPERLINK("http://x")', path: 'team' })
  const { body: bob } = await world.call('POST', '/users', {
    name: 'Bob',
    username: 'bob',
    email: 'bob@example.com',
    password: 'tall green window'
  })

  await root.signIn()

  return { ...world, root, shop, team, bob }
}

function titlesIn(body: string) {
  return [...body.slice(body.indexOf('<h1>')).matchAll(/<p><strong>([A-Z][a-z ]+)<\/strong>/g)].map(([, title]) => title)
}

t.test('an admin finds audit events by event, author, subject and day', async t => {
  const { root } = await openAudit(t)
  const today = new Date().toISOString().slice(0, 10)
  const found = async (query: string) => titlesIn((await root.get(`${path}?${query}`)).body)

  t.ok((await found('')).length >= 3)
  t.same(await found('event=project_created&about=root%2Fshop'), ['Project created'])
  t.same(await found('event=group_created&about=team'), ['Group created'])
  t.same(await found('event=group_created&about=nothing'), [])
  t.same(await found('event=project_created&about=root%2Fshop&author=%40root'), ['Project created'], 'with or without @')
  t.same(await found('event=project_created&author=bob'), [])
  t.same(await found(`event=project_created&about=root%2Fshop&from=${today}&to=${today}`), ['Project created'], 'the day is included')
  t.same(await found('event=project_created&to=2020-01-01'), [])
  t.same(await found('event=project_created&about=root%2Fshop&from=nonsense&to[]=1'), ['Project created'], 'no date is no condition')

  const { body } = await root.get(`${path}?event=unheard_of`)

  t.match(body, /<option value="unheard_of" selected>/)
  t.match(body, 'No events match these filters.')
  t.match(body, '<option value="project_created">Project created</option>', 'names that occur')
})

t.test('a row says when to the second, who signed in, and what changed', async t => {
  const { root, call, shop, bob } = await openAudit(t)

  await call('POST', `/projects/${shop.id}/members`, { user_id: bob.id, access_level: 20 })
  await call('PUT', `/projects/${shop.id}/members/${bob.id}`, { access_level: 30 })
  const rows = async (query: string) => (await root.get(`${path}?${query}`)).body.replaceAll(/<[^>]+>/g, '').replaceAll(/\s+/g, ' ')

  t.match(
    await rows('event=user_signed_in&author=root'),
    /root signed in @root · \d+ \w+ \d{4}, \d\d:\d\d:\d\d · just now · \S+ · With: password/
  )
  t.match(
    await rows('event=member_updated&about=root%2Fshop'),
    /Member updated bob in root\/shop: access level from Reporter to Developer @root/
  )
})

t.test('events of what was deleted are found by its path and by its author', async t => {
  const { root, call, shop, bob } = await openAudit(t)

  await call('DELETE', `/projects/${shop.id}`)
  t.same(titlesIn((await root.get(`${path}?about=root%2Fshop`)).body), ['Project deleted', 'Project created'])
  await call('DELETE', `/users/${bob.id}?hard_delete=true`)
  t.same(titlesIn((await root.get(`${path}?about=bob`)).body).at(-1), 'User created')
})

t.test('the export has every event that matches, once, and no cell is a formula', async t => {
  const { root, platform } = await openAudit(t)

  await platform.pool.query(
    `INSERT INTO audit_events (name, author_id, entity_type, entity_id, details)
     SELECT 'made_up', NULL, 'Instance', 0, jsonb_build_object('target_details', '=1+1, "' || n || E'"\\n', 'entity_path', 'instance') FROM generate_series(1, 2500) n`
  )
  const { body, headers } = await root.get(`${path}/export?event=made_up`)
  const lines = body.split('\r\n')

  t.match(headers['content-type'], 'text/csv')
  t.match(headers['content-disposition'], /^attachment; filename="audit-events-\d{4}-\d\d-\d\d\.csv"/)
  t.equal(lines[0], 'id,time,event,author,impersonated_by,entity_type,entity_id,entity,target_type,target_id,target,ip_address,details')
  t.equal(lines.length, 2502)
  t.equal(new Set(lines.map(line => line.split(',')[0])).size, 2502)
  t.match(lines[1], `,"'=1+1, ""2500""\n",`)
  t.same(titlesIn((await root.get(`${path}?event=audit_events_exported`)).body), ['Audit events exported'], 'and the export is an event')
})

t.test('only admins read the audit log', async t => {
  const world = await openAudit(t)
  const member = await aMember(world, 'ann')

  for (const url of [path, `${path}/export`]) {
    t.equal((await member.get(url)).statusCode, 403)
    t.equal((await new Visitor(world.app).get(url)).statusCode, 401)
  }
})
