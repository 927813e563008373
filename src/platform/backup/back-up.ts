import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { connectionOptions, type DatabaseOptions } from '../database/database.ts'
import { appliedMigrations } from '../database/migrate.ts'
import { Git, type GitSettings } from '../git/git.ts'
import { type ArchiveEntry, writeArchive } from './archive.ts'
import { listSequences, listTables, qualified, type Sequence, type Table } from './catalog.ts'
import { copyOut } from './copy.ts'
import { repositoriesOf } from './repositories.ts'

export interface BackupOptions extends DatabaseOptions {
  dataDir: string
  redisUrl?: string | undefined
  secretKey?: string | undefined
  git: GitSettings
}

/** The first entry of an archive. The last one is `counts.json`: the rows of each table. */
export interface Manifest {
  format: 1
  createdAt: string
  migrations: string[]
  tables: Table[]
  sequences: Sequence[]
}

const keptBackups = 30

/** For the health page. Fails on a database that is read-only or was not upgraded yet. */
async function recordBackup(client: pg.Client, bytes: number) {
  await client.query('INSERT INTO backups (bytes) VALUES ($1)', [bytes])
  await client.query('DELETE FROM backups WHERE id <= (SELECT id FROM backups ORDER BY id DESC OFFSET $1 LIMIT 1)', [keptBackups])
}

type Print = (line: string) => void

/** Rows are divided into entries of about this size, because the size of an entry is stored before its data. */
const entryBytes = 4 * 1024 * 1024

/** Writes a consistent backup of a running installation: the database, the queues in it, uploaded files, repositories and the secret key. */
export async function backUp(config: BackupOptions, file: string, print: Print = () => {}) {
  if (existsSync(file)) throw new Error(`${file} exists already; choose another name.`)
  const { max, ...options } = connectionOptions(config)
  const client = new pg.Client(options)

  client.on('error', () => {})
  await client.connect()
  try {
    await writeArchive(file, entriesOf(config, client, print))
    await recordBackup(client, (await stat(file)).size).catch(error =>
      print(`The health page does not know of this backup: ${error.message}`)
    )
  } finally {
    await client.end()
  }
  if (config.redisUrl) print('The queues are in Redis: back up its append-only file, too.')
  if (config.secretKey) print('SECRET_KEY is set and not in the backup: keep it in another place.')
}

async function* entriesOf(config: BackupOptions, client: pg.Client, print: Print): AsyncGenerator<ArchiveEntry> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  const tables = await listTables(client, config.namespace)

  if (tables.length === 0) throw new Error('There is no installation in this database.')
  await client.query(`LOCK TABLE ${tables.map(table => qualified(config.namespace, table)).join()} IN ACCESS SHARE MODE`)
  yield json('manifest.json', {
    format: 1,
    createdAt: new Date().toISOString(),
    migrations: await appliedMigrations(client, config.namespace),
    tables,
    // Sequences ignore snapshots, but they only grow.
    sequences: await listSequences(client, config.namespace)
  } satisfies Manifest)

  const counts: Record<string, number> = {}

  for (const table of tables) {
    const key = `${table.part}/${table.name}`

    counts[key] = yield* rowsOf(client, config.namespace, table)
    print(`${key}: ${counts[key]} rows`)
  }
  await client.query('COMMIT')
  yield* filesOf(config, print)
  yield* repositoriesOf(client, config.namespace, new Git(config.git), print)
  yield json('counts.json', counts)
}

async function* rowsOf(client: pg.Client, namespace: string, table: Table): AsyncGenerator<ArchiveEntry, number> {
  const name = `tables/${table.part}/${table.name}`
  let [rows, bytes, part] = [0, 0, 0]
  let chunks: Buffer[] = []

  for await (const row of copyOut(client, `COPY ${qualified(namespace, table)} (${table.columns}) TO STDOUT`)) {
    rows++
    bytes += row.length
    chunks.push(row)
    if (bytes < entryBytes) continue
    yield { name: `${name}/${part++}`, data: Buffer.concat(chunks) }
    chunks = []
    bytes = 0
  }
  if (bytes > 0) yield { name: `${name}/${part}`, data: Buffer.concat(chunks) }

  return rows
}

/** Files are written before the rows that name them, so all files of the snapshot exist. */
async function* filesOf({ dataDir, namespace }: BackupOptions, print: Print): AsyncGenerator<ArchiveEntry> {
  const folder = join(dataDir, 'uploads', namespace)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(ignoreMissing)
  const key = await readFile(join(dataDir, 'secret.key')).catch(ignoreMissing)
  let count = 0

  if (key) yield { name: 'secret.key', data: key }
  for (const entry of entries ?? []) {
    if (!entry.isFile() || entry.name.endsWith('.part')) continue
    const path = join(entry.parentPath, entry.name)
    const data = await readFile(path).catch(ignoreMissing)

    // Deleted meanwhile.
    if (!data) continue
    count++
    yield { name: `files/${path.slice(folder.length + 1)}`, data }
  }
  print(`${count} uploaded files${key ? ', secret.key' : ''}`)
}

function json(name: string, value: unknown) {
  return { name, data: Buffer.from(JSON.stringify(value, null, 2)) }
}

function ignoreMissing(error: NodeJS.ErrnoException) {
  if (error.code === 'ENOENT') return undefined
  throw error
}
