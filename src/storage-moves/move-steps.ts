import { LockMode } from '@mikro-orm/core'
import type { EntityManager } from '#platform/database/database.ts'
import { newRepositoryPath } from '#platform/git/storages.ts'
import { Repository } from '#repositories/repository.ts'
import { StorageMove } from './storage-move.ts'

/** What one worker does about a move. Another attempt makes it void. */
export interface Attempt {
  moveId: number
  number: number
  repositoryId: number
  state: 'started' | 'replicated'
  source: { storage: string; path: string }
  destination: { storage: string; path: string }
  /** The copies of attempts that did not end. */
  abandonedPaths: string[]
}

const maxAttempts = 20
const maxMessage = 1000

/** Without a sign of life for this long, the worker of an attempt is dead or frozen. */
const aliveMs = 10_000

/** Undefined when the move has ended. Throws while another worker is at it; the job is retried then. */
export function beginAttempt(em: EntityManager, moveId: number, attemptsSoFar: number, at: Date): Promise<Attempt | undefined> {
  return em.transactional(async em => {
    const move = await em.findOne(StorageMove, { id: moveId }, { lockMode: LockMode.PESSIMISTIC_WRITE })

    if (!move || !isOpen(move)) return undefined
    if (move.attempts !== attemptsSoFar && isAlive(move, at)) throw new Error('Another worker moves this repository.')
    if (move.attempts >= maxAttempts) return giveUp(em, move, at)
    move.attempts++
    if (move.state !== 'replicated') {
      move.enter('started', at)
      move.destinationPath = pathOfAttempt(move.destinationPath ?? newRepositoryPath(), move.attempts)
    }

    return toAttempt(move)
  })
}

/** Shows that the attempt is alive. */
export async function touchMove(em: EntityManager, { moveId, number }: Attempt) {
  await em.nativeUpdate(StorageMove, { id: moveId, attempts: number }, { updatedAt: new Date() })
}

/** Makes the copy the repository, and lets clients write again. False when the attempt was overtaken or the repository deleted. */
export function switchStorage(em: EntityManager, attempt: Attempt, at: Date) {
  return changeMove(em, attempt, 'started', (move, repository) => {
    Object.assign(repository, { ...attempt.destination, isReadOnly: false })
    move.enter('replicated', at)
  })
}

/** The original stays, and clients may write again. */
export function failMove(em: EntityManager, attempt: Attempt, error: unknown, at: Date) {
  return changeMove(em, attempt, 'started', (move, repository) => fail(move, repository, error, at))
}

/** After the original was deleted, or could not be. */
export function endMove(em: EntityManager, attempt: Attempt, failure: unknown, at: Date) {
  return changeMove(em, attempt, 'replicated', move => {
    move.enter(failure ? 'cleanup failed' : 'finished', at)
    if (failure) move.errorMessage = messageOf(failure)
  })
}

function changeMove(
  em: EntityManager,
  { moveId, number, repositoryId }: Attempt,
  state: Attempt['state'],
  change: (move: StorageMove, repository: Repository) => void
) {
  return em.transactional(async em => {
    // The order of locks is that of a deletion.
    const repository = await lockRepository(em, repositoryId)
    const move = await em.findOne(StorageMove, { id: moveId, attempts: number, state }, { lockMode: LockMode.PESSIMISTIC_WRITE })

    if (!repository || !move) return false
    change(move, repository)

    return true
  })
}

/** After the last retry of a job. */
export function abandonMove(em: EntityManager, moveId: number, at: Date) {
  return em.transactional(async em => {
    const move = await em.findOne(StorageMove, { id: moveId }, { lockMode: LockMode.PESSIMISTIC_WRITE })

    if (move && isOpen(move) && !isAlive(move, at)) await giveUp(em, move, at)
  })
}

async function giveUp(em: EntityManager, move: StorageMove, at: Date) {
  const reason = new Error(`Gave up after ${move.attempts} attempts: in each, a worker was killed or could not continue.`)

  if (move.state === 'replicated') {
    move.enter('cleanup failed', at)
    move.errorMessage = reason.message
  } else fail(move, await lockRepository(em, move.repositoryId), reason, at)

  return undefined
}

function fail(move: StorageMove, repository: Repository | null, error: unknown, at: Date) {
  if (repository) repository.isReadOnly = false
  move.enter('failed', at)
  move.errorMessage = messageOf(error)
}

function lockRepository(em: EntityManager, id: number) {
  return em.findOne(Repository, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
}

function isAlive({ updatedAt }: StorageMove, at: Date) {
  return at.getTime() - updatedAt.getTime() < aliveMs
}

function isOpen({ state }: StorageMove) {
  return state === 'scheduled' || state === 'started' || state === 'replicated'
}

/** Attempts have paths of their own, which tell those of the earlier ones: `ab/cd/abcd…-2.git`. */
function pathOfAttempt(path: string, number: number) {
  return path.replace(/(-\d+)?\.git$/, `-${number}.git`)
}

function toAttempt(move: StorageMove): Attempt {
  const { destinationPath: path = '', attempts } = move

  return {
    moveId: move.id,
    number: move.attempts,
    repositoryId: move.repositoryId,
    state: move.state as Attempt['state'],
    source: { storage: move.sourceStorage, path: move.sourcePath },
    destination: { storage: move.destinationStorage, path: move.destinationPath! },
    abandonedPaths: Array.from({ length: attempts - 1 }, (_, n) => pathOfAttempt(path!, n + 1)).filter(other => other !== path)
  }
}

function messageOf(error: unknown) {
  return (error instanceof Error ? error.message : String(error)).slice(0, maxMessage).toWellFormed().replaceAll('\0', '')
}
