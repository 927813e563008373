import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { handle } from '#platform/queue/handler.ts'
import { InvalidPayload } from '#platform/queue/job.ts'
import { resume } from '#storage-moves/enqueue-moves.ts'
import { moveRepository } from '#storage-moves/jobs.ts'
import { StorageMove } from '#storage-moves/storage-move.ts'
import { startChild } from '../support/children.ts'
import { openDirectory } from '../support/repositories.ts'
import { eventually, onBothBackends, type QueueKind } from '../support/world.ts'
import { interruptedGit } from './interrupted-git.ts'
import { someStorages } from './some-storages.ts'

async function openProject(t: Test, kind?: QueueKind, env?: Record<string, string>) {
  const world = await someStorages(t, kind, env)
  const { commit, find, git, directory } = world
  const head = await commit(randomBytes(3_000_000).toString('base64'))

  return {
    ...world,
    /** The repository is whole, writable, and on one storage alone. */
    async isWhole(t: Test, storage: string) {
      const repository = await find()
      const at = git.storages.directory(repository)

      t.equal(repository.storage, storage)
      t.equal(repository.isReadOnly, false)
      t.equal(await git.text(at, ['rev-parse', 'main']), head)
      await t.resolves(git.run(at, ['fsck', '--full']))
      t.same(await repositoriesIn(directory), [at])
    }
  }
}

async function repositoriesIn(directory: string) {
  const names = await readdir(directory, { recursive: true })

  return names.filter(name => /\.git[^/]*$/.test(name)).map(name => join(directory, name))
}

const steps = {
  postgres: ['init', 'fetch', 'symbolic-ref', 'pack-refs', 'fsck', 'for-each-ref'],
  redis: ['fetch', 'fsck']
}

onBothBackends(t, 'a worker that is killed at any step leaves a whole repository, and the move goes on', async (t, kind) => {
  const interrupted = await interruptedGit(t)
  const world = await openProject(t, kind)
  const { call, moves, find, run, state, fork, head, directory } = world
  const env = { REPOSITORY_STORAGES: `near:${directory}/near,far:${directory}/far`, PATH: interrupted.path }
  const commit = await head()

  for (const step of steps[kind]) {
    const { storage: source } = await find()
    const destination = source === 'near' ? 'far' : 'near'

    await interrupted.before(step, 'kill -9 $PPID')
    const { body: move } = await call('POST', moves, { destination_storage_name: destination })
    const [, signal] = await once(startChild(t, world, ['workers/main.ts', 'storage-moves'], env), 'exit')

    t.equal(signal, 'SIGKILL', step)
    t.equal((await state(move.id)).state, 'started')
    t.equal(await head(), commit, 'it is read')
    t.equal((await find()).storage, source)
    await fork().nativeUpdate(StorageMove, { id: move.id }, { updatedAt: new Date(0) })
    await run(move.id)
    t.equal((await state(move.id)).state, 'finished')
    await world.isWhole(t, destination)
  }
})

onBothBackends(t, 'a move whose job failed without a trace begins after an hour', async (t, kind) => {
  const { schedule, state, find, fork, platform, work } = await openProject(t, kind)
  const failing = handle(moveRepository, async () => {
    throw new InvalidPayload('no key decrypts it')
  })
  const worker = await work('storage-moves', [failing])
  const { id } = await schedule()

  await eventually(() => platform.queues.get('storage-moves').getFailedCount(), 'its job has failed')
  await worker.close(1000)
  t.equal((await find()).isReadOnly, true)
  await fork().nativeUpdate(StorageMove, { id }, { updatedAt: new Date(Date.now() - 2 * 3600_000) })
  for (let n = 0; n < 2; n++) await resume(fork(), platform.queues)
  t.equal(await platform.queues.get('storage-moves').getWaitingCount(), 1, 'twice is once')
  await work('storage-moves')
  await eventually(async () => (await state(id)).state === 'finished', 'it has moved')
})

t.test('a repository that vanishes during its move: the move fails, and says so', async t => {
  const interrupted = await interruptedGit(t)
  const { commit, find, git, schedule, run, state, directory } = await someStorages(t, 'postgres', { PATH: interrupted.path })

  await commit()
  const source = git.storages.directory(await find())

  for (const step of ['fetch', 'fsck']) {
    execFileSync('cp', ['-r', source, `${directory}/saved`])
    await interrupted.before(step, `rm -r ${source}`)
    const { id } = await schedule()

    await run(id)
    t.hasStrict(await state(id), { state: 'failed' }, step)
    t.ok((await state(id)).error_message.length > 10)
    t.hasStrict(await find(), { storage: 'near', isReadOnly: false })
    t.same(await repositoriesIn(join(directory, 'far')), [], 'no copy is left')
    execFileSync('mv', [`${directory}/saved`, source])
  }
  const { id } = await schedule()

  await run(id)
  t.equal((await state(id)).state, 'finished')
})

const skip = spawnSync('unshare', ['--mount', 'true']).status === 0 ? false : 'only root may mount'

/** A small disk, or one that cannot be written. */
function mount(t: Test, directory: string, option: 'size=1m' | 'ro') {
  mkdirSync(directory, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', option, 'tmpfs', directory])
  t.teardown(() => spawnSync('umount', [directory]))
}

t.test('a full disk: the move fails, and succeeds when there is room', { skip }, async t => {
  const far = join(await openDirectory(t), 'far')

  mount(t, far, 'size=1m')
  const near = join(await openDirectory(t), 'near')
  const world = await openProject(t, 'postgres', { REPOSITORY_STORAGES: `near:${near},far:${far}` })
  const { schedule, run, state, find } = world
  const { id: first } = await schedule()

  await run(first)
  t.equal((await state(first)).state, 'failed')
  t.match((await state(first)).error_message, /^git fetch: .*No space left on device/)
  t.hasStrict(await find(), { storage: 'near', isReadOnly: false })
  t.same(await repositoriesIn(far), [], 'no copy is left')
  execFileSync('mount', ['-o', 'remount,size=50m', far])
  const { id: second } = await schedule()

  await run(second)
  t.equal((await state(second)).state, 'finished')
  t.equal((await repositoriesIn(far)).length, 1)
  t.same(await repositoriesIn(near), [])
})

t.test('a storage that cannot be written: the move fails, and says so', { skip }, async t => {
  const world = await openProject(t)
  const { schedule, run, state, directory } = world

  mount(t, join(directory, 'far'), 'ro')
  const { id: first } = await schedule()

  await run(first)
  execFileSync('umount', [join(directory, 'far')])
  t.hasStrict(await state(first), { state: 'failed' })
  t.match((await state(first)).error_message, /EROFS: read-only file system/)
  await world.isWhole(t, 'near')
  const { id: second } = await schedule()

  await run(second)
  await world.isWhole(t, 'far')
})
