import { pino } from 'pino'
import t from 'tap'
import { boot } from '#boot.ts'
import type { Config } from '#config.ts'
import { requireSecretKey } from '#platform/database/require-secret-key.ts'
import { openWorld } from '../support/world.ts'

const another = 'the secret key of another installation'
const log = pino({ level: 'silent' })

t.test('a process with another SECRET_KEY than the first one does not start, and says which to set', async t => {
  const { config } = await openWorld(t, { isPrivate: true })
  const start = (config: Config) => boot(config, { role: 'worker', log })

  await t.rejects(start({ ...config, secretKey: another }), {
    name: 'WrongSecretKey',
    message: /^SECRET_KEY is not the key of this installation: .* Set SECRET_KEY to that of the other processes, or restore secret\.key\./
  })
  await t.rejects(start({ ...config, dataDir: t.testdir() }), { name: 'WrongSecretKey', message: /\/secret\.key is not the key of this/ })

  const platform = await start(config)

  await platform.close()
})

t.test('of processes that start at once with different keys, those with the key of the first start', async t => {
  const { config, platform } = await openWorld(t, { isPrivate: true })
  const keys = Array.from({ length: 8 }, (_, n) => `${another} ${n % 2}`)

  await platform.pool.query('DELETE FROM secret_key')
  const outcomes = await Promise.allSettled(keys.map(secretKey => requireSecretKey(platform.pool, { ...config, secretKey })))
  const started = keys.filter((_, n) => outcomes[n]!.status === 'fulfilled')

  t.equal(started.length, 4)
  t.equal(new Set(started).size, 1)
})
