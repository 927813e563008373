import { access, mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { writeToRepository } from '#repositories/write-to-repository.ts'
import { beginAttempt, switchStorage } from '#storage-moves/move-steps.ts'
import { StorageMove } from '#storage-moves/storage-move.ts'
import { deleteOrphanRepositories } from '#storage-moves/sweep-storages.ts'
import { without } from '../support/extras.ts'
import { onBothBackends } from '../support/world.ts'
import { someStorages, until } from './some-storages.ts'

onBothBackends(t, 'a project moves to another storage with all that it holds', async (t, kind) => {
  const { call, work, commit, head, find, git, project, moves, state } = await someStorages(t, kind)
  const id = await commit()
  const before = git.storages.directory(await find())
  const { status, body } = await call('POST', moves, { destination_storage_name: 'far', project_id: 5, source_storage_name: 'x' })

  t.equal(status, 201)
  t.same(body, {
    id: body.id,
    created_at: body.created_at,
    state: 'scheduled',
    source_storage_name: 'near',
    destination_storage_name: 'far',
    error_message: null,
    project: {
      id: project.id,
      description: null,
      name: 'Shop',
      name_with_namespace: project.name_with_namespace,
      path: 'shop',
      path_with_namespace: 'root/shop',
      created_at: project.created_at
    }
  })
  await work('storage-moves')
  await until(
    () => state(body.id),
    ({ state }) => state === 'finished'
  )
  t.equal(await head(), id)
  t.equal((await find()).storage, 'far')
  t.equal((await find()).isReadOnly, false)
  t.equal((await call('GET', `/projects/${project.id}`)).body.repository_storage, 'far')
  await t.rejects(access(before), 'the original is deleted')
  t.same((await call('GET', '/project_repository_storage_moves')).body[0].id, body.id)
  t.same((await call('GET', `/project_repository_storage_moves/${body.id}`)).body.state, 'finished')
  t.equal((await call('GET', `/project_repository_storage_moves/${body.id + 1}`)).status, 404)
  t.same((await call('GET', moves)).body.length, 1)
})

onBothBackends(t, 'all projects of a storage move, also those without commits, and groups', async (t, kind) => {
  const { call, work, commit, head, fork, platform } = await someStorages(t, kind)

  await platform.pool.query(`UPDATE repositories SET storage = 'near'`)
  const id = await commit()
  await call('POST', '/groups', { name: 'Company', path: 'company' })
  for (const name of ['one', 'two', 'three']) await call('POST', '/projects', { name })
  const body = { source_storage_name: 'near', destination_storage_name: 'far' }

  t.same(await call('POST', '/project_repository_storage_moves', body).then(({ status, body }) => [status, body]), [
    202,
    { message: '202 Accepted' }
  ])
  t.equal((await call('POST', '/group_repository_storage_moves', { source_storage_name: 'near' })).status, 202)
  await work('storage-moves')
  const count = async () =>
    (
      await fork()
        .getKysely<{ repositories: { storage: string } }>()
        .selectFrom('repositories')
        .selectAll()
        .where('storage', '=', 'near')
        .execute()
    ).length

  await until(count, left => left === 0)
  t.equal(await head(), id)
  t.ok((await call('GET', '/project_repository_storage_moves')).body.length >= 4)
  const [{ group }] = (await call('GET', '/group_repository_storage_moves')).body

  t.same(Object.keys(group), ['id', 'web_url', 'name'])
})

t.test('admins see where the repository of a project lies', async t => {
  const { call, project, find, directory, config, commit } = await someStorages(t)

  await commit()
  const { body } = await call('GET', `/projects/${encodeURIComponent(project.path_with_namespace)}/storage`)

  t.same(body, {
    project_id: project.id,
    disk_path: (await find()).path.replace('.git', ''),
    created_at: project.created_at,
    repository_storage: 'near'
  })
  await t.resolves(access(join(directory, 'near', config.namespace, `${body.disk_path}.git`)))
  t.equal((await call('GET', '/projects/0/storage')).status, 404)
})

onBothBackends(t, 'a project is transferred with its repository, also while it moves', async (t, kind) => {
  const { call, work, commit, find, project, head, schedule, state } = await someStorages(t, kind)
  const id = await commit()
  const { path, storage } = await find()
  const transfer = async (name: string) => {
    const { body: group } = await call('POST', '/groups', { name, path: name })

    return (await call('PUT', `/projects/${project.id}/transfer`, { namespace: group.id })).body.path_with_namespace
  }

  t.equal(await transfer('first'), 'first/shop')
  t.hasStrict(await find(), { path, storage }, 'it stays where it is')
  const move = await schedule()

  t.equal(await transfer('second'), 'second/shop')
  await work('storage-moves')
  const ended = await until(
    () => state(move.id),
    ({ state }) => state === 'finished'
  )

  t.equal(ended.project.path_with_namespace, 'second/shop')
  t.equal(await head(), id)
  t.equal(await commit('more\n'), await head(), 'it can be written')
})

t.test('a snippet moves', { skip: without('snippets') }, async t => {
  const { call, run } = await someStorages(t)
  const { body: snippet } = await call('POST', '/snippets', { title: 'Notes', file_name: 'a.txt', content: 'hello' })
  const { status, body } = await call('POST', `/snippets/${snippet.id}/repository_storage_moves`)
  const { web_url, raw_url, http_url_to_repo, id, title, description, visibility } = snippet

  t.equal(status, 201)
  t.same(body.snippet, {
    ...{ id, title, description, visibility, web_url, raw_url, http_url_to_repo },
    ...{ project_id: null, created_at: snippet.created_at, updated_at: snippet.updated_at }
  })
  await run(body.id)
  t.equal((await call('GET', `/snippet_repository_storage_moves/${body.id}`)).body.state, 'finished')
  t.equal((await call('GET', `/snippets/${id}`)).body.repository_storage, 'far')
  t.equal((await call('GET', `/snippets/${id}/raw`)).body, 'hello')
  t.equal((await call('GET', '/snippets/nothing/repository_storage_moves')).status, 404)
})

t.test('moves that cannot be are refused with the reason', async t => {
  const { call, moves, schedule } = await someStorages(t)
  const ask = async (path: string, body: object) => {
    const { status, body: answer } = await call('POST', path, body)

    return [status, answer.message ?? answer.error]
  }
  const all = '/project_repository_storage_moves'

  t.same(await ask(moves, { destination_storage_name: 'moon' }), [400, { destination_storage_name: ['is not included in the list'] }])
  t.same(await ask(moves, { destination_storage_name: 'near' }), [
    400,
    { destination_storage_name: ['cannot be the same as the source storage'] }
  ])
  t.same(await ask(all, { source_storage_name: 'moon' }), [400, { source_storage_name: ['is not included in the list'] }])
  t.same((await ask(all, {}))[0], 400)
  t.same(await ask('/projects/0/repository_storage_moves', {}), [404, '404 Project Not Found'])
  await schedule()
  t.same(await ask(moves, { destination_storage_name: 'far' }), [400, { project: ['is read-only'] }])
})

t.test('without a destination, another storage is chosen', async t => {
  const { call, moves } = await someStorages(t)

  t.equal((await call('POST', moves)).body.destination_storage_name, 'far')
})

t.test('a repository is read-only from when its move is scheduled, and the move waits for writes in progress', async t => {
  const { commit, fork, find, schedule, run, state, head } = await someStorages(t)

  await commit()
  const { id: repositoryId } = await find()
  let moving: Promise<void> | undefined
  let moveId = 0
  const written = await writeToRepository(fork, repositoryId, async () => {
    moveId = (await schedule()).id
    moving = run(moveId)
    await until(
      () => state(moveId),
      ({ state }) => state === 'started'
    )
    await t.rejects(
      writeToRepository(fork, repositoryId, async () => t.fail('it writes')),
      { message: /read-only/ }
    )

    return commit('more\n')
  })

  await moving
  t.equal((await state(moveId)).state, 'finished')
  t.equal(await head(), written)
})

t.test('a move that fails says why, leaves the repository as it was, and can be scheduled again', async t => {
  const { commit, find, git, schedule, run, state, head, directory } = await someStorages(t)
  const id = await commit()

  await writeFile(join(directory, 'far'), 'no directory')
  const { id: first } = await schedule()

  await run(first)
  t.hasStrict(await state(first), { state: 'failed', source_storage_name: 'near' })
  t.match((await state(first)).error_message, /ENOTDIR|EEXIST/)
  t.equal((await find()).isReadOnly, false)
  t.equal(await head(), id)
  await rm(join(directory, 'far'))
  const { id: second } = await schedule()

  await rm(git.storages.directory(await find()), { recursive: true })
  await run(second)
  t.match((await state(second)).error_message, /missing from the storage near/)
  t.equal((await find()).isReadOnly, false)
})

t.test('a damaged repository is not moved', async t => {
  const { commit, find, git, schedule, run, state } = await someStorages(t)
  const commitId = await commit()
  const directory = git.storages.directory(await find())

  await rm(join(directory, 'objects', commitId.slice(0, 2), commitId.slice(2)))
  const { id } = await schedule()

  await run(id)
  t.equal((await state(id)).state, 'failed')
  t.equal((await find()).storage, 'near')
  await t.resolves(access(directory))
})

t.test('an attempt that was overtaken changes nothing', async t => {
  const { commit, fork, find, schedule, run, state, git } = await someStorages(t)

  await commit()
  const { id } = await schedule()
  const frozen = await beginAttempt(fork(), id, 0, new Date())

  await t.rejects(run(id), { message: 'Another worker moves this repository.' })
  await fork().nativeUpdate(StorageMove, { id }, { updatedAt: new Date(0) })
  await mkdir(git.storages.directory(frozen!.destination), { recursive: true })
  await run(id)
  const { path } = await find()

  t.equal((await state(id)).state, 'finished')
  t.equal(await switchStorage(fork(), frozen!, new Date()), false)
  t.equal((await find()).path, path)
  await t.rejects(access(git.storages.directory(frozen!.destination)), 'the copy of the first attempt is deleted')
  await run(id, 1)
  t.equal((await find()).path, path, 'twice is once')
})

t.test('a worker that dies before the original is deleted leaves the rest to the next one', async t => {
  const { call, moves, commit, fork, find, git, schedule, run, state } = await someStorages(t)

  await commit()
  const before = git.storages.directory(await find())
  const { id } = await schedule()
  const attempt = await beginAttempt(fork(), id, 0, new Date())

  await switchStorage(fork(), attempt!, new Date())
  t.equal((await find()).isReadOnly, false)
  t.hasStrict(await call('POST', moves), { status: 400, body: { message: { project: ['is still moving'] } } })
  await fork().nativeUpdate(StorageMove, { id }, { updatedAt: new Date(0) })
  await run(id)
  t.equal((await state(id)).state, 'finished')
  await t.rejects(access(before))
})

t.test('directories of no repository are deleted after a day', async t => {
  const { commit, find, git, fork } = await someStorages(t)

  await commit()
  const folder = git.storages.folder('near')
  const directory = git.storages.directory(await find())
  const orphan = join(folder, 'ab', 'cd', 'abcd.git')
  const young = join(folder, 'ab', 'cd', 'new.git')

  for (const path of [orphan, young]) await mkdir(path, { recursive: true })
  await utimes(orphan, new Date(0), new Date(0))
  await utimes(directory, new Date(0), new Date(0))
  await deleteOrphanRepositories(fork(), git.storages, new Date(), new AbortController().signal)
  await t.rejects(access(orphan))
  await t.resolves(access(young))
  await t.resolves(access(directory))
})
