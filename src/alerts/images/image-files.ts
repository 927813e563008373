import { randomBytes } from 'node:crypto'
import { mkdir, open, opendir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '../../config.ts'

/**
 * Where pictures lie: below `DATA_DIR`, apart from those of other installations that share it. On several machines all web
 * and maintenance processes need the same `DATA_DIR`, such as a mounted volume: a picture that was taken in by one is
 * else not found by the others.
 */
function folderOf({ dataDir, namespace }: Config) {
  return join(dataDir, 'uploads', namespace, 'metric-images')
}

/** A name that nobody has, in one of 256 folders. */
export function newFileName() {
  const name = randomBytes(16).toString('hex')

  return `${name.slice(0, 2)}/${name}`
}

/** Whole, or not at all: it gets its name once it is on the disk. */
export async function writeImage(config: Config, name: string, data: Buffer) {
  const path = join(folderOf(config), name)
  const unfinished = `${path}.part`

  await mkdir(dirname(path), { recursive: true })
  const file = await open(unfinished, 'wx', 0o600)

  try {
    await file.writeFile(data)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(unfinished, path)
}

/** Nothing when it is not there. */
export async function readImage(config: Config, name: string) {
  return readFile(join(folderOf(config), name)).catch(goneIs(undefined))
}

export async function removeImage(config: Config, name: string) {
  await rm(join(folderOf(config), name), { force: true })
}

/** The names of files that have been there since before, folder by folder. */
export async function* imagesBefore(config: Config, before: Date) {
  const root = folderOf(config)

  for await (const folder of entriesOf(root)) {
    const names: string[] = []

    for await (const { name } of entriesOf(join(root, folder.name))) {
      const { mtime = before } = (await stat(join(root, folder.name, name)).catch(goneIs(undefined))) ?? {}

      if (mtime < before) names.push(`${folder.name}/${name}`)
    }
    if (names.length > 0) yield names
  }
}

async function* entriesOf(folder: string) {
  const entries = await opendir(folder).catch(goneIs(undefined))

  if (entries) yield* entries
}

function goneIs<T>(instead: T) {
  return (error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return instead
    throw error
  }
}
