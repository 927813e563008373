import type { EntityManager } from '#platform/database/database.ts'
import type { Git } from '#platform/git/git.ts'
import { GitFailed, GitTimedOut } from '#platform/git/git-errors.ts'
import { listWritten, markMaintained, type WrittenRepository } from './maintenance-store.ts'
import { measureRepository } from './measure.ts'
import { holdRepository, RepositoryReadOnly } from './write-to-repository.ts'

interface Deps {
  fork: () => EntityManager
  git: Git
}

const perRun = 200
const packTimeoutMs = 600_000
/** Git packs a repository with so many loose objects or packs. */
const packLimits = ['gc.auto=2000', 'gc.autoPackLimit=40', 'gc.autoDetach=false'].flatMap(setting => ['-c', setting])

/** Measures the repositories that were written to, and packs those that have become slow. Idempotent. */
export async function maintainWritten({ fork, git }: Deps, signal: AbortSignal) {
  for (const repository of await listWritten(fork(), perRun)) {
    if (signal.aborted) return
    await maintain({ fork, git }, repository, signal)
  }
}

async function maintain({ fork, git }: Deps, repository: WrittenRepository, signal: AbortSignal) {
  const directory = git.storages.directory(repository)

  try {
    // A move waits until it is packed.
    await holdRepository(fork, repository.id, () => pack(git, directory, signal))
    await markMaintained(fork(), repository, await measureRepository(git, directory, repository.branch))
  } catch (error) {
    if (error instanceof RepositoryReadOnly) return
    // Its storage may be away, or the repository was deleted: the next write tries again.
    if (!isMissing(error)) throw error
    await markMaintained(fork(), repository)
  }
}

/** Unreachable objects are kept for two weeks, so pushes may go on meanwhile. */
async function pack(git: Git, directory: string, signal: AbortSignal) {
  try {
    await git.run(directory, [...packLimits, 'gc', '--auto', '--quiet'], { timeoutMs: packTimeoutMs, signal })
  } catch (error) {
    // It works unpacked, only slower.
    if (!(error instanceof GitFailed || error instanceof GitTimedOut)) throw error
  }
}

function isMissing(error: unknown) {
  return (error as { code?: unknown }).code === 'ENOENT' || (error as { code?: unknown }).code === 'unknown_storage'
}
