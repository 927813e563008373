import t, { type Test } from 'tap'
import { anEventId, openProject } from '../../support/factories.ts'
import { sentryClient } from './client.ts'

const frames = [
  {
    filename: 'src/cart.ts',
    function: 'pay',
    lineno: 3,
    colno: 1,
    in_app: true,
    pre_context: ['a', 'b'],
    context_line: 'c',
    post_context: ['d']
  }
]

async function openIssue(t: Test) {
  const world = await openProject(t)
  const { app, send, untilStored, project, call } = world
  const sendEvent = (event: object, attachment = '') => {
    const id = anEventId()

    return send(`{"event_id":"${id}"}\n{"type":"event"}\n${JSON.stringify({ event_id: id, ...event })}\n${attachment}`).then(() => id)
  }
  const event = { platform: 'node', exception: { values: [{ type: 'TypeError', value: 'no price', stacktrace: { frames } }] } }
  const first = await sendEvent(
    { ...event, tags: { region: 'eu' }, release: 'shop@1', user: { id: '7' } },
    '{"type":"attachment","length":3,"filename":"a.txt"}\nabc\n'
  )

  await untilStored(1)
  const second = await sendEvent({ ...event, tags: { region: 'us' } })
  const [error] = await untilStored(2)

  return {
    ...world,
    ask: sentryClient(app),
    path: `organizations/root/issues/${String(project.path).toUpperCase()}-${error.fingerprint}`,
    id: error.fingerprint as number,
    first,
    second,
    sendEvent,
    other: async () => (await call('POST', '/projects', { name: `Other ${anEventId().slice(0, 6)}` })).body
  }
}

t.test('an issue is found by its id and its short ID, in its organization', async t => {
  const { ask, path, id, project, config } = await openIssue(t)
  const { status, body } = await ask('GET', `${path}/`)

  t.equal(status, 200)
  t.hasStrict(body, {
    id: String(id),
    shortId: `${project.path.toUpperCase()}-${id}`,
    title: 'TypeError: no price',
    count: '2',
    userCount: 1,
    status: 'unresolved',
    assignedTo: null,
    permalink: `${config.baseUrl}/projects/${project.id}/errors/${id}`
  })
  t.same((await ask('GET', `organizations/root/issues/${id}`)).body, body)
  for (const wrong of [
    `organizations/root/issues/OTHER-${id}`,
    'organizations/root/issues/0',
    'organizations/root/issues/x',
    `organizations/none/issues/${id}`
  ])
    t.equal((await ask('GET', wrong)).status, 404, wrong)
})

t.test('an issue is resolved, ignored and assigned as Sentry’s clients say it', async t => {
  const { ask, path, project } = await openIssue(t)
  const change = async (body: object) => (await ask('PUT', `${path}/`, body)).body

  t.hasStrict(await change({ status: 'resolved' }), { status: 'resolved' })
  t.hasStrict(await change({ status: 'ignored', statusDetails: { ignoreDuration: 30 } }), { status: 'ignored' })
  t.hasStrict(await change({ status: 'unresolved', assignedTo: 'user:1' }), {
    status: 'unresolved',
    assignedTo: { type: 'user', id: '1', name: 'root' }
  })
  t.hasStrict(await change({ assignedTo: '' }), { assignedTo: null })
  t.hasStrict(await change({ assignedTo: 'root' }), { assignedTo: { name: 'root' } })
  t.hasStrict(await change({ status: 'resolved', statusDetails: { inNextRelease: true } }), { status: 'resolved' })
  for (const wrong of [{ assignedTo: 'nobody-of-this-name' }, { assignedTo: 'user:4711' }, { status: 'gone' }, {}])
    t.equal((await ask('PUT', `${path}/`, wrong)).status, 400, JSON.stringify(wrong))
  t.ok(project)
})

t.test('events of an issue are listed, searched and shown with their stack trace', async t => {
  const { ask, path, first, second, project } = await openIssue(t)
  const ids = async (query = '') => (await ask('GET', `${path}/events/${query}`)).body.map(({ id }: { id: string }) => id)

  t.same(await ids(), [second, first])
  t.same(await ids('?query=region:eu'), [first])
  t.same(await ids('?query=!region:eu'), [second])
  t.same(await ids('?query=level:error%20region:[eu,us]'), [second, first])
  t.equal((await ask('GET', `${path}/events/?query=words`)).status, 400)
  const { body } = await ask('GET', `${path}/events/oldest/`)

  t.hasStrict(body, { id: first, type: 'error', release: { version: 'shop@1' }, user: { id: '7' } })
  t.same(body.entries[0].data.values[0].stacktrace.frames, [
    {
      filename: 'src/cart.ts',
      absPath: null,
      module: null,
      function: 'pay',
      lineNo: 3,
      colNo: 1,
      inApp: true,
      context: [
        [1, 'a'],
        [2, 'b'],
        [3, 'c'],
        [4, 'd']
      ]
    }
  ])
  t.equal((await ask('GET', `${path}/events/${second}/`)).body.id, second)
  t.equal((await ask('GET', `${path}/events/${'0'.repeat(32)}/`)).status, 404)
  t.equal((await ask('GET', `${path}/events/x/`)).status, 404)
  t.hasStrict((await ask('GET', `${path}/tags/region/`)).body, { key: 'region', totalValues: 2, topValues: [{ count: 1 }, { count: 1 }] })
  t.equal((await ask('GET', `${path}/tags/none/`)).status, 404)
  const [file] = (await ask('GET', `projects/root/${project.path}/events/${first}/attachments/`)).body

  t.hasStrict(file, { name: 'a.txt', size: 3 })
})

t.test('issues of several projects are listed together, and as rows of fields', async t => {
  const { ask, id, project, other } = await openIssue(t)
  const { path: otherPath } = await other()
  const listed = async (query: string) =>
    (await ask('GET', `organizations/root/issues/?${query}`)).body.map((issue: { id: string }) => Number(issue.id))

  t.same(await listed(''), [id])
  t.same(await listed(`project=${project.id}&statsPeriod=24h&sort=freq&limit=5`), [id])
  t.same(await listed(`project=${otherPath}`), [])
  t.same(await listed('query=is:resolved'), [])
  t.equal((await ask('GET', 'organizations/root/issues/?statsPeriod=soon')).status, 400)
  t.equal((await ask('GET', 'organizations/root/issues/?query=leval:error')).status, 400)
  const { body } = await ask('GET', 'organizations/root/events/?dataset=errors&query=level:error&field=title')

  t.hasStrict(body.data, [{ 'issue.id': id, 'count()': 2, title: 'TypeError: no price', project: project.path }])
  t.same((await ask('GET', 'organizations/root/events/?dataset=spans')).body.data, [])
  const valid = async (query: string) => (await ask('GET', `organizations/root/events/validate/?${query}`)).body

  t.hasStrict(await valid('query=level:error&field=title&field=count()'), { valid: true, query: { valid: true } })
  t.equal((await valid('query=leval:error')).query.valid, false)
  t.hasStrict(await valid('field=span.op'), { valid: false, field: [{ name: 'span.op', valid: false }] })
})

t.test('a project is created with a DSN, and gets another', async t => {
  const { ask } = await openIssue(t)
  const [team] = (await ask('GET', 'organizations/root/teams/')).body
  const name = `Web ${anEventId().slice(0, 6)}`
  const { status, body } = await ask('POST', `teams/root/${team.slug}/projects/`, { name, platform: 'node' })

  t.equal(status, 201)
  t.equal((await ask('GET', `projects/root/${body.slug}/keys/`)).body.length, 1)
  const created = await ask('POST', `projects/root/${body.slug}/keys/`, { name: 'Second' })

  t.equal(created.status, 201)
  t.match(created.body.dsn.public, /^http.*glet_/)
  t.same(
    (await ask('GET', `projects/root/${body.slug}/keys/`)).body.map((key: { name: string }) => key.name),
    ['Default', 'Second']
  )
  t.equal((await ask('POST', 'teams/root/none/projects/', { name })).status, 404)
})
