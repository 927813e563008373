import { Gitlab } from '@gitbeaker/rest'
import t from 'tap'
import { openAlertedProject } from '../alerts/alerting.ts'
import { routesOf } from '../api/routes.ts'
import { without } from '../support/extras.ts'
import { anEnvelope, openProject } from '../support/factories.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { listen } from '../support/listen.ts'
import { eventually, openApp, rootToken } from '../support/world.ts'
import { delayDeletions, today } from './marking.ts'
import { aPerson } from './people.ts'

const reason = { message: '403 Forbidden - the project is marked for deletion' }

t.test('with a period a deletion is a mark, which frees the path and is taken off again', async t => {
  const { call, platform } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const path = `/projects/${project.id}`
  const marked = `root/shop-deletion_scheduled-${project.id}`

  t.hasStrict(project, { marked_for_deletion_on: null, marked_for_deletion_at: null })
  await delayDeletions(call)
  t.hasStrict(await call('POST', `${path}/restore`), { status: 400, body: { message: 'Project has not been marked for deletion' } })
  t.hasStrict(await call('DELETE', path), { status: 202, body: { message: '202 Accepted' } })
  t.hasStrict(await call('DELETE', path), { status: 400, body: { message: 'Project has been already marked for deletion' } })
  t.hasStrict((await call('GET', path)).body, {
    path_with_namespace: marked,
    name: 'Shop',
    archived: false,
    marked_for_deletion_on: today(),
    marked_for_deletion_at: today()
  })
  t.equal((await call('POST', '/projects', { name: 'Shop' })).status, 201, 'the path is free')
  t.hasStrict(await call('POST', `${path}/restore`), {
    status: 201,
    body: { path_with_namespace: `root/shop-${project.id}`, marked_for_deletion_on: null }
  })
  t.equal((await call('POST', `${path}/restore`)).status, 400)

  const { body: other } = await call('POST', '/projects', { name: 'Other' })
  await call('DELETE', '/projects/root%2Fother')
  t.hasStrict(await call('POST', `/projects/${other.id}/restore`), { status: 201, body: { path_with_namespace: 'root/other' } })
  t.equal((await call('GET', '/projects/root%2Fother')).status, 200)
  const { rows } = await platform.pool.query(
    `SELECT name, details->>'entity_path' AS path FROM audit_events WHERE entity_id = $1 AND entity_type = 'Project' ORDER BY id`,
    [other.id]
  )
  t.same(
    rows.map(({ name, path }) => [name, path]),
    [
      ['project_created', 'root/other'],
      ['project_marked_for_deletion', 'root/other'],
      ['project_restored', 'root/other']
    ]
  )
  t.same((await platform.pool.query(`SELECT FROM outbox WHERE kind = 'project.moved'`)).rows, [], 'nobody hears of a move')
})

t.test('a marked project is deleted at once with permanently_remove and its path', async t => {
  const { call, platform } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const { body: other } = await call('POST', '/projects', { name: 'Other' })
  const remove = (id: number, fullPath: string) => call('DELETE', `/projects/${id}`, { permanently_remove: true, full_path: fullPath })

  await delayDeletions(call)
  t.hasStrict(await remove(project.id, 'root/shop'), { status: 400, body: { message: 'Project must be marked for deletion first.' } })
  for (const { id } of [project, other]) await call('DELETE', `/projects/${id}`)
  t.hasStrict(await remove(project.id, 'root/other'), {
    status: 400,
    body: { message: '400 Bad request - `full_path` is incorrect. You must enter the complete path for the project' }
  })
  t.equal((await call('GET', `/projects/${project.id}`)).status, 200)
  t.equal((await remove(project.id, `root/shop-deletion_scheduled-${project.id}`)).status, 202)
  t.equal((await remove(other.id, 'root/other')).status, 202, 'the former path confirms, too')
  for (const { id } of [project, other]) t.equal((await call('GET', `/projects/${id}`)).status, 404)
  const { rows } = await platform.pool.query(`SELECT FROM audit_events WHERE name = 'project_deleted'`)
  t.equal(rows.length, 2)
})

t.test('without a period a marked project is deleted by another deletion', async t => {
  const { call } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })

  await delayDeletions(call)
  await call('DELETE', `/projects/${project.id}`)
  await delayDeletions(call, 0)
  t.equal((await call('DELETE', `/projects/${project.id}`)).status, 202)
  t.equal((await call('GET', `/projects/${project.id}`)).status, 404)
})

t.test('a path without room for the suffix stays', async t => {
  const { call } = await openApp(t)
  const path = 'p'.repeat(250)
  const { body: project } = await call('POST', '/projects', { name: 'P', path })

  await delayDeletions(call)
  await call('DELETE', `/projects/${project.id}`)
  t.equal((await call('GET', `/projects/${project.id}`)).body.path, path)
  t.hasStrict(await call('POST', `/projects/${project.id}/restore`), { status: 201, body: { path } })
})

t.test('only owners restore, and others do not learn of a hidden project', async t => {
  const world = await openApp(t)
  const { call } = world
  const [ann, bob, cyd] = await Promise.all(['ann', 'bob', 'cyd'].map(name => aPerson(world, name)))
  const { body: project } = await ann!.call('POST', '/projects', { name: 'P' })

  await delayDeletions(call)
  await ann!.call('POST', `/projects/${project.id}/members`, { user_id: bob!.id, access_level: 40 })
  await ann!.call('DELETE', `/projects/${project.id}`)
  t.equal((await bob!.call('POST', `/projects/${project.id}/restore`)).status, 403)
  t.equal((await cyd!.call('POST', `/projects/${project.id}/restore`)).status, 404)
  t.equal((await cyd!.call('PUT', `/projects/${project.id}`, { description: 'D' })).status, 404)
  t.equal((await ann!.call('POST', `/projects/${project.id}/restore`)).status, 201)
})

t.test(
  'every change in a marked project is refused with the reason',
  { skip: without('ci', 'planning', 'snippets', 'webhooks') },
  async t => {
    const { app, call } = await openApp(t)
    const { body: project } = await call('POST', '/projects', { name: 'P' })
    const routes = routesOf(app).filter(
      route => !route.startsWith('GET ') && / \/api\/v4\/projects\/:id\/(issues|repository|variables|members)/.test(route)
    )

    t.ok(routes.length > 20, 'there are routes')
    await delayDeletions(call)
    await call('DELETE', `/projects/${project.id}`)
    for (const route of routes) {
      const [method, path] = route.split(' ') as ['PUT', string]
      const url = path.replace('/projects/:id', `/projects/${project.id}`).replaceAll(/:\w+/g, '0')

      if (route === 'DELETE /api/v4/projects/:id/members/:user_id') continue
      t.hasStrict(await call(method, url.replace('/api/v4', ''), {}), { status: 403, body: reason }, route)
    }
    t.equal((await call('PUT', `/projects/${project.id}`, { name: 'Q' })).status, 403)
    t.equal((await call('GET', `/projects/${project.id}/issues`)).status, 200)
  }
)

t.test('a marked project accepts no errors, and again once it is restored', async t => {
  const { call, project, send } = await openProject(t)

  await delayDeletions(call)
  await call('DELETE', `/projects/${project.id}`)
  const refused = await eventually(async () => {
    const { statusCode, json } = await send(anEnvelope())

    return statusCode === 403 && json()
  }, 'the error is refused')

  t.hasStrict(refused, { detail: 'The project is marked for deletion.' })
  await call('POST', `/projects/${project.id}/restore`)
  t.ok(await eventually(async () => (await send(anEnvelope())).statusCode === 200, 'errors are accepted'))
})

t.test('a marked project accepts no alerts, also at its former path, and again once it is restored', async t => {
  const { call, project, send } = await openAlertedProject(t)

  await delayDeletions(call)
  t.equal((await send({ title: 'Slow' })).statusCode, 200)
  await call('DELETE', `/projects/${project.id}`)
  const refused = await eventually(async () => {
    const { statusCode, json } = await send({ title: 'Slow' })

    return statusCode === 403 && json()
  }, 'the alert is refused')

  t.same(refused, reason)
  await call('POST', `/projects/${project.id}/restore`)
  t.ok(await eventually(async () => (await send({ title: 'Slow' })).statusCode === 200, 'alerts are accepted'))
})

t.test('lists filter by the mark, and search leaves it out', async t => {
  const { call } = await openApp(t)
  const { body: shop } = await call('POST', '/projects', { name: 'Shop one' })
  const { body: gone } = await call('POST', '/projects', { name: 'Shop two' })
  const ids = async (url: string) => (await call('GET', url)).body.map(({ id }: { id: number }) => id)

  await delayDeletions(call)
  await call('DELETE', `/projects/${gone.id}`)
  t.same(await ids('/projects?search=shop'), [gone.id, shop.id])
  t.same(await ids('/projects?search=shop&active=true'), [shop.id])
  t.same(await ids('/projects?search=shop&active=false'), [gone.id])
  t.same(await ids('/projects?search=shop&archived=true'), [])
  t.same(await ids(`/projects?search=shop&marked_for_deletion_on=${today()}`), [gone.id])
  t.same(await ids('/projects?search=shop&marked_for_deletion_on=2020-02-29'), [])
  t.equal((await call('GET', '/projects?search=shop&marked_for_deletion_on=yesterday')).status, 400)
  t.same(await ids('/search?scope=projects&search=shop'), [shop.id])
  t.same(await ids('/search?scope=projects&search=shop&include_archived=true'), [gone.id, shop.id])
})

t.test('a marked project does not count for the limit of its owner', async t => {
  const world = await openApp(t)
  const ann = await aPerson(world, 'ann')

  await delayDeletions(world.call)
  await world.platform.pool.query('UPDATE users SET projects_limit = 1 WHERE id = $1', [ann.id])
  const { body: project } = await ann.call('POST', '/projects', { name: 'P' })
  t.equal((await ann.call('POST', '/projects', { name: 'Q' })).status, 400)
  await ann.call('DELETE', `/projects/${project.id}`)
  t.equal((await ann.call('POST', '/projects', { name: 'Q' })).status, 201)
})

t.test('clients made for GitLab delete and restore', async t => {
  const { app, config, call } = await openApp(t)
  const host = await listen(app)

  config.baseUrl = host
  const { Groups, Projects } = new Gitlab({ host, token: rootToken })
  const group = await Groups.create('Company', 'company')
  const project = await Projects.create({ name: 'Shop', namespaceId: group.id })

  await delayDeletions(call)
  await Projects.remove(project.id)
  await Projects.restore(project.id)
  hasExactly(t, await Projects.show('company/shop'), { id: project.id, marked_for_deletion_on: null })
  await Projects.remove(project.id)
  const again = await Projects.create({ name: 'Shop', namespaceId: group.id })
  t.not(again.id, project.id)
  const { path_with_namespace: fullPath } = await Projects.show(project.id)
  await Projects.remove(project.id, { permanentlyRemove: true, fullPath })
  await t.rejects(Projects.show(project.id), { message: '404 Project Not Found' })
  await Groups.remove(group.id)
  await Groups.restore(group.id)
  hasExactly(t, await Groups.show('company'), { id: group.id, marked_for_deletion_on: null })
})
