import t from 'tap'
import { hasExactly } from '../support/has-exactly.ts'
import { openApp } from '../support/world.ts'
import { aPerson } from './people.ts'

type World = Awaited<ReturnType<typeof openApp>>

const usernames = ({ body }: { body: { username: string }[] }) => body.map(({ username }) => username)

/** A public project and a public group, and Ann and Bob, who have no role. */
async function aPlace(world: World, kind: 'projects' | 'groups') {
  const { body } = await world.call('POST', `/${kind}`, { name: 'Open', path: 'open', visibility: 'public' })
  const [ann, bob] = [await aPerson(world, 'ann'), await aPerson(world, 'bob')]

  return { path: `/${kind}/${body.id}`, ann, bob }
}

for (const kind of ['projects', 'groups'] as const) {
  t.test(`users request access to ${kind} once, and are approved or denied`, async t => {
    const world = await openApp(t)
    const { path, ann, bob } = await aPlace(world, kind)
    const requests = `${path}/access_requests`
    const asked = await ann.call('POST', requests)

    hasExactly(t, asked, { status: 201, body: { id: ann.id, username: 'ann', name: 'Name of ann', state: 'active' } })
    t.ok(Date.parse(asked.body.requested_at))
    hasExactly(t, await ann.call('POST', requests), { status: 400, body: { message: { user_id: ['has requested access already'] } } })
    await bob.call('POST', requests)
    t.same(usernames(await world.call('GET', requests)), ['ann', 'bob'])
    for (const call of [ann.call, bob.call]) t.equal((await call('GET', requests)).status, 403)
    t.equal((await bob.call('PUT', `${requests}/${bob.id}/approve`)).status, 403)
    t.equal((await bob.call('DELETE', `${requests}/${ann.id}`)).status, 403)

    hasExactly(t, await world.call('PUT', `${requests}/${ann.id}/approve`, {}), {
      status: 201,
      body: { id: ann.id, username: 'ann', access_level: 30, expires_at: null }
    })
    t.equal((await world.call('PUT', `${requests}/${ann.id}/approve`, {})).status, 404, 'once')
    t.equal((await ann.call('POST', requests)).status, 403, 'members have access')
    t.same(usernames(await world.call('GET', requests)), ['bob'])
    t.equal((await world.call('DELETE', `${requests}/${bob.id}`)).status, 204)
    t.equal((await world.call('DELETE', `${requests}/${bob.id}`)).status, 404)
    t.equal((await bob.call('GET', `${path}/members/${bob.id}`)).status, 404)
    await bob.call('POST', requests)
    t.equal((await bob.call('DELETE', `${requests}/${bob.id}`)).status, 204, 'users withdraw their own')
    const { body: events } = await world.call('GET', `${path}/audit_events`)
    t.same(
      events.slice(0, 5).map(({ event_name: name }: { event_name: string }) => name),
      ['access_request_removed', 'access_requested', 'access_request_removed', 'member_added', 'access_requested']
    )
  })
}

t.test('maintainers of a project approve up to their own role; developers do not', async t => {
  const world = await openApp(t)
  const { path, ann, bob } = await aPlace(world, 'projects')
  const approve = (access_level: number) => ann.call('PUT', `${path}/access_requests/${bob.id}/approve`, { access_level })

  await bob.call('POST', `${path}/access_requests`)
  await world.call('POST', `${path}/members`, { user_id: ann.id, access_level: 30 })
  t.equal((await approve(20)).status, 403)
  await world.call('PUT', `${path}/members/${ann.id}`, { access_level: 40 })
  t.equal((await approve(50)).status, 403)
  t.equal((await approve(35)).status, 400)
  hasExactly(t, await approve(20), { status: 201, body: { username: 'bob', access_level: 20 } })
})

t.test('a user who became a member meanwhile is no longer listed', async t => {
  const world = await openApp(t)
  const { path, ann } = await aPlace(world, 'groups')

  await ann.call('POST', `${path}/access_requests`)
  await world.call('POST', `${path}/members`, { user_id: ann.id, access_level: 20 })
  t.same((await world.call('GET', `${path}/access_requests`)).body, [])
  t.equal((await world.call('PUT', `${path}/access_requests/${ann.id}/approve`, {})).status, 409)
})

t.test('users do not request access to what they do not see', async t => {
  const world = await openApp(t)
  const { body: project } = await world.call('POST', '/projects', { name: 'Secret' })
  const ann = await aPerson(world, 'ann')

  t.equal((await ann.call('POST', `/projects/${project.id}/access_requests`)).status, 404)
  t.equal((await world.call('POST', `/projects/${project.id}/access_requests`)).status, 403, 'nor owners')
})
