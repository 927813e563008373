import { LockMode } from '@mikro-orm/core'
import { ModifiedSince, NotFound } from '#lib/refusals.ts'
import type { EntityManager } from './database.ts'

const precondition = 'unmodified-since'

/** From now on, what this unit of work and its transactions lock for a change must not have been modified after this time. */
export function requireUnmodified(em: EntityManager, since: Date | undefined) {
  if (since) em.setFilterParams(precondition, { since })
}

/** The time that the unit of work requires. */
export function unmodifiedSinceOf(em: EntityManager) {
  return (em.getFilterParams(precondition) as { since: Date } | undefined)?.since
}

interface Row {
  createdAt?: Date
  updatedAt?: Date
}

/**
 * Locks a row and reads it again. Refused when it changed after the time that `requireUnmodified` set, which has a resolution of seconds:
 * `updatedAt` moves to a later second, so that one of several requests with the same date succeeds.
 */
export async function lockForChange(em: EntityManager, row: Row) {
  const since = unmodifiedSinceOf(em)

  if (!(await em.refresh(row, { lockMode: LockMode.PESSIMISTIC_WRITE }))) throw new NotFound()
  checkUnmodified((row.updatedAt ?? row.createdAt)!, since)
  if (since && row.updatedAt) row.updatedAt = new Date(Math.max(Date.now(), since.getTime() + 1000))
}

export function checkUnmodified(updatedAt: Date, since: Date | undefined) {
  if (since && Math.floor(updatedAt.getTime() / 1000) * 1000 > since.getTime()) throw new ModifiedSince()
}
