import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Gitlab } from '@gitbeaker/rest'
import t, { type Test } from 'tap'
import { aPerson } from '../../projects/people.ts'
import { hasExactly } from '../../support/has-exactly.ts'
import { listen } from '../../support/listen.ts'
import { openApp, rootToken } from '../../support/world.ts'

async function openWorld(t: Test) {
  const directory = t.testdir()
  const world = await openApp(t, { env: { REPOSITORY_STORAGES: `default:${directory}` } })
  const raw = async (url: string, token = rootToken) =>
    (await world.app.inject({ url: `/api/v4${url}`, headers: token ? { 'private-token': token } : {} })).body

  return { ...world, raw, folder: join(directory, world.config.namespace) }
}

t.test('a snippet is created with its files, shown, changed and deleted', async t => {
  const { call, raw } = await openWorld(t)
  const files = [
    { file_path: 'b.sql', content: 'SELECT 1' },
    { file_path: 'dir/ü.html', content: '<b>' }
  ]
  const { status, body } = await call('POST', '/snippets', { title: 'Slow query', description: 'D', files })

  t.equal(status, 201)
  hasExactly(t, body, {
    title: 'Slow query',
    description: 'D',
    visibility: 'private',
    author: { username: 'root' },
    project_id: null,
    file_name: 'b.sql',
    web_url: `http://tocsin.test/-/snippets/${body.id}`,
    raw_url: `http://tocsin.test/api/v4/snippets/${body.id}/raw`,
    http_url_to_repo: `http://tocsin.test/snippets/${body.id}.git`,
    files: [{ path: 'b.sql' }, { path: 'dir/ü.html' }],
    repository_storage: 'default'
  })
  const path = `/snippets/${body.id}`
  t.equal(await raw(`${path}/raw`), 'SELECT 1')
  t.equal(await raw(`${path}/files/main/${encodeURIComponent('dir/ü.html')}/raw`), '<b>')
  t.equal((await call('GET', `${path}/files/main/no/raw`)).status, 404)
  t.equal((await call('GET', `${path}/files/no/b.sql/raw`)).status, 404)

  const changes = [
    { action: 'update', file_path: 'b.sql', content: 'SELECT 2' },
    { action: 'move', file_path: 'c.html', previous_path: 'dir/ü.html' },
    { action: 'create', file_path: 'a.txt', content: 'a' }
  ]
  const { body: changed } = await call('PUT', path, { title: 'Slower', visibility: 'public', files: changes })
  t.hasStrict(changed, { title: 'Slower', visibility: 'public', description: 'D', file_name: 'a.txt' })
  t.same(
    changed.files.map(({ path }: { path: string }) => path),
    ['a.txt', 'b.sql', 'c.html']
  )
  t.equal(await raw(`${path}/files/main/b.sql/raw`), 'SELECT 2')
  t.equal(await raw(`${path}/files/main~1/b.sql/raw`), 'SELECT 1')
  t.same((await call('GET', path)).body, changed)
  t.hasStrict((await call('GET', `${path}/user_agent_detail`)).body, { ip_address: '127.0.0.1', akismet_submitted: false })
  t.equal((await call('DELETE', path)).status, 204)
  t.equal((await call('DELETE', path)).status, 404, 'twice is once')
})

t.test('older clients send one file', async t => {
  const { call, raw } = await openWorld(t)
  const { body } = await call('POST', '/snippets', { title: 'T', file_name: 'a.txt', content: 'one' })
  const path = `/snippets/${body.id}`

  t.equal(await raw(`${path}/raw`), 'one')
  await call('PUT', path, { content: 'two' })
  t.equal(await raw(`${path}/raw`), 'two')
  t.hasStrict((await call('PUT', path, { file_name: 'b.txt' })).body, { file_name: 'b.txt', files: [{ path: 'b.txt' }] })
  t.equal(await raw(`${path}/raw`), 'two')
})

t.test('files that do not fit are refused, and nothing is written', async t => {
  const { call, platform } = await openWorld(t)
  const create = async (more: object) => (await call('POST', '/snippets', { title: 'T', ...more })).status
  const file = (file_path: string) => ({ file_path, content: 'x' })
  const many = Array.from({ length: 11 }, (_, n) => file(`${n}`))

  t.equal(await create({}), 400)
  t.equal(await create({ files: [file('a')], content: 'x' }), 400)
  t.equal(await create({ files: many }), 400)
  t.equal(await create({ files: [file('../a')] }), 400)
  t.equal(await create({ files: [file('a'), file('a')] }), 400)
  t.equal((await platform.pool.query('SELECT FROM snippets')).rowCount, 0)

  const { body } = await call('POST', '/snippets', { title: 'T', files: many.slice(1) })
  const change = async (files: object[]) => (await call('PUT', `/snippets/${body.id}`, { title: 'U', files })).status
  t.equal(await change([{ action: 'create', ...file('more') }]), 400)
  t.equal(await change([{ action: 'delete', file_path: 'no' }]), 400)
  t.equal(await change([{ action: 'update', file_path: '1' }]), 400)
  t.equal(await change([{ action: 'move', file_path: '1' }]), 400)
  t.equal(await change(many.slice(1).map(({ file_path }) => ({ action: 'delete', file_path }))), 400, 'one file stays')
  t.hasStrict((await call('GET', `/snippets/${body.id}`)).body, { title: 'T' })
})

t.test('who sees a snippet is up to its visibility, and its author changes it', async t => {
  const { call, ...world } = await openWorld(t)
  const ann = await aPerson({ call, ...world }, 'ann')
  const bob = await aPerson({ call, ...world }, 'bob')
  const statuses: Record<string, number[]> = {}

  for (const visibility of ['private', 'internal', 'public']) {
    const { body } = await ann.call('POST', '/snippets', { title: visibility, visibility, content: 'x' })
    const path = `/snippets/${body.id}`
    const answers = await Promise.all([ann.token, rootToken, bob.token, null].map(token => call('GET', path, undefined, token)))

    statuses[visibility] = answers.map(({ status }) => status)
    t.equal((await bob.call('PUT', path, { title: 'U' })).status, visibility === 'private' ? 404 : 403)
    t.equal((await bob.call('DELETE', path)).status, visibility === 'private' ? 404 : 403)
    t.equal((await ann.call('PUT', path, { title: visibility.toUpperCase() })).status, 200)
    t.equal(body.repository_storage, undefined, 'for admins')
  }
  t.same(statuses, { private: [200, 200, 404, 404], internal: [200, 200, 200, 404], public: [200, 200, 200, 200] })
  const titles = async (path: string, who = bob) => (await who.call('GET', path)).body.map(({ title }: { title: string }) => title)
  t.same(await titles('/snippets'), [])
  t.same(await titles('/snippets', ann), ['PUBLIC', 'INTERNAL', 'PRIVATE'])
  t.same(await titles('/snippets/public'), ['PUBLIC'])
  t.same(await titles('/snippets?created_before=2000-01-01', ann), [])
  t.equal((await call('GET', '/snippets/all')).body.length, 3)
  t.equal((await bob.call('GET', '/snippets/all')).status, 403)
  await call('DELETE', `/users/${ann.id}`)
  t.same((await call('GET', '/snippets/all')).body, [], 'they go with their author')
})

t.test('a project has snippets for its members, written by reporters and changed by maintainers', async t => {
  const { call, raw, ...world } = await openWorld(t)
  const { body: project } = await call('POST', '/projects', { name: 'Shop', visibility: 'public' })
  const people = { gus: 10, rea: 20, mia: 40 }
  const tokens: Record<string, string> = { sam: (await aPerson({ call, ...world }, 'sam')).token }
  const path = `/projects/${project.id}/snippets`

  for (const [name, access_level] of Object.entries(people)) {
    const person = await aPerson({ call, ...world }, name)

    tokens[name] = person.token
    await call('POST', `/projects/${project.id}/members`, { user_id: person.id, access_level })
  }
  const create = (name: string, more: object = {}) => call('POST', path, { title: 'T', content: 'x', ...more }, tokens[name])
  t.equal((await create('sam')).status, 403)
  t.equal((await create('gus')).status, 403)
  const { body: snippet } = await create('rea')
  t.hasStrict(snippet, { project_id: project.id, raw_url: `http://tocsin.test/api/v4${path}/${snippet.id}/raw` })
  t.equal(await raw(`${path}/${snippet.id}/raw`), 'x')
  const act = async (method: 'GET' | 'PUT', name: string) =>
    (await call(method, `${path}/${snippet.id}`, method === 'PUT' ? { title: 'U' } : undefined, tokens[name])).status
  t.same(await Promise.all(['sam', 'gus', 'rea', 'mia'].map(name => act('GET', name))), [404, 200, 200, 200])
  t.same(await Promise.all(['sam', 'gus', 'rea', 'mia'].map(name => act('PUT', name))), [404, 403, 200, 200])
  t.equal((await call('GET', `/snippets/${snippet.id}`)).status, 404, 'it is not one of a user')
  t.same((await call('GET', path, undefined, tokens.sam)).body, [])
  hasExactly(t, (await call('GET', path, undefined, tokens.gus)).body, [{ id: snippet.id }])
  await create('rea', { title: 'Open', visibility: 'public' })
  hasExactly(t, (await call('GET', path, undefined, null)).body, [{ title: 'Open' }])
  const { body: events } = await call('GET', `/projects/${project.id}/events?target_type=snippet`)
  hasExactly(t, events, [
    { action_name: 'opened', target_type: 'Snippet', target_title: 'Open' },
    { target_title: 'T', target_id: snippet.id }
  ])
})

t.test('a snippet that was not stored leaves only a directory', async t => {
  const { call, folder, platform } = await openWorld(t)

  await platform.pool.query('ALTER TABLE snippets ADD CHECK (title <> $$Broken$$)')
  t.teardown(() => platform.pool.query('ALTER TABLE snippets DROP CONSTRAINT snippets_title_check'))
  t.equal((await call('POST', '/snippets', { title: 'Broken', content: 'x' })).status, 500)
  t.equal((await readdir(folder)).length, 1)
  t.same((await call('GET', '/snippets')).body, [])
  t.equal((await platform.pool.query('SELECT FROM repositories WHERE snippet_id IS NOT NULL')).rowCount, 0)
})

t.test('a client made for GitLab works unchanged', async t => {
  const { app, config, call } = await openWorld(t)
  const host = await listen(app)

  config.baseUrl = host
  const { Snippets, ProjectSnippets } = new Gitlab({ host, token: rootToken })
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const files = [{ filePath: 'a.txt', content: 'a' }]
  const personal = await Snippets.create('Own', { files, visibility: 'public' })

  t.hasStrict(personal, { title: 'Own', visibility: 'public' })
  t.hasStrict(await Snippets.show(personal.id), { id: personal.id })
  t.equal(await Snippets.showContent(personal.id), 'a')
  t.equal(await Snippets.showRepositoryFileContent(personal.id, 'main', 'a.txt'), 'a')
  t.hasStrict(await Snippets.edit(personal.id, { files: [{ action: 'update', filePath: 'a.txt', content: 'b' }] }), { id: personal.id })
  hasExactly(t, await Snippets.all(), [{ id: personal.id }])
  hasExactly(t, await Snippets.all({ public: true }), [{ id: personal.id }])
  t.hasStrict(await Snippets.showUserAgentDetails(personal.id), { ip_address: '127.0.0.1' })
  const ofProject = await ProjectSnippets.create(project.id, 'Shared', { files, visibility: 'private', description: 'D' })
  t.hasStrict(await ProjectSnippets.show(project.id, ofProject.id), { project_id: project.id })
  hasExactly(t, await ProjectSnippets.all(project.id), [{ id: ofProject.id }])
  t.equal(await ProjectSnippets.showContent(project.id, ofProject.id), 'a')
  await ProjectSnippets.remove(project.id, ofProject.id)
  await Snippets.remove(personal.id)
  t.same(await Snippets.all(), [])
})
