import t from 'tap'
import { openAlertedProject } from '../alerts/alerting.ts'
import { allRoutesOf, routesOf } from '../api/routes.ts'
import { Visitor } from '../pages/visitor.ts'
import { anEnvelope, openProject } from '../support/factories.ts'
import { eventually, openApp, rootToken } from '../support/world.ts'
import { aPerson } from './people.ts'

const reason = { message: '403 Forbidden - the project is archived' }

/** Routes that take access away, end the archive, or delete and restore the project. */
const allowed = new Set([
  'POST /api/v4/projects/:id/archive',
  'POST /api/v4/projects/:id/unarchive',
  'DELETE /api/v4/projects/:id',
  'POST /api/v4/projects/:id/restore',
  'DELETE /api/v4/projects/:id/members/:user_id',
  'DELETE /api/v4/projects/:id/invitations/:email',
  'DELETE /api/v4/projects/:id/access_requests/:user_id',
  'DELETE /api/v4/projects/:id/access_tokens/:token_id',
  'DELETE /api/v4/projects/:id/deploy_tokens/:token_id',
  'DELETE /api/v4/projects/:id/share/:group_id',
  // It does not exist any more.
  'POST /api/v4/projects/:id/runners/reset_registration_token',
  // The caller's own setting.
  'PUT /api/v4/projects/:id/notification_settings'
])

t.test('every change in an archived project is refused with the reason', async t => {
  const { app, call } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'P' })
  const routes = routesOf(app).filter(route => !route.startsWith('GET ') && / \/api\/v4\/projects\/:id(\/|$)/.test(route))

  t.ok(routes.length > 30, 'there are routes')
  await call('POST', `/projects/${project.id}/archive`)
  for (const route of routes) {
    const [method, path] = route.split(' ') as ['PUT', string]
    const url = path.replace('/projects/:id', `/projects/${project.id}`).replaceAll(/:\w+/g, '0')

    if (allowed.has(route)) continue
    t.hasStrict(await call(method, url.replace('/api/v4', ''), {}), { status: 403, body: reason }, route)
  }
  t.equal((await call('GET', `/projects/${project.id}`)).status, 200)
})

t.test('an archived project can be changed by its path no more than by its id, and again once it is unarchived', async t => {
  const { call } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'P' })
  const change = async (id: string) => (await call('PUT', `/projects/${encodeURIComponent(id)}`, { description: 'D' })).status

  await call('POST', `/projects/${project.id}/archive`)
  t.equal(await change('ROOT/p'), 403)
  await call('POST', `/projects/${project.id}/unarchive`)
  t.equal(await change('ROOT/p'), 200)
  await call('POST', `/projects/${project.id}/archive`)
  t.equal((await call('DELETE', `/projects/${project.id}`)).status, 202)
})

t.test('users who cannot see an archived project do not learn of it', async t => {
  const world = await openApp(t)
  const ann = await aPerson(world, 'ann')
  const { body: project } = await world.call('POST', '/projects', { name: 'P' })

  await world.call('POST', `/projects/${project.id}/archive`)
  t.hasStrict(await ann.call('PUT', `/projects/${project.id}`, { description: 'D' }), { status: 404 })
  t.hasStrict(await world.call('PUT', `/projects/${project.id}`, { description: 'D' }, null), { status: 401 })
})

t.test('an archived project accepts no errors, and again once it is unarchived', async t => {
  const { call, project, send } = await openProject(t)
  // The cache of client keys is invalidated by a notification.
  const refused = () => eventually(async () => refusalOf(await send(anEnvelope())), 'the error is refused')

  t.equal((await send(anEnvelope())).statusCode, 200)
  await call('POST', `/projects/${project.id}/archive`)
  t.hasStrict(await refused(), { detail: 'The project is archived.' })
  await call('POST', `/projects/${project.id}/unarchive`)
  t.ok(await eventually(async () => (await send(anEnvelope())).statusCode === 200, 'errors are accepted'))
})

t.test('an archived project accepts no alerts, and again once it is unarchived', async t => {
  const { call, project, send } = await openAlertedProject(t)
  const refused = () => eventually(async () => refusalOf(await send({ title: 'Slow' })), 'the alert is refused')

  t.equal((await send({ title: 'Slow' })).statusCode, 200)
  await call('POST', `/projects/${project.id}/archive`)
  t.same(await refused(), reason)
  t.equal((await send({ title: 'Slow' }, { authorization: 'Bearer wrong' })).statusCode, 401, 'only who has the key learns the reason')
  await call('POST', `/projects/${project.id}/unarchive`)
  t.ok(await eventually(async () => (await send({ title: 'Slow' })).statusCode === 200, 'alerts are accepted'))
})

t.test('an archived project accepts no releases', async t => {
  const { app, call } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'P' })
  const headers = { authorization: `Bearer ${rootToken}` }

  await call('POST', `/projects/${project.id}/archive`)
  const refused = await app.inject({ method: 'PUT', url: '/api/0/projects/root/p/releases/1.0', payload: {}, headers })

  t.same([refused.statusCode, refused.json()], [403, { detail: reason.message }])
})

/** The same on pages. */
const allowedOnPages = new Set([
  'members/1/removal',
  'members/groups/1/removal',
  'members/invitations/withdrawal',
  'members/requests/withdrawal',
  'members/requests/1/denial',
  'settings/archive',
  'settings/deletion',
  'settings/restore'
])

t.test('every change on the pages of an archived project is refused with the reason', async t => {
  const { app, call } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'P' })
  const visitor = new Visitor(app)
  const prefix = 'POST /projects/:id/'
  const paths = allRoutesOf(app)
    .filter(route => route.startsWith(prefix))
    .map(route => route.slice(prefix.length).replaceAll(/:\w+(\(.*?\$\))?/g, '1'))

  t.ok(paths.length > 40, 'there are pages')
  await visitor.signIn()
  await visitor.get('/-/profile')
  await call('POST', `/projects/${project.id}/archive`)
  for (const path of paths) {
    if (allowedOnPages.has(path)) continue
    const { statusCode, body } = await visitor.post(`/projects/${project.id}/${path}`)

    t.same([statusCode, /<p>([^<]+)<\/p>/.exec(body)?.[1]], [403, 'the project is archived.'], path)
  }
  t.equal((await visitor.get(`/projects/${project.id}/members`)).statusCode, 200)
})

function refusalOf({ statusCode, json }: { statusCode: number; json: () => object }) {
  return statusCode === 403 && json()
}
