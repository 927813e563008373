import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Unavailable } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Git } from '#platform/git/git.ts'
import { Repository } from './repository.ts'

/** The directory of a repository. Undefined as long as nothing was written to it. Throws when it is missing from its storage. */
export async function openRepository({ storages }: Git, repository: Repository) {
  if (!repository.isInitialized) return undefined
  const directory = storages.directory(repository)

  if (!(await isDirectory(directory))) throw new RepositoryMissing(repository.storage)

  return directory
}

/** As `openRepository`, but creates the directory. Call it within `writeToRepository`. Idempotent. */
export async function initializeRepository(em: EntityManager, git: Git, repository: Repository, defaultBranch: string) {
  const existing = await openRepository(git, repository)

  if (existing) return existing
  const directory = git.storages.directory(repository)

  if (!(await isDirectory(directory))) await createRepositoryDirectory(git, directory, defaultBranch)
  await em.nativeUpdate(Repository, { id: repository.id }, { isInitialized: true })
  repository.isInitialized = true

  return directory
}

/** Atomic: a process that ends midway leaves only a directory with another name. */
export async function createRepositoryDirectory(git: Git, directory: string, defaultBranch: string) {
  const partial = `${directory}.${process.pid}.${performance.now()}.part`

  await mkdir(dirname(directory), { recursive: true, mode: 0o700 })
  await mkdir(partial, { mode: 0o700 })
  await git.init(partial, defaultBranch)
  // Another request may have been faster.
  await rename(partial, directory).catch(() => rm(partial, { recursive: true, force: true }))
}

async function isDirectory(path: string) {
  const found = await stat(path).catch(() => undefined)

  return found?.isDirectory() ?? false
}

/** The storage does not have the repository that it should have: it is not mounted, or files were deleted. */
export class RepositoryMissing extends Unavailable {
  override code = 'repository_missing'

  constructor(storage: string) {
    super(30, `the repository is missing from the storage ${storage}`)
  }
}
