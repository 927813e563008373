import { LockMode } from '@mikro-orm/core'
import { sql } from 'kysely'
import { type Actor, recordAuditEvent } from '#audit/record-audit-event.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { networkOf } from '#platform/network/network-of.ts'
import { publishUserEvent, recordUserEvent } from '../record-user-event.ts'
import { withLockedUser } from '../users/find-user.ts'
import { clearFailures, countFailure, isLocked, lockMs } from '../users/lock.ts'
import { User } from '../users/user.ts'
import { findKnownDevice } from './known-device.ts'

/** The audit event of a failure. */
const failure = 'user_sign_in_failed'

/** An attempt to prove to be a user, from a browser with or without the cookie of a known one. */
export interface Attempt {
  user: User
  actor: Actor
  device: string | undefined
  at: Date
}

/** While unknown browsers are locked out, an address that failed less often is not. */
const maxFailuresOfAddress = 3
/** After so many failures from all addresses together, unknown browsers take turns. */
const maxQuickFailures = 30
const turnMs = 5000

/**
 * Failures of unknown browsers count at the user, those of a known browser at the browser: guessing from elsewhere does
 * not lock out the user's own browsers. Nor does it lock out the user at a new one: the lock is for addresses that
 * failed, so that many addresses have few guesses each; when those are many, too, one guess is checked every five seconds.
 */
export async function isLockedOut(em: EntityManager, { user, actor, device, at }: Attempt) {
  const browser = await findKnownDevice(em, user, device)

  if (browser || !isLocked(user, at)) return isLocked(browser ?? user, at)

  const failures = await listFailures(em, user, at)
  const ofAddress = failures.filter(({ ip }) => networkOf(ip) === networkOf(actor.ip))
  const isOutOfTurn = failures.length >= maxQuickFailures && failures.some(failed => at.getTime() - failed.at.getTime() < turnMs)

  return ofAddress.length >= maxFailuresOfAddress || isOutOfTurn
}

/** Under the row lock of the user. A success ends the count, but no lock that keeps others out. */
export async function admit(em: EntityManager, attempt: Attempt) {
  const { user, device, at } = attempt
  const lockable = (await findKnownDevice(em, user, device)) ?? user

  if (await isLockedOut(em, attempt)) return false
  if (!isLocked(lockable, at)) clearFailures(lockable)

  return true
}

/** Within the time that a lock takes. */
async function listFailures(em: EntityManager, user: User, at: Date) {
  return em
    .getKysely<Tables>()
    .selectFrom('audit_events')
    .select([sql<string>`details->>'ip_address'`.as('ip'), 'created_at as at'])
    .where('entity_type', '=', 'User')
    .where('entity_id', '=', user.id)
    .where('name', '=', failure)
    .where('created_at', '>', new Date(at.getTime() - lockMs))
    .execute()
}

/** Counts a wrong password or code under a row lock, so that concurrent attempts are all counted. */
export async function recordFailedSignIn(em: EntityManager, { user, actor, device, at }: Attempt, details?: Record<string, unknown>) {
  await withLockedUser(em, user, async (em, user) => {
    const browser = await findKnownDevice(em, user, device)
    const isNowLocked = countFailure(browser ?? user, at)

    await publishUserEvent(em, actor, user, failure, details)
    if (isNowLocked) recordUserEvent(em, actor, user, 'user_locked', { for: browser ? 'a known browser' : 'unknown browsers' })
  })
}

/**
 * Records a sign-in as a user that does not exist, without the login: some type their password there. It takes the same
 * statements as that of an existing user, so that response times do not tell them apart.
 */
export async function recordUnknownSignIn(em: EntityManager, actor: Actor) {
  await em.transactional(async em => {
    await em.findOne(User, { id: 0 }, { lockMode: LockMode.PESSIMISTIC_WRITE })
    recordAuditEvent(em, { ip: actor.ip }, { name: failure, entity: { type: 'Instance', id: 0, path: 'unknown user' } })
  })
}
