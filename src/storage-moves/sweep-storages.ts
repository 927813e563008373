import { opendir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { EntityManager } from '#platform/database/database.ts'
import type { Storages } from '#platform/git/storages.ts'
import { deleteDirectory } from './copy-repository.ts'
import { findUsedPaths } from './move-store.ts'

const orphanAgeMs = 86_400_000

/** Deletes directories that no repository has: it was deleted, or a process ended midway. A storage that cannot be read is skipped. */
export async function deleteOrphanRepositories(em: EntityManager, storages: Storages, at: Date, signal: AbortSignal) {
  for (const storage of storages.names) {
    const root = storages.folder(storage)

    for await (const folder of foldersIn(root)) {
      signal.throwIfAborted()
      const old = await directoriesBefore(root, folder, new Date(at.getTime() - orphanAgeMs))
      const used = await findUsedPaths(em, storage, old)

      for (const path of old) if (!used.has(path)) await deleteDirectory(join(root, path))
    }
  }
}

/** `ab/cd`, the second level of the tree. */
async function* foldersIn(root: string) {
  for await (const outer of entriesOf(root)) {
    for await (const inner of entriesOf(join(root, outer))) yield join(outer, inner)
  }
}

/** Paths of directories last changed before. */
async function directoriesBefore(root: string, folder: string, before: Date) {
  const paths: string[] = []

  for await (const name of entriesOf(join(root, folder))) {
    const found = await stat(join(root, folder, name)).catch(() => undefined)

    if (found?.isDirectory() && found.mtime < before) paths.push(join(folder, name))
  }

  return paths
}

async function* entriesOf(folder: string) {
  const entries = await opendir(folder).catch(() => undefined)

  if (entries) for await (const { name } of entries) yield name
}
