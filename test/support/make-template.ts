import { pino } from 'pino'
import { boot } from '#boot.ts'
import { seedInstallation } from '#seed-installation.ts'
import { configFor } from './config.ts'
import { databaseUrl, onDatabase, templateName, templateNamespace, urlOf } from './databases.ts'

/** Makes the database that the worlds of all tests are copies of. `npm test` runs it first. */
await onDatabase(databaseUrl, client => client.query(`CREATE DATABASE ${templateName}`))
const config = configFor('postgres', templateNamespace, { DATABASE_URL: urlOf(templateName) })
const platform = await boot(config, { role: 'web', log: pino({ level: 'silent' }) })

await seedInstallation(platform)
// A world may have a key of its own.
await platform.pool.query('DELETE FROM secret_key')
await platform.close()
