import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { appendFile, mkdir, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type pg from 'pg'
import type { Git } from '../git/git.ts'
import type { ArchiveEntry } from './archive.ts'

interface RepositoryRow {
  id: number
  storage: string
  path: string
}

type Print = (line: string) => void

const partBytes = 4 * 1024 * 1024
const fetching = { timeoutMs: 12 * 3600_000, env: { GIT_ALLOW_PROTOCOL: 'file' } }

/**
 * The repositories, each as the parts of a git bundle and then its HEAD. They are written after the rows, so that pushes which the
 * rows know are in them.
 */
export async function* repositoriesOf(client: pg.Client, namespace: string, git: Git, print: Print): AsyncGenerator<ArchiveEntry> {
  if (!(await hasRepositories(client, namespace))) return
  const { rows } = await client.query(`SELECT id FROM "${namespace}".repositories WHERE is_initialized ORDER BY id`)
  let count = 0

  for (const { id } of rows) {
    const directory = await locate(client, namespace, git, id)

    if (directory) {
      count++
      yield* bundleOf(git, directory, id)
    } else print(`WARNING: repository ${id} is missing from its storage, and not in the backup.`)
  }
  print(`${count} repositories`)
}

/** False for a backup of an older release. */
async function hasRepositories(client: pg.Client, namespace: string) {
  const { rows } = await client.query('SELECT to_regclass($1) AS repositories', [`"${namespace}".repositories`])

  return rows[0].repositories !== null
}

/** Looks twice: the repository may move to another storage meanwhile. */
async function locate(client: pg.Client, namespace: string, { storages }: Git, id: number) {
  for (const _attempt of [1, 2]) {
    const row = await findRow(client, namespace, id)

    if (!row) return undefined
    if (storages.has(row.storage) && existsSync(storages.directory(row))) return storages.directory(row)
  }

  return undefined
}

async function findRow(client: pg.Client, namespace: string, id: number): Promise<RepositoryRow | undefined> {
  const { rows } = await client.query(`SELECT id, storage, path FROM "${namespace}".repositories WHERE id = $1`, [id])

  return rows[0]
}

async function* bundleOf(git: Git, directory: string, id: number): AsyncGenerator<ArchiveEntry> {
  if (await git.text(directory, ['for-each-ref', '--count=1'])) yield* partsOf(git, directory, id)
  yield { name: `repositories/${id}/HEAD`, data: await git.run(directory, ['symbolic-ref', 'HEAD']) }
}

async function* partsOf(git: Git, directory: string, id: number): AsyncGenerator<ArchiveEntry> {
  const child = git.start(directory, ['bundle', 'create', '--quiet', '-', '--all'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  let [bytes, part] = [0, 0]
  let chunks: Buffer[] = []

  for await (const chunk of child.stdout!) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes < partBytes) continue
    yield { name: `repositories/${id}/${part++}`, data: Buffer.concat(chunks) }
    chunks = []
    bytes = 0
  }
  if (bytes > 0) yield { name: `repositories/${id}/${part}`, data: Buffer.concat(chunks) }
  const [code] = await closed

  if (code !== 0) throw new Error(`git bundle failed for repository ${id}.`)
}

/** Rows of storages that this installation does not have lie on its first one from now on. */
export async function adoptStorages(client: pg.Client, namespace: string, { storages }: Git) {
  await client.query(`UPDATE "${namespace}".repositories SET storage = $1, is_read_only = false WHERE storage <> ALL ($2::text[])`, [
    storages.names[0],
    storages.names
  ])
}

/** Takes the parts of a bundle; with HEAD, which comes last, the repository is made. A part may come again after a failed restore. */
export async function restoreRepository(client: pg.Client, namespace: string, git: Git, { name, data }: ArchiveEntry) {
  const [, id, part] = /^repositories\/(\d+)\/(\d+|HEAD)$/.exec(name) ?? []
  const row = id && (await findRow(client, namespace, Number(id)))

  if (!row) throw new Error(`The backup contains a repository without a row: ${name}`)
  const directory = git.storages.directory(row)
  const bundle = `${directory}.bundle`

  await mkdir(dirname(directory), { recursive: true, mode: 0o700 })
  if (part === '0') await rm(bundle, { force: true })
  if (part !== 'HEAD') return appendFile(bundle, data, { mode: 0o600 })
  await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { mode: 0o700 })
  await git.init(directory)
  if (existsSync(bundle)) await git.run(directory, ['fetch', '--quiet', '--', bundle, '+refs/*:refs/*'], fetching)
  await git.run(directory, ['symbolic-ref', 'HEAD', data.toString().trim()])
  await rm(bundle, { force: true })
}
