import t from 'tap'
import { hasExactly } from '../support/has-exactly.ts'
import { openSmtpServer } from '../support/smtp.ts'
import { eventually, onBothBackends, openApp } from '../support/world.ts'
import { aPerson } from './people.ts'

type World = Awaited<ReturnType<typeof openApp>>

const usernames = ({ body }: { body: { username: string }[] }) => body.map(({ username }) => username)

/** A public project and a public group, and Ann and Bob, who have no role. */
async function openPlace(world: World, kind: 'projects' | 'groups') {
  const { body } = await world.call('POST', `/${kind}`, { name: 'Open', path: 'open', visibility: 'public' })
  const [ann, bob] = [await aPerson(world, 'ann'), await aPerson(world, 'bob')]

  return { path: `/${kind}/${body.id}`, ann, bob }
}

for (const kind of ['projects', 'groups'] as const) {
  t.test(`users request access to ${kind} once, and are approved or denied`, async t => {
    const world = await openApp(t)
    const { path, ann, bob } = await openPlace(world, kind)
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
  const { path, ann, bob } = await openPlace(world, 'projects')
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
  const { path, ann } = await openPlace(world, 'groups')

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

for (const kind of ['projects', 'groups'] as const) {
  onBothBackends(t, `who manages ${kind} hears of requests, and users of the decision, each once`, async (t, backend) => {
    const smtp = await openSmtpServer(t)
    const world = await openApp(t, { kind: backend, env: { SMTP_URL: smtp.url } })
    const { path, ann, bob } = await openPlace(world, kind)
    const cat = await aPerson(world, 'cat')
    const dan = await aPerson(world, 'dan')
    const subjects = (address: string) =>
      smtp.letters
        .filter(({ to }) => to[0] === address)
        .map(({ data }) =>
          /^Subject: ([\s\S]+?)\n(?! )/m
            .exec(data)![1]!
            .replaceAll(/\n /g, ' ')
            .replace(/ (project|group) .*/, '')
        )
        .sort()
    const decided = async () =>
      (await world.platform.pool.query(`SELECT FROM outbox WHERE consumer = 'mail' AND ended_at IS NULL`)).rowCount === 0

    await world.platform.pool.query(`UPDATE users SET email = username || '@a.example'`)
    await world.call('POST', `${path}/members`, { user_id: cat.id, access_level: 50 })
    await world.call('POST', `${path}/members`, { user_id: dan.id, access_level: 30 })
    await world.work('mail')
    await world.work('deliveries')
    for (const { call } of [ann, bob]) await call('POST', `${path}/access_requests`)
    await eventually(() => subjects('cat@a.example').length === 2 && subjects('root@a.example').length === 2, 'both are told')
    const expected = ['Name of ann (@ann) requests access to the', 'Name of bob (@bob) requests access to the']
    t.same(subjects('cat@a.example'), expected)
    t.match(smtp.letters[0]!.data.replaceAll('=\n', ''), kind === 'projects' ? /\/projects\/\d+\/members/ : /\/groups\/\d+\/-\/members/)

    await bob.call('DELETE', `${path}/access_requests/${bob.id}`)
    await bob.call('POST', `${path}/access_requests`)
    await world.call('PUT', `${path}/access_requests/${ann.id}/approve`, { access_level: 20 })
    await cat.call('DELETE', `${path}/access_requests/${bob.id}`)
    await eventually(() => subjects('ann@a.example').length + subjects('bob@a.example').length === 2, 'they hear of it')
    await eventually(decided, 'nothing is left')
    t.same(subjects('ann@a.example'), ['You have access to the'])
    t.same(subjects('bob@a.example'), ['Your request for access to the'])
    t.same(subjects('cat@a.example'), expected, 'no second mail about bob on one day')
    t.same(subjects('dan@a.example'), [], 'developers manage nobody')
  })
}
