import t from 'tap'
import { OldDatabase, requireVersion } from '../../src/platform/database/require-version.ts'
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
