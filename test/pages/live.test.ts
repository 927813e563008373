import { get, type IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { countStop } from '#tasks/run-task.ts'
import { openAlertedProject } from '../alerts/alerting.ts'
import { anEnvelope, anException, openProject } from '../support/factories.ts'
import { listen, portOf } from '../support/listen.ts'
import { eventually, openApp } from '../support/world.ts'
import { aMember } from './a-member.ts'
import { Visitor } from './visitor.ts'

/** A page that listens to topics, and the events that it was sent. */
async function openPage(app: FastifyInstance, { cookies }: Visitor, topics: string) {
  await listen(app)
  const cookie = Object.entries(cookies)
    .map(pair => pair.join('='))
    .join('; ')
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    get({ port: portOf(app), path: `/-/live?topics=${topics}`, headers: { cookie }, agent: false }, resolve).once('error', reject)
  )
  let text = ''

  response.on('data', chunk => {
    text += chunk
  })

  return { response, status: response.statusCode, events: () => text.split('data:').length - 1, close: () => response.destroy() }
}

async function signedIn(app: FastifyInstance) {
  const visitor = new Visitor(app)

  await visitor.signIn()

  return visitor
}

t.test('pages are told of an alert, of its acknowledgement, and of a comment on it', async t => {
  const { app, call, project, send } = await openAlertedProject(t)
  const root = await signedIn(app)
  const list = await openPage(app, root, `alerts:${project.id}`)
  const mine = await openPage(app, root, 'alerts:mine,issues:mine')
  const other = await openPage(app, root, `alerts:${project.id}:99`)

  t.equal(list.response.headers['content-type'], 'text/event-stream')
  t.equal(list.response.headers['x-accel-buffering'], 'no')
  await send({ title: 'Disk full', fingerprint: 'a' })
  await eventually(() => list.events() > 0 && mine.events() > 0, 'the lists are told of the alert')

  const one = await openPage(app, root, `alerts:${project.id}:1`)
  await eventually(() => one.events() === 1, 'what has just changed is told again')
  const path = `/projects/${project.id}/alert_management_alerts/1`
  t.equal((await call('PUT', path, { status: 'acknowledged' })).status, 200)
  await eventually(() => one.events() === 2, 'the page of the alert is told of its status')
  await root.get(`/projects/${project.id}/alerts/1`)
  await root.post(`/projects/${project.id}/alerts/1/notes`, { body: 'On it.' })
  await eventually(() => one.events() === 3, 'and of a comment')

  t.equal(other.events(), 0)
  for (const page of [list, mine, other, one]) page.close()
})

t.test('pages are told of tasks: those of a project, and those that their reader began', async t => {
  const { app, call, platform } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const { body: other } = await call('POST', '/projects', { name: 'Other' })
  const root = await signedIn(app)
  const eve = await aMember({ app, call }, 'eve')
  const pages = {
    project: await openPage(app, root, `tasks:${project.id}`),
    other: await openPage(app, root, `tasks:${other.id}`),
    mine: await openPage(app, root, 'tasks:mine'),
    theirs: await openPage(app, eve, 'tasks:mine')
  }

  t.equal((await openPage(app, eve, `tasks:${project.id}`)).status, 404)
  const { rows } = await platform.pool.query(
    `INSERT INTO tasks (kind, title, author_id, origin, project_id, params, leased_until)
     SELECT 'test', 'Test', id, '{}', $1, '{}', now() FROM users WHERE username = 'root' RETURNING id, run`,
    [project.id]
  )
  await countStop(platform, { taskId: rows[0].id, run: rows[0].run })
  await eventually(() => pages.project.events() === 1 && pages.mine.events() === 1, 'they are told')
  t.equal(pages.other.events() + pages.theirs.events(), 0)
  for (const page of Object.values(pages)) page.close()
})

t.test('pages are told of issues, comments on them, and their labels', async t => {
  const { app, call } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const { body: issue } = await call('POST', `/projects/${project.id}/issues`, { title: 'Slow' })
  const root = await signedIn(app)
  const page = await openPage(app, root, `issues:${project.id}:${issue.iid}`)
  const before = async (change: () => Promise<{ status: number }>) => {
    const seen = page.events()

    t.ok((await change()).status < 300)
    await eventually(() => page.events() > seen, 'the page is told')
  }

  await before(() => call('POST', `/projects/${project.id}/issues/${issue.iid}/notes`, { body: 'Looking.' }))
  await before(() => call('PUT', `/projects/${project.id}/issues/${issue.iid}`, { add_labels: 'slow' }))
  await before(() => call('PUT', `/projects/${project.id}/issues/${issue.iid}`, { state_event: 'close' }))
  page.close()
})

t.test('pages are told of new errors, of further events, and of what people do', async t => {
  const { app, call, project, send, errors } = await openProject(t)
  const root = await signedIn(app)
  const list = await openPage(app, root, `errors:${project.id}`)
  const home = await openPage(app, root, 'new-errors:mine')

  await send(anEnvelope(anException()))
  await eventually(() => list.events() === 1 && home.events() === 1, 'both are told')
  await send(anEnvelope(anException()))
  await eventually(() => list.events() === 2, 'the list is told of the next event')
  t.equal(home.events(), 1, 'home is told of new errors only')

  const [{ fingerprint }] = await errors()
  const one = await openPage(app, root, `errors:${project.id}:${fingerprint}`)
  await eventually(() => one.events() === 1, 'what has just changed is told again')
  await call('PUT', `/projects/${project.id}/error_tracking/errors/${fingerprint}`, { status: 'resolved' })
  await eventually(() => one.events() === 2, 'the page of the error is told of its status')
  for (const page of [list, home, one]) page.close()
})

t.test('only those who see a page are told of its changes', async t => {
  const world = await openApp(t)
  const { app, call } = world
  const { body: project } = await call('POST', '/projects', { name: 'Shop', visibility: 'private' })
  const [reporter, developer, stranger] = [await aMember(world, 'rita'), await aMember(world, 'dan'), await aMember(world, 'sam')]
  const status = async (visitor: Visitor, topics: string) => {
    const page = await openPage(app, visitor, topics)

    page.close()

    return page.status
  }

  await call('POST', `/projects/${project.id}/members`, { user_id: reporter.id, access_level: 20 })
  await call('POST', `/projects/${project.id}/members`, { user_id: developer.id, access_level: 30 })
  for (const kind of ['alerts', 'errors', 'new-errors']) {
    t.equal(await status(developer, `${kind}:${project.id}`), 200)
    t.equal(await status(reporter, `${kind}:${project.id}`), 403)
    t.equal(await status(reporter, `issues:${project.id},${kind}:${project.id}:1`), 403)
    t.equal(await status(stranger, `${kind}:${project.id}`), 404)
  }
  t.equal(await status(reporter, `issues:${project.id}`), 200)
  t.equal(await status(stranger, `issues:${project.id}`), 404)
  t.equal(await status(stranger, 'issues:mine'), 200, 'of no project')
  t.equal(await status(new Visitor(app), `issues:${project.id}`), 401)
  for (const topics of ['', 'alerts', 'alerts:0', 'alerts:x', 'users:1', Array(11).fill('issues:mine').join()]) {
    t.equal(await status(developer, topics), 400, topics)
  }
  const response = await app.inject({ url: '/-/live?topics=issues:mine', headers: { 'private-token': 'glpat-root-token-for-the-tests' } })
  t.equal(response.statusCode, 403, 'tokens have no pages')
})

t.test('a user has at most 50 open pages, and a page that is closed makes room', async t => {
  // Its own, since pages of the tests before may not have ended yet.
  const { app } = await openApp(t, { isPrivate: true })
  const root = await signedIn(app)
  await listen(app)
  const pages = await Promise.all(Array.from({ length: 50 }, () => openPage(app, root, 'issues:mine')))
  const refused = await openPage(app, root, 'issues:mine')

  t.same(new Set(pages.map(({ status }) => status)), new Set([200]))
  t.equal(refused.status, 429)
  t.ok(Number(refused.response.headers['retry-after']) > 0)
  pages[0]!.close()
  await eventually(async () => {
    const next = await openPage(app, root, 'issues:mine')

    next.close()

    return next.status === 200
  }, 'there is room')
  for (const page of pages) page.close()
})

t.test('a server with open pages closes at once, and a page is told again after the database was away', async t => {
  const { app, call, platform, config } = await openApp(t, { isPrivate: true })
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const page = await openPage(app, await signedIn(app), `issues:${project.id}`)

  await platform.pool.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE $1 AND pid <> pg_backend_pid()', [
    `LISTEN "${config.namespace}_%`
  ])
  let n = 0
  await eventually(async () => {
    await call('POST', `/projects/${project.id}/issues`, { title: `Slow ${n++}` })

    return page.events() > 0
  }, 'it is told again')

  await app.close()
  await eventually(() => page.response.complete, 'the connection has ended')
})
