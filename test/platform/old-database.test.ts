import t from 'tap'
import { migrate } from '#platform/database/migrate.ts'
import { OldDatabase, requireVersion } from '#platform/database/require-version.ts'
import { openWorld } from '../support/world.ts'

t.test('a Postgres that is too old for the migrations is refused with its version', async t => {
  const { platform } = await openWorld(t)
  const shown = (version: string) => ({
    query: (text: string) => platform.pool.query(text.replace(/current_setting\(.*?\)/, `'${version}'`))
  })

  await requireVersion(platform.pool)
  for (const version of ['15.0', '18beta1', '140.2']) await requireVersion(shown(version) as never)
  for (const version of ['14.19 (Debian 14.19-1.pgdg13+1)', '9.6.24']) {
    await t.rejects(requireVersion(shown(version) as never), new OldDatabase(version))
  }
})

t.test('a database that a newer release has migrated is refused and not migrated', async t => {
  const { config, platform } = await openWorld(t, { isPrivate: true })
  const infos: unknown[] = []
  const log = { info: (text: unknown) => infos.push(text) } as never

  await platform.pool.query(`DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations)`)
  await platform.pool.query(`INSERT INTO migrations (name) VALUES ('29991231_later'), ('29991231_latest.ts')`)

  await t.rejects(migrate(config, platform.pool, log), {
    name: 'NewerDatabase',
    message: /^The database was migrated by a newer release of Tocsin \(29991231_later, 29991231_latest\)\. Start that release; /
  })
  t.same(infos, [])
})

t.test('a database of a development version is refused with what to do instead', async t => {
  const { config, platform } = await openWorld(t, { isPrivate: true })

  await platform.pool.query(`UPDATE migrations SET name = '20261120_ground_floor' WHERE id = (SELECT min(id) FROM migrations)`)
  await t.rejects(migrate(config, platform.pool, { info: () => {} } as never), {
    name: 'DevelopmentDatabase',
    message: /cannot be migrated\. Start with an empty one: set another DATA_DIR or DATABASE_URL, or delete the former\.$/
  })
})
