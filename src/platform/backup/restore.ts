import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { connectionOptions } from '../database/database.ts'
import { availableMigrations, runMigrations } from '../database/migrate.ts'
import { Git } from '../git/git.ts'
import { migratePostgresQueues, queueSchema } from '../queue/backends/postgres-schema.ts'
import { type ArchiveEntry, readArchive } from './archive.ts'
import type { BackupOptions, Manifest } from './back-up.ts'
import { foreignKeys, qualified, schemaOf, type Table } from './catalog.ts'
import { copyIn } from './copy.ts'
import { adoptStorages, restoreRepository } from './repositories.ts'

type Print = (line: string) => void

/** Restores a backup into an empty installation of the same or a newer release. A failed restore can be repeated. */
export async function restore(config: BackupOptions, file: string, print: Print = () => {}) {
  const entries = readArchive(file)
  const manifest = await readManifest(entries, file)
  const { max, ...options } = connectionOptions(config)
  const client = new pg.Client(options)

  client.on('error', () => {})
  checkRelease(config, manifest)
  await client.connect()
  try {
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [`${config.namespace} migrations`])
    await checkEmpty(config, client)
    print(`restoring the backup of ${manifest.createdAt}`)
    await createSchemas(config, client, manifest)
    await load(config, client, manifest, entries, print)
    await runMigrations(config)
    print('restored')
  } finally {
    // Closing the connection releases the lock.
    await client.end()
  }
}

async function readManifest(entries: AsyncGenerator<ArchiveEntry>, file: string): Promise<Manifest> {
  const { value } = await entries.next().catch(error => {
    throw new Error(`${file} cannot be read: ${error.message}`)
  })

  if (value?.name !== 'manifest.json') throw new Error(`${file} is not a backup of Tocsin.`)

  return JSON.parse(value.data.toString())
}

function checkRelease(config: BackupOptions, { format, migrations, tables }: Manifest) {
  const available = availableMigrations()

  if (format !== 1 || !migrations.every(name => available.includes(name)))
    throw new Error('The backup was made by a newer release of Tocsin. Restore it with that release.')
  if (config.redisUrl && tables.some(({ part }) => part === 'queue'))
    throw new Error('The backup contains queues in Postgres. Restore it without REDIS_URL, and set REDIS_URL once all queues are empty.')
}

/** Without users there is no data. */
async function checkEmpty({ namespace }: BackupOptions, client: pg.Client) {
  const { rows } = await client.query(`SELECT to_regclass($1) AS users`, [`"${namespace}".users`])

  if (!rows[0].users) return
  const { rowCount } = await client.query(`SELECT FROM "${namespace}".users LIMIT 1`)

  if (rowCount)
    throw new Error(
      'This installation has data, which a restore would replace. Stop Tocsin and restore into an empty one: ' +
        'set another DATA_DIR (embedded Postgres), DATABASE_URL or NAMESPACE.'
    )
}

async function createSchemas(config: BackupOptions, client: pg.Client, { migrations }: Manifest) {
  await client.query(`DROP SCHEMA IF EXISTS "${config.namespace}" CASCADE`)
  await client.query(`DROP SCHEMA IF EXISTS "${queueSchema(config)}" CASCADE`)
  await client.query(`CREATE SCHEMA "${config.namespace}"`)
  await runMigrations(config, migrations)
  if (!config.redisUrl) await migratePostgresQueues(config, client)
}

/** One transaction: a failed restore leaves the tables empty. */
async function load(config: BackupOptions, client: pg.Client, manifest: Manifest, entries: AsyncGenerator<ArchiveEntry>, print: Print) {
  const { namespace } = config
  const { tables, sequences } = manifest
  const named = (table: Table) => qualified(namespace, table)

  await client.query('BEGIN')
  for (const table of tables) if (table.parent) await createPartition(client, namespace, table)
  const keys = await foreignKeys(client, namespace)

  for (const statement of keys.drop) await client.query(statement)
  for (const table of tables) await client.query(`ALTER TABLE ${named(table)} DISABLE TRIGGER USER`)
  // Migrations may have inserted rows.
  await client.query(`TRUNCATE ${tables.map(named).join()}`)
  const counts = await loadEntries(config, client, manifest, entries, print)

  await checkCounts(client, namespace, tables, counts, print)
  for (const table of tables) await client.query(`ALTER TABLE ${named(table)} ENABLE TRIGGER USER`)
  for (const statement of keys.add) await client.query(statement)
  for (const sequence of sequences) await client.query('SELECT setval($1, $2)', [qualified(namespace, sequence), sequence.last])
  await client.query('COMMIT')
}

async function createPartition(client: pg.Client, namespace: string, { part, name, parent, bound }: Table) {
  const schema = `"${schemaOf(namespace, part)}"`

  await client.query(`CREATE TABLE ${schema}."${name}" (LIKE ${schema}."${parent}" INCLUDING ALL)`)
  await client.query(`ALTER TABLE ${schema}."${parent}" ATTACH PARTITION ${schema}."${name}" ${bound}`)
}

/** Loads the rows and the files; returns the counts at the end of the archive. */
async function loadEntries(
  config: BackupOptions,
  client: pg.Client,
  { tables }: Manifest,
  entries: AsyncGenerator<ArchiveEntry>,
  print: Print
) {
  const git = new Git(config.git)
  const byName = new Map(tables.map(table => [`tables/${table.part}/${table.name}`, table]))
  let counts: Record<string, number> | undefined

  for await (const { name, data } of entries) {
    const table = byName.get(dirname(name))

    if (table) {
      await copyIn(client, `COPY ${qualified(config.namespace, table)} (${table.columns}) FROM STDIN`, data)
      if (table.name === 'repositories') await adoptStorages(client, config.namespace, git)
    } else if (name === 'secret.key') await writeKey(config, data, print)
    else if (name.startsWith('files/')) await writeUpload(config, name.slice('files/'.length), data)
    else if (name.startsWith('repositories/')) await restoreRepository(client, config.namespace, git, { name, data })
    else if (name === 'counts.json') counts = JSON.parse(data.toString())
  }
  if (!counts) throw new Error('The backup is incomplete.')

  return counts
}

async function checkCounts(client: pg.Client, namespace: string, tables: Table[], counts: Record<string, number>, print: Print) {
  for (const table of tables) {
    const key = `${table.part}/${table.name}`
    const { rows } = await client.query(`SELECT count(*)::int AS count FROM ${qualified(namespace, table)}`)

    if (rows[0].count !== counts[key]) throw new Error(`${key} has ${rows[0].count} rows instead of ${counts[key]}.`)
    print(`${key}: ${counts[key]} rows`)
  }
}

async function writeKey({ dataDir, secretKey }: BackupOptions, key: Buffer, print: Print) {
  const path = join(dataDir, 'secret.key')
  const present = await readFile(path).catch(() => undefined)

  if (present && !present.equals(key))
    throw new Error(`${path} is another key than that of the backup. Move it away, or set another DATA_DIR.`)
  await writeFile(path, key, { mode: 0o600 })
  if (secretKey !== undefined && secretKey !== String(key)) print(`The key of the backup is in ${path}: SECRET_KEY=$(cat ${path})`)
}

async function writeUpload({ dataDir, namespace }: BackupOptions, name: string, data: Buffer) {
  const folder = join(dataDir, 'uploads', namespace)
  const path = join(folder, name)

  if (!path.startsWith(`${folder}/`)) throw new Error(`The backup contains a file outside of its folder: ${name}`)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, data, { mode: 0o600 })
}
