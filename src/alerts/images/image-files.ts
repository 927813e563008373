import { randomBytes } from 'node:crypto'
import { mkdir, open, opendir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '../../config.ts'

/**
 * Namespaces keep installations that share a `DATA_DIR` apart. On several machines all web and maintenance processes need the
 * same `DATA_DIR`, such as a mounted volume.
 */
function folderOf({ dataDir, namespace }: Config) {
  return join(dataDir, 'uploads', namespace, 'metric-images')
}

/** A random name in one of 256 folders. */
export function newFileName() {
  const name = randomBytes(16).toString('hex')

  return `${name.slice(0, 2)}/${name}`
}

/** Atomic: renames the file once it is on the disk. */
export async function writeImage(config: Config, name: string, data: Buffer) {
  const path = join(folderOf(config), name)
  const partial = `${path}.part`

  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = await open(partial, 'wx', 0o600)

  try {
    await file.writeFile(data)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(partial, path)
}

/** Undefined when there is no such file. */
export async function readImage(config: Config, name: string) {
  return readFile(join(folderOf(config), name)).catch(ignoreMissing)
}

export async function removeImage(config: Config, name: string) {
  await rm(join(folderOf(config), name), { force: true })
}

/** The names of files last modified before, folder by folder. */
export async function* imagesBefore(config: Config, before: Date) {
  const root = folderOf(config)

  for await (const folder of entriesOf(root)) {
    const names: string[] = []

    for await (const { name } of entriesOf(join(root, folder.name))) {
      const { mtime = before } = (await stat(join(root, folder.name, name)).catch(ignoreMissing)) ?? {}

      if (mtime < before) names.push(`${folder.name}/${name}`)
    }
    if (names.length > 0) yield names
  }
}

async function* entriesOf(folder: string) {
  const entries = await opendir(folder).catch(ignoreMissing)

  if (entries) yield* entries
}

function ignoreMissing(error: NodeJS.ErrnoException) {
  if (error.code === 'ENOENT') return undefined
  throw error
}
