import t from 'tap'
import { Visitor } from '../../pages/visitor.ts'
import { anEnvelope, anException, openProject } from '../../support/factories.ts'
import { hasExactly } from '../../support/has-exactly.ts'
import { eventually, openApp } from '../../support/world.ts'
import { aBundle } from '../fixtures/bundle.ts'
import { uploader } from '../source-maps/uploader.ts'
import { readPages, sentryClient } from './client.ts'

async function openShop(t: Parameters<typeof openApp>[0]) {
  const world = await openApp(t)
  const { body: project } = await world.call('POST', '/projects', { name: 'Shop' })
  const { body: other } = await world.call('POST', '/projects', { name: 'Other' })

  return { ...world, project, other, ask: sentryClient(world.app), path: `/projects/${project.id}/error_tracking` }
}

const versionsOf = (releases: { version: string }[]) => releases.map(({ version }) => version)

t.test('older and newer clients create and finalize releases', async t => {
  const { ask, project } = await openShop(t)

  hasExactly(t, await ask('POST', 'projects/root/shop/releases/', { version: 'shop@1', url: 'https://ci.test/1' }), {
    status: 201,
    body: {
      version: 'shop@1',
      shortVersion: '1',
      status: 'open',
      url: 'https://ci.test/1',
      dateReleased: null,
      firstEvent: null,
      lastEvent: null,
      newGroups: 0,
      deployCount: 0,
      lastDeploy: null,
      projects: [{ id: String(project.id), slug: 'shop', name: 'Shop' }]
    }
  })
  hasExactly(t, await ask('PUT', 'projects/root/shop/releases/shop%401/', { dateReleased: '2026-11-21T00:00:00.123456789Z' }), {
    status: 200,
    body: { url: 'https://ci.test/1', dateReleased: '2026-11-21T00:00:00.123Z' }
  })
  hasExactly(t, await ask('POST', 'organizations/root/releases/', { version: 'shop@2', projects: [project.id, 'other'] }), {
    status: 201,
    body: { projects: [{ slug: 'shop' }, { slug: 'other' }] }
  })
  t.equal((await ask('PUT', 'organizations/root/releases/shop@2/', { projects: ['shop'], commits: [] })).status, 200)
  t.hasStrict(await ask('PUT', 'organizations/root/releases/shop@3/', { commits: [] }), {
    status: 404,
    body: { detail: '404 Release Not Found' }
  })
  t.same(versionsOf(await readPages(ask, 'organizations/root/releases/?per_page=1')), ['shop@2', 'shop@1'])
  t.same(versionsOf(await readPages(ask, 'projects/root/other/releases/')), ['shop@2'])
  hasExactly(t, (await ask('GET', 'organizations/root/releases/shop@2/')).body, {
    version: 'shop@2',
    projects: [{ slug: 'shop' }, { slug: 'other' }]
  })
  t.equal((await ask('GET', 'projects/root/other/releases/shop@1/')).status, 404)
})

t.test('an archived release is listed apart until it is restored', async t => {
  const { ask, call, path } = await openShop(t)
  const open = async () => versionsOf((await ask('GET', 'organizations/root/releases/')).body)

  await ask('POST', 'organizations/root/releases/', { version: '1', projects: ['shop'] })
  hasExactly(t, await ask('POST', 'organizations/root/releases/', { version: '1', projects: [], status: 'archived' }), {
    status: 201,
    body: { status: 'archived' }
  })
  t.same(await open(), [])
  t.same(versionsOf((await ask('GET', 'organizations/root/releases/?status=archived')).body), ['1'])
  t.equal((await call('GET', `${path}/releases/1`)).body.is_archived, true)
  t.equal((await ask('POST', 'organizations/root/releases/', { version: '1', projects: [], status: 'open' })).body.status, 'open')
  t.same(await open(), ['1'])
  t.equal((await ask('POST', 'organizations/root/releases/', { version: '2', projects: [], status: 'archived' })).status, 404)
})

t.test('a release shows its first and last event and the errors that it introduced', async t => {
  const { app, send, untilStored, project } = await openProject(t)
  const ask = sentryClient(app)
  const timestamp = '2026-11-20T10:00:00.000Z'

  await send(anEnvelope({ ...anException('A'), release: '1', timestamp }))
  await untilStored(1)
  await send(anEnvelope({ ...anException('A'), release: '2' }))
  await send(anEnvelope({ ...anException('B'), release: '2' }))
  await untilStored(3)

  hasExactly(t, (await ask('GET', `projects/root/${project.path}/releases/1/`)).body, {
    firstEvent: timestamp,
    lastEvent: timestamp,
    newGroups: 1
  })
  t.equal((await ask('GET', 'organizations/root/releases/2/')).body.newGroups, 1)
})

t.test('a deploy is stored once and shown in the release', async t => {
  const { ask, call, path, other } = await openShop(t)
  const deploys = 'organizations/root/releases/shop@1/deploys/'
  const deploy = (body: object) => ask('POST', deploys, body)
  const first = {
    environment: 'live',
    name: 'first',
    url: 'https://live.test',
    dateStarted: '2026-11-21T10:00:00.000Z',
    dateFinished: '2026-11-21T10:01:00.000Z'
  }

  t.hasStrict(await deploy(first), { status: 404, body: { detail: '404 Release Not Found' } })
  await ask('POST', 'organizations/root/releases/', { version: 'shop@1', projects: ['shop', 'other'] })
  await call('POST', '/projects', { name: 'Third' })
  hasExactly(t, await deploy(first), { status: 201, body: first })
  const before = Date.now()
  const { body: second } = await deploy({ environment: 'test', projects: ['shop'] })

  hasExactly(t, second, { environment: 'test', name: null, url: null, dateStarted: null })
  t.ok(Date.parse(second.dateFinished) >= before, 'it is finished when it is recorded')
  t.same(
    (await readPages(ask, `${deploys}?per_page=1`)).map(({ environment }) => environment),
    ['test', 'live']
  )
  hasExactly(t, (await ask('GET', 'organizations/root/releases/shop@1/')).body, { deployCount: 2, lastDeploy: second })
  hasExactly(t, (await ask('GET', 'projects/root/other/releases/')).body, [{ deployCount: 1, lastDeploy: first }])
  hasExactly(t, (await call('GET', `${path}/releases/${encodeURIComponent('shop@1')}`)).body, {
    deploy_count: 2,
    last_deploy: { environment: 'test', name: null, url: null, started_at: null, finished_at: second.dateFinished }
  })
  hasExactly(t, (await call('GET', `/projects/${other.id}/error_tracking/releases`)).body, [
    { deploy_count: 1, last_deploy: { environment: 'live', finished_at: first.dateFinished } }
  ])
  t.hasStrict(await deploy({ environment: 'live', projects: ['third'] }), {
    status: 400,
    body: { detail: 'projects: third does not have this release' }
  })
  t.equal((await deploy({ name: 'nowhere' })).status, 400)
})

t.test('a release is deleted with its deploys, and the deletion is audited', async t => {
  const { ask, call, platform, project } = await openShop(t)
  const url = 'organizations/root/releases/shop@1/'

  await ask('POST', 'organizations/root/releases/', { version: 'shop@1', projects: ['shop', 'other'] })
  await ask('POST', `${url}deploys/`, { environment: 'live' })
  t.equal((await ask('DELETE', url, undefined, { 'if-unmodified-since': new Date(0).toUTCString() })).status, 412)
  t.equal((await ask('DELETE', 'projects/root/other/releases/shop@1/')).status, 204)
  t.equal((await ask('GET', url)).status, 200)
  t.equal((await ask('DELETE', url)).status, 204)
  t.equal((await ask('DELETE', url)).status, 404)
  t.equal((await platform.pool.query('SELECT FROM error_deploys')).rowCount, 0)
  const { body: events } = await call('GET', `/projects/${project.id}/audit_events`)

  hasExactly(
    t,
    events.filter(({ event_name }: { event_name: string }) => event_name === 'release_deleted'),
    [{ details: { target_id: 'shop@1', target_type: 'Release', author_username: 'root' } }]
  )
})

t.test('the releases of an archived project can only be read', async t => {
  const { ask, call, project } = await openShop(t)
  const url = 'organizations/root/releases/1/'
  const refusal = { status: 403, body: { detail: '403 Forbidden - the project is archived' } }

  await ask('POST', 'organizations/root/releases/', { version: '1', projects: ['shop'] })
  await call('POST', `/projects/${project.id}/archive`)
  t.equal((await ask('GET', url)).status, 200)
  t.hasStrict(await ask('PUT', url, { status: 'archived' }), refusal)
  t.hasStrict(await ask('POST', `${url}deploys/`, { environment: 'live' }), refusal)
  t.hasStrict(await ask('DELETE', url), refusal)
  await ask('POST', 'organizations/root/releases/', { version: '2', projects: ['other'] })
  t.equal((await ask('DELETE', 'organizations/root/releases/2/')).status, 204, 'another project of the organization is not archived')
})

t.test('the releases and deploys of a project are deleted with it', async t => {
  const { ask, call, platform, project } = await openShop(t)
  const count = async () => (await platform.pool.query('SELECT FROM error_deploys')).rowCount

  await ask('POST', 'organizations/root/releases/', { version: '1', projects: ['shop'] })
  await ask('POST', 'organizations/root/releases/1/deploys/', { environment: 'live' })
  t.equal(await count(), 1)
  await call('DELETE', `/projects/${project.id}`)
  await eventually(async () => (await count()) === 0, 'the deploys are deleted')
})

t.test('an organization without projects has no releases', async t => {
  const { ask, call } = await openShop(t)

  await call('POST', '/groups', { name: 'Empty', path: 'empty' })
  t.same((await ask('GET', 'organizations/empty/releases/')).body, [])
  for (const method of ['GET', 'PUT', 'DELETE'] as const) {
    t.equal((await ask(method, 'organizations/empty/releases/1/', method === 'PUT' ? {} : undefined)).status, 404, method)
  }
})

t.test('a release with errors, sessions or source maps is not deleted', async t => {
  const { app, call, path, send, untilStored, project, work } = await openProject(t)
  const ask = sentryClient(app)
  const session = {
    sid: '9eb3ad1a-8d5f-4d0e-9e1e-6e1b5a3b8c01',
    init: true,
    started: new Date().toISOString(),
    attrs: { release: 'sessions' }
  }

  await work('maintenance')
  await send(anEnvelope({ ...anException(), release: 'errors' }))
  await untilStored(1)
  await send(`{}\n{"type":"session"}\n${JSON.stringify(session)}\n`)
  await eventually(async () => (await call('GET', `${path}/releases/sessions`)).status === 200, 'the session is counted')
  await ask('POST', 'organizations/root/releases/', { version: 'source maps', projects: [project.path] })
  await uploader(app).upload(aBundle(), project.path, { version: 'source maps' })

  for (const release of ['errors', 'sessions', 'source maps']) {
    const url = `organizations/root/releases/${encodeURIComponent(release)}/`

    t.hasStrict(await ask('DELETE', url), { status: 403, body: { detail: `403 Forbidden - the release has ${release}` } })
    t.equal((await ask('GET', url)).status, 200, release)
  }
})

t.test('set-commits stores the commits of a release, which its page shows', async t => {
  const { ask, app, project, platform } = await openShop(t)
  const commit = (n: number, more: object = {}) => ({
    id: String(n).repeat(40).slice(0, 40),
    repository: 'acme/shop',
    message: `Change <${n}>\n\nIn detail`,
    author_name: 'Ann',
    author_email: 'ann@example.com',
    timestamp: '2026-11-20T10:00:00Z',
    patch_set: [{ path: 'src/a.ts', type: 'M' }],
    ...more
  })
  const put = (commits: object[]) => ask('PUT', 'projects/root/shop/releases/shop%401/', { commits })
  const visitor = new Visitor(app)

  await visitor.signIn()
  t.equal((await ask('POST', 'projects/root/shop/releases/', { version: 'shop@1' })).status, 201)
  t.equal((await put([commit(2), commit(1, { timestamp: 'soon', author_name: null, message: null })])).status, 200)
  const { body } = await visitor.get(`/projects/${project.id}/releases/shop%401`)

  t.match(
    body,
    /<code>22222222<\/code> <strong>Change &#60;2&#62;<\/strong>[\s\S]+Ann · acme\/shop[\s\S]+<code>11111111<\/code> <strong>No message/
  )
  t.hasStrict((await ask('GET', 'organizations/root/releases/shop%401/')).body, {
    commitCount: 2,
    lastCommit: { id: '2'.repeat(40), message: 'Change <2>\n\nIn detail', dateCreated: '2026-11-20T10:00:00.000Z' }
  })
  t.equal((await ask('POST', 'projects/root/shop/releases/', { version: 'shop@2' })).status, 201)
  const previous = async (version: string) => (await ask('GET', `organizations/root/releases/${version}/previous-with-commits/`)).body

  t.hasStrict(await previous('shop%402'), { version: 'shop@1', lastCommit: { id: '2'.repeat(40) } })
  t.same(await previous('shop%401'), {})
  t.same(await previous('shop%409'), {}, 'a release that is not known')
  await put([commit(3)])
  const { rows } = await platform.pool.query('SELECT position, left(sha, 1) AS sha FROM error_release_commits')

  t.same(rows, [{ position: 0, sha: '3' }], 'they are replaced')
  t.equal((await put([{ id: 'x'.repeat(100), message: 'y'.repeat(5000) }])).status, 200)
  t.equal((await put(Array.from({ length: 10_001 }, () => ({ id: 'a' })))).status, 400)
})
