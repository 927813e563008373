import { execFileSync } from 'node:child_process'
import { access, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { ProcessLimit, TooManyProcesses } from '#platform/git/process-limit.ts'
import { Storages } from '#platform/git/storages.ts'
import { findRepository } from '#repositories/find-repository.ts'
import { initializeRepository, openRepository } from '#repositories/open-repository.ts'
import { Repository } from '#repositories/repository.ts'
import { countWrites } from '#repositories/write-store.ts'
import { RepositoryReadOnly, writeToRepository } from '#repositories/write-to-repository.ts'
import { openApp } from '../support/world.ts'

async function aRepository(t: Test) {
  const dir = await mkdtemp(join(tmpdir(), 'tocsin-git-'))
  const world = await openApp(t, { env: { REPOSITORY_STORAGES: `near:${dir}/near,far:${dir}/far`, REPOSITORY_STORAGE_WEIGHTS: 'far:0' } })
  const { body: project } = await world.call('POST', '/projects', { name: 'Shop' })
  const { git, fork } = world.platform
  const find = () => findRepository(fork(), { projectId: project.id })

  t.teardown(() => rm(dir, { recursive: true, force: true }))

  return { ...world, git, fork, project, find, repository: await find() }
}

t.test('a new project has an empty repository on a storage with a weight', async t => {
  const { call, project, repository, git } = await aRepository(t)
  const { body } = await call('GET', `/projects/${project.id}`)

  t.equal(body.repository_storage, 'near')
  t.equal(body.empty_repo, true)
  t.equal(await openRepository(git, repository), undefined)
  t.ok((await call('GET', '/projects?repository_storage=near')).body.some(({ id }: { id: number }) => id === project.id))
  t.same((await call('GET', '/projects?repository_storage=far')).body, [])
})

t.test('a new group has a repository', async t => {
  const { call, fork } = await aRepository(t)
  const { body: group } = await call('POST', '/groups', { name: 'Company', path: 'company' })

  t.equal((await findRepository(fork(), { groupId: group.id })).storage, 'near')
})

t.test('a project of an older release receives a repository once', async t => {
  const { platform, project, find, repository } = await aRepository(t)

  await platform.pool.query('DELETE FROM repositories WHERE project_id = $1', [project.id])
  const [first, second] = await Promise.all([find(), find()])

  t.equal(first?.id, second?.id)
  t.not(first?.id, repository.id)
})

t.test('the first write creates the directory, at once or not at all', async t => {
  const { call, project, find, git, fork, repository } = await aRepository(t)
  const initialize = async () => initializeRepository(fork(), git, await find(), 'trunk')
  const [directory] = await Promise.all([initialize(), initialize(), initialize()])

  t.equal(directory, git.storages.directory(repository))
  t.equal(await git.text(directory!, ['symbolic-ref', 'HEAD']), 'refs/heads/trunk')
  t.equal((await call('GET', `/projects/${project.id}`)).body.empty_repo, false)
  t.same((await readdir(join(directory!, '..'))).length, 1, 'no partial directory is left')
})

t.test('a directory that is missing is an error, not an empty repository', async t => {
  const { find, git, fork } = await aRepository(t)
  const directory = await initializeRepository(fork(), git, await find(), 'main')

  await rm(directory, { recursive: true })
  await t.rejects(openRepository(git, await find()), { code: 'repository_missing' })
  await t.rejects(initializeRepository(fork(), git, await find(), 'main'), { code: 'repository_missing' })
  await t.rejects(access(directory), 'it is not created again')
})

t.test('a repository that moves refuses writes', async t => {
  const { fork, repository } = await aRepository(t)

  await fork().nativeUpdate(Repository, { id: repository.id }, { isReadOnly: true })
  await t.rejects(
    writeToRepository(fork, repository.id, async () => t.fail('it writes')),
    new RepositoryReadOnly()
  )
})

t.test('a move sees the writes in progress, and a write that a move did not wait for fails', async t => {
  const { fork, platform, repository } = await aRepository(t)
  const em = fork()
  const expire = () => platform.pool.query(`UPDATE repository_writes SET expires_at = now() - interval '1 second'`)

  await writeToRepository(fork, repository.id, async () => t.equal(await countWrites(em, repository.id), 1))
  t.equal(await countWrites(em, repository.id), 0)
  await t.rejects(writeToRepository(fork, repository.id, expire), { code: 'unavailable' })
  t.equal(await countWrites(em, repository.id), 0)
})

t.test('git reads nothing of the machine, and ends in time', async t => {
  const { git, find, fork } = await aRepository(t)
  const directory = await initializeRepository(fork(), git, await find(), 'main')
  const listed = await git.text(directory, ['config', '--list', '--show-scope'])

  t.same(
    listed.split('\n').filter(line => !/^(command|local)\t/.test(line)),
    [],
    'no configuration of the system or of a user'
  )
  await t.rejects(git.run(directory, ['cat-file', '-p', 'HEAD']), { code: 'git_failed', exitCode: 128 })
  await t.rejects(git.run(directory, ['config', '--list'], { maxBytes: 10 }), { code: 'git_output_too_large' })
  const pipe = join(directory, 'pipe')

  execFileSync('mkfifo', [pipe])
  await t.rejects(git.run(directory, ['hash-object', pipe], { timeoutMs: 100 }), { code: 'git_timed_out' }, 'it waits for a writer')
  await t.rejects(git.run(directory, ['clone', 'file:///etc', join(directory, 'copy')]), { code: 'git_failed' })
})

t.test('a full limit refuses', async t => {
  const limit = new ProcessLimit(1, 1)
  const release = await limit.acquire()
  const second = limit.acquire()

  await t.rejects(limit.acquire(), TooManyProcesses)
  release()
  t.type(await second, 'function')
})

t.test('weights decide where new repositories lie', async t => {
  const pick = (weights: [string, number][]) => {
    const storages = new Storages({
      directories: new Map([
        ['a', '/a'],
        ['b', '/b']
      ]),
      weights: new Map(weights),
      namespace: 'n'
    })

    return new Set(Array.from({ length: 200 }, () => storages.pick()))
  }

  t.same([...pick([])].sort(), ['a', 'b'])
  t.same([...pick([['a', 0]])], ['b'])
  t.same(
    [
      ...pick([
        ['a', 0],
        ['b', 0]
      ])
    ],
    ['a']
  )
})
