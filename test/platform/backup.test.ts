import { readFileSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import t, { type Test } from 'tap'
import type { Platform } from '#boot.ts'
import { avatarFiles } from '#platform/avatars.ts'
import { backUp } from '#platform/backup/back-up.ts'
import { restore } from '#platform/backup/restore.ts'
import { decrypt, encrypt } from '#platform/database/encryption.ts'
import { availableMigrations, runMigrations } from '#platform/database/migrate.ts'
import { findRepository } from '#repositories/find-repository.ts'
import { initializeRepository, openRepository } from '#repositories/open-repository.ts'
import { dropSchemas } from '../support/databases.ts'
import { anEnvelope, anException, openProject } from '../support/factories.ts'
import { commitTo } from '../support/repositories.ts'
import { configFor, databaseUrl, eventually, newNamespace, onBothBackends, openApp, type QueueKind } from '../support/world.ts'

/** Another installation in the same database. */
function anotherInstallation(t: Test, dir: string, kind: QueueKind = 'postgres') {
  const namespace = newNamespace()

  t.teardown(() => dropSchemas(namespace))

  return configFor(kind, namespace, { DATA_DIR: join(dir, 'other') })
}

function withoutStats({ stats, ...error }: Record<string, unknown>) {
  return error
}

onBothBackends(t, 'a restored installation has the rows, files, key and ids of the backup', async (t, kind) => {
  const dir = t.testdir({ data: {}, other: {} })
  const { config, call, project, send, untilStored } = await openProject(t, { kind, env: { DATA_DIR: join(dir, 'data') } })
  const file = join(dir, 'tocsin.tar.gz')

  await send(anEnvelope(anException()))
  const errors = await untilStored(1)
  await call('POST', `/projects/${project.id}/issues`, { title: 'a\tb\\n\nc' })
  const image = await avatarFiles(config, 'user').write(Buffer.from('png'))
  const sealed = await encrypt(config, 'a token', 'owner')

  await backUp(config, file)
  t.equal(statSync(file).mode & 0o777, 0o600)

  const target = anotherInstallation(t, dir, kind)

  await restore(target, file)
  const restored = await openApp(t, { kind, namespace: target.namespace, env: { DATA_DIR: target.dataDir } })

  // The hourly counts depend on the hour of the request.
  t.same((await restored.call('GET', `/projects/${project.id}/error_tracking/errors`)).body.map(withoutStats), errors.map(withoutStats))
  t.equal((await restored.call('GET', `/projects/${project.id}/issues/1`)).body.title, 'a\tb\\n\nc')
  t.equal((await restored.call('POST', '/projects', { name: 'Next' })).body.id, project.id + 1)
  t.equal(String(await avatarFiles(target, 'user').read(image)), 'png')
  t.equal(await decrypt(target, sealed, 'owner'), 'a token')
})

t.test('repositories are restored, on the first storage when theirs is missing', async t => {
  const dir = t.testdir({ data: {}, other: {} })
  const file = join(dir, 'tocsin.tar.gz')
  const { config, call, platform } = await openApp(t, { env: { DATA_DIR: join(dir, 'data'), REPOSITORY_STORAGES: `far:${dir}/far` } })
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const { body: empty } = await call('POST', '/projects', { name: 'Empty' })
  const commit = await commitTo(platform, project.id)

  await initializeRepository(platform.fork(), platform.git, await findRepository(platform.fork(), { projectId: empty.id }), 'main')
  await backUp(config, file)
  const target = anotherInstallation(t, dir)

  await restore(target, file)
  const { platform: restored } = await openApp(t, { namespace: target.namespace, env: { DATA_DIR: target.dataDir } })
  const repository = await findRepository(restored.fork(), { projectId: project.id })
  const directory = (await openRepository(restored.git, repository))!

  t.equal(repository.storage, 'default')
  t.equal(await restored.git.text(directory, ['rev-parse', 'main']), commit)
  t.equal(await restored.git.text(directory, ['symbolic-ref', 'HEAD']), 'refs/heads/main')
  t.type(await openRepository(restored.git, await findRepository(restored.fork(), { projectId: empty.id })), 'string')
})

t.test('jobs that wait in Postgres are restored and processed', async t => {
  const dir = t.testdir({ data: {}, other: {} })
  const file = join(dir, 'tocsin.tar.gz')
  const { config, platform, send, worker } = await openProject(t, { env: { DATA_DIR: join(dir, 'data') } })

  await worker.close(5000)
  t.equal((await send(anEnvelope(anException()))).statusCode, 200)
  t.equal(await waitingIn(platform), 1)
  await backUp(config, file)

  const target = anotherInstallation(t, dir)

  await restore(target, file)
  const restored = await openApp(t, { namespace: target.namespace, env: { DATA_DIR: target.dataDir } })

  t.equal(await waitingIn(restored.platform), 1)
  await restored.work('errors')
  await eventually(async () => (await waitingIn(restored.platform)) === 0, 'the job is processed')
})

async function waitingIn({ queues }: Platform) {
  return queues.get('errors').getJobCountByTypes('waiting', 'active', 'prioritized')
}

t.test('a backup of an older release is migrated to this one', async t => {
  const dir = t.testdir()
  const old = anotherInstallation(t, dir)
  const target = anotherInstallation(t, dir)
  const file = join(dir, 'old.tar.gz')
  const migrations = availableMigrations()
  const client = new pg.Client(databaseUrl)

  await client.connect()
  t.teardown(() => client.end())
  await client.query(`CREATE SCHEMA "${old.namespace}"`)
  await runMigrations(old, migrations.slice(0, 1 + migrations.findIndex(name => name.endsWith('_errors'))))
  await client.query(`SET search_path = "${old.namespace}"; INSERT INTO error_dropped_counts VALUES (1, '2026-01-01', 'error', 'rate', 7)`)
  await backUp(old, file)
  await restore(target, file)
  const { rows } = await client.query(`SELECT items::int FROM "${target.namespace}".error_dropped_counts`)
  const { rows: applied } = await client.query(`SELECT name FROM "${target.namespace}".migrations ORDER BY id`)

  t.same(rows, [{ items: 7 }])
  t.same(
    applied.map(({ name }) => name),
    migrations
  )
})

t.test('a restore refuses an installation with data, an incomplete file and a backup of a newer release', async t => {
  const dir = t.testdir({ data: {}, other: {} })
  const file = join(dir, 'tocsin.tar.gz')
  const newer = join(dir, 'newer.tar.gz')
  const { config, platform } = await openApp(t, { env: { DATA_DIR: join(dir, 'data') } })

  await backUp(config, file)
  await t.rejects(backUp(config, file), { message: `${file} exists already; choose another name.` })
  await t.rejects(restore(config, file), { message: /^This installation has data, which a restore would replace\./ })

  const target = anotherInstallation(t, dir)

  truncateSync(file, readFileSync(file).length - 200)
  await t.rejects(restore(target, file))
  const restored = await openApp(t, { namespace: target.namespace })

  t.equal((await restored.platform.pool.query('SELECT FROM users')).rowCount, 1, 'only the first admin of a new installation')

  await platform.pool.query(`INSERT INTO migrations (name) VALUES ('29991231_later')`)
  await backUp(config, newer)
  await platform.pool.query(`DELETE FROM migrations WHERE name = '29991231_later'`)
  await t.rejects(restore(target, newer), { message: /^The backup was made by a newer release/ })
})
