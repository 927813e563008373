import { setTimeout as sleep } from 'node:timers/promises'
import type { EntityManager } from '#platform/database/database.ts'
import type { Git } from '#platform/git/git.ts'
import { isUnavailable } from '#platform/problems.ts'
import { openRepository } from '#repositories/open-repository.ts'
import { Repository } from '#repositories/repository.ts'
import { countWrites } from '#repositories/write-store.ts'
import { copyRepository, deleteDirectory } from './copy-repository.ts'
import { type Attempt, beginAttempt, endMove, failMove, switchStorage, touchMove } from './move-steps.ts'

export interface MoveDeps {
  git: Git
  fork: () => EntityManager
  signal: AbortSignal
}

const touchMs = 3000
const pollMs = 500
const longestWriteMs = 2 * 3600_000

/**
 * Moves a repository: waits for writes in progress, copies, verifies, switches to the copy, deletes the original. Can be
 * killed at any point and run again: the repository is where its row says, and an attempt that was overtaken changes nothing.
 */
export async function carryOutMove(deps: MoveDeps, moveId: number, attemptsSoFar: number) {
  const attempt = await beginAttempt(deps.fork(), moveId, attemptsSoFar, new Date())

  if (!attempt) return
  const timer = setInterval(() => touchMove(deps.fork(), attempt).catch(() => {}), touchMs)

  try {
    if (attempt.state === 'started' && !(await replicate(deps, attempt))) return
    await cleanUp(deps, attempt)
  } finally {
    clearInterval(timer)
  }
}

/** True once the repository lies on its new storage. */
async function replicate(deps: MoveDeps, attempt: Attempt) {
  try {
    await deleteAbandoned(deps, attempt)
    await waitForWrites(deps, attempt)
    await copy(deps, attempt)
    if (await switchStorage(deps.fork(), attempt, new Date())) return true
    await deleteCopy(deps, attempt)
  } catch (error) {
    await deleteCopy(deps, attempt).catch(() => {})
    // The job runs again.
    if (deps.signal.aborted || (isUnavailable(error) && !isFileMissing(error))) throw error
    await failMove(deps.fork(), attempt, error, new Date())
  }

  return false
}

/** Not the socket of a server that is away. */
function isFileMissing(error: unknown) {
  const { code, syscall } = error as NodeJS.ErrnoException

  return code === 'ENOENT' && syscall !== 'connect'
}

async function deleteAbandoned({ git }: MoveDeps, { destination, abandonedPaths }: Attempt) {
  for (const path of abandonedPaths) await deleteDirectory(git.storages.directory({ ...destination, path }))
}

async function waitForWrites({ fork, signal }: MoveDeps, { repositoryId }: Attempt) {
  const deadline = performance.now() + longestWriteMs

  while ((await countWrites(fork(), repositoryId)) > 0) {
    if (performance.now() > deadline) throw new Error('A push did not end within two hours.')
    await sleep(pollMs, undefined, { signal })
  }
}

async function copy({ git, fork, signal }: MoveDeps, { repositoryId, destination }: Attempt) {
  const from = await openRepository(git, await fork().findOneOrFail(Repository, { id: repositoryId }))

  await git.storages.space(destination.storage)
  // Nothing was ever written to it: only the row changes.
  if (from) await copyRepository(git, { from, to: git.storages.directory(destination), signal })
}

async function deleteCopy({ git }: MoveDeps, { destination }: Attempt) {
  await deleteDirectory(git.storages.directory(destination))
}

async function cleanUp(deps: MoveDeps, attempt: Attempt) {
  let failure: unknown

  try {
    await deleteAbandoned(deps, attempt)
    await deleteDirectory(deps.git.storages.directory(attempt.source))
  } catch (error) {
    failure = error
  }
  await endMove(deps.fork(), attempt, failure, new Date())
}
