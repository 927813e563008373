import t from 'tap'
import { commitTo, openDirectory } from '../support/repositories.ts'
import { eventually, openApp } from '../support/world.ts'
import { Visitor } from './visitor.ts'

t.test('admins see the storages, move repositories and see how far it is', async t => {
  const directory = await openDirectory(t)
  const { app, call, platform, work } = await openApp(t, { env: { REPOSITORY_STORAGES: `near:${directory}/near,far:${directory}/far` } })
  const visitor = new Visitor(app)

  await platform.pool.query(`UPDATE repositories SET storage = 'near'`)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })

  await platform.pool.query(`UPDATE repositories SET storage = 'near' WHERE project_id = $1`, [project.id])
  await commitTo(platform, project.id)
  await visitor.signIn()
  t.match((await visitor.get('/admin/storages')).body, /near[\s\S]*GiB of/)
  const wrong = await visitor.post('/admin/storages/moves', { kind: 'project', source: 'near', destination: 'near' })

  t.equal(wrong.statusCode, 400)
  t.match(wrong.body, 'Choose two different storages.')
  t.equal((await visitor.post('/admin/storages/moves', { kind: 'project', source: 'near', destination: 'far' })).statusCode, 303)
  await work('storage-moves')
  await eventually(async () => / 0 left/.test((await visitor.get('/admin/storages')).body), 'all have moved')
  t.match((await visitor.get('/admin/storages')).body, /0 failed/)
})

t.test('a failed move is shown with its reason and scheduled again', async t => {
  const directory = await openDirectory(t)
  const { app, call, platform, work } = await openApp(t, { env: { REPOSITORY_STORAGES: `near:${directory}/near,far:/dev/null/far` } })
  const visitor = new Visitor(app)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })

  await platform.pool.query(`UPDATE repositories SET storage = 'near' WHERE project_id = $1`, [project.id])
  await commitTo(platform, project.id)
  const { body: move } = await call('POST', `/projects/${project.id}/repository_storage_moves`, { destination_storage_name: 'far' })

  await work('storage-moves')
  await visitor.signIn()
  await eventually(async () => (await visitor.get('/admin/storages')).body.includes('It was not moved.'), 'it has failed')
  t.match((await visitor.get('/admin/storages')).body, 'ENOTDIR')
  t.equal((await visitor.post(`/admin/storages/moves/${move.id}/again`)).statusCode, 303)
  t.equal((await visitor.post('/admin/storages/moves/0/again')).statusCode, 404)
  t.equal((await call('GET', `/projects/${project.id}/repository_storage_moves`)).body.length, 2)
})

t.test('only admins see them', async t => {
  const { app, call } = await openApp(t)

  await call('POST', '/users', {
    username: 'ann',
    name: 'Ann',
    email: 'ann@example.com',
    password: 'the password of ann',
    skip_confirmation: true
  })
  const ann = new Visitor(app)

  await ann.signIn({ login: 'ann', password: 'the password of ann' })
  t.equal((await ann.get('/admin/storages')).statusCode, 403)
  t.equal((await ann.post('/admin/storages/moves')).statusCode, 403)
})
