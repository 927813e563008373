import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { GitDirectory } from '#platform/git/git-directory.ts'
import { maintainWritten } from '#repositories/maintain-repositories.ts'
import { Repository } from '#repositories/repository.ts'
import { openGitServer } from '../git-http/git-clients.ts'
import { without } from '../support/extras.ts'

const signal = new AbortController().signal

t.test('the size and the README of a repository are measured after writes', { skip: without('source-code') }, async t => {
  const server = await openGitServer(t)
  const { call, project, platform } = server
  const readme = async () => (await call('GET', `/projects/${project.id}`)).body.readme_url
  const sizes = async () => {
    const { rows } = await platform.pool.query(
      `SELECT snippet_id IS NOT NULL AS is_snippet, coalesce(size_bytes, 0)::int AS bytes FROM repositories
       WHERE project_id = $1 OR snippet_id IS NOT NULL ORDER BY id`,
      [project.id]
    )

    return rows
  }
  const client = await server.client()

  t.equal(await readme(), null)
  await client.commit('one.txt')
  await client.commit('readme.txt')
  await client.commit('ReadMe.md')
  await client.ok('push', 'origin', 'main')
  await call('POST', `/projects/${project.id}/snippets`, {
    title: 'S',
    visibility: 'private',
    files: [{ file_path: 'a', content: randomUUID().repeat(1000) }]
  })
  await maintainWritten(platform, signal)
  t.match(await readme(), /\/-\/blob\/main\/ReadMe\.md$/)
  const [ofProject, ofSnippet] = await sizes()

  t.hasStrict([ofProject, ofSnippet], [{ is_snippet: false }, { is_snippet: true }])
  t.ok(ofProject.bytes > 0 && ofSnippet.bytes > 0)
  await client.ok('rm', '--quiet', 'ReadMe.md', 'readme.txt')
  await client.ok('commit', '--quiet', '-m', 'Without')
  await client.ok('push', 'origin', 'main')
  await maintainWritten(platform, signal)
  t.equal(await readme(), null)
})

t.test('a repository of many objects is packed, and one that moves or is away waits', async t => {
  const server = await openGitServer(t)
  const { platform, project } = server
  const { git, fork } = platform
  const client = await server.client()

  await client.commit('one')
  await client.ok('push', 'origin', 'main')
  const repository = await server.repository()
  const repo = new GitDirectory(git, git.storages.directory(repository))
  const loose = async () => Number(/^count: (\d+)$/m.exec(await repo.text(['count-objects', '-v']))?.[1])

  // Git estimates the number from the objects whose name begins with 17.
  for (let n = 0; n < 6000; n += 500) {
    const blobs = Array.from({ length: 500 }, (_, k) => `blob\ndata <<E\n${n + k}\nE\n`).join('\n')

    await repo.run(['-c', 'fastimport.unpackLimit=1000', 'fast-import', '--quiet'], { input: blobs })
  }
  const before = await loose()

  t.ok(before > 5000, 'loose objects')
  await fork().nativeUpdate(Repository, { projectId: project.id }, { isReadOnly: true, writtenAt: new Date() })
  await maintainWritten(platform, signal)
  t.equal(await loose(), before, 'not while it moves')
  await fork().nativeUpdate(Repository, { projectId: project.id }, { isReadOnly: false })
  await client.commit('two')
  await client.ok('push', 'origin', 'main')
  await maintainWritten(platform, signal)
  t.ok((await repo.text(['count-objects', '-v'])).includes('packs: 1'), 'what is reachable is one pack')
  await repo.run(['fsck', '--strict'])
  await rm(repo.path, { recursive: true })
  await fork().nativeUpdate(Repository, { projectId: project.id }, { writtenAt: new Date() })
  await maintainWritten(platform, signal)
})

t.test('a project begins with a README on request', { skip: without('source-code') }, async t => {
  const server = await openGitServer(t)
  const { call } = server
  const { body: project } = await call('POST', '/projects', {
    name: 'Web shop',
    description: 'Sells.',
    initialize_with_readme: true,
    default_branch: 'trunk'
  })
  const client = await server.client(server.url(undefined, project.path_with_namespace))

  t.hasStrict(project, { empty_repo: false, default_branch: 'trunk' })
  await client.ok('pull', '--quiet', 'origin', 'trunk')
  t.equal(await client.ok('show', 'HEAD:README.md'), '# Web shop\n\nSells.')
  t.equal((await call('GET', `/projects/${project.id}/repository/branches`)).body[0].default, true)
})

t.test('the default branch is one that exists, and has a valid name', { skip: without('source-code') }, async t => {
  const { call } = await openGitServer(t)
  const { body: project } = await call('POST', '/projects', { name: 'A', initialize_with_readme: true })
  const { body: empty } = await call('POST', '/projects', { name: 'B' })
  const set = (id: number, branch: string) => call('PUT', `/projects/${id}`, { default_branch: branch })

  t.hasStrict(await set(project.id, 'none'), {
    status: 400,
    body: { message: { default_branch: ['is not a branch of the repository: push none first'] } }
  })
  await call('POST', `/projects/${project.id}/repository/branches`, { branch: 'next', ref: 'main' })
  t.hasStrict(await set(project.id, 'next'), { status: 200, body: { default_branch: 'next' } })
  t.hasStrict(await set(empty.id, 'trunk'), { status: 200, body: { default_branch: 'trunk' } })
  for (const [method, url, body] of [
    ['PUT', `/projects/${empty.id}`, {}],
    ['POST', '/projects', { name: 'C', initialize_with_readme: true }],
    ['POST', '/groups', { name: 'G', path: 'g' }]
  ] as const) {
    t.equal((await call(method, url, { ...body, default_branch: 'a..b' })).status, 400, `${method} ${url}`)
  }
})

t.test('readiness and metrics show the storages', async t => {
  const dir = await mkdtemp(join(tmpdir(), 'tocsin-storages-'))

  await writeFile(join(dir, 'file'), '')
  const server = await openGitServer(t, { env: { REPOSITORY_STORAGES: `near:${dir}/near,far:${dir}/file/far` } })

  t.teardown(() => rm(dir, { recursive: true, force: true }))
  const readiness = await server.app.inject({ url: '/-/readiness' })
  const { body } = await server.app.inject({ url: '/-/metrics' })

  t.equal(readiness.statusCode, 200, 'alerts and errors are accepted nevertheless')
  t.match(readiness.json().checks.storages, /^degraded: far: E[A-Z]+$/)
  t.match(body, /tocsin_storage_up\{storage="near",process="[^"]+"\} 1/)
  t.match(body, /tocsin_storage_up\{storage="far",process="[^"]+"\} 0/)
  t.match(body, /tocsin_storage_free_bytes\{storage="near",process="[^"]+"\} \d+/)
  t.notMatch(body, /tocsin_storage_free_bytes\{storage="far"/)
})
