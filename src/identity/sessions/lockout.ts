import { LockMode } from '@mikro-orm/core'
import { type Actor, record } from '../../audit/record-audit-event.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { recordUserEvent } from '../record-user-event.ts'
import { withLockedUser } from '../users/find-user.ts'
import { countFailure, isLocked } from '../users/lock.ts'
import { User } from '../users/user.ts'
import { findKnownDevice } from './known-device.ts'

/** An attempt to prove to be a user, from a browser with or without the cookie of a known one. */
export interface Attempt {
  user: User
  actor: Actor
  device: string | undefined
  at: Date
}

/**
 * Failures of unknown browsers count at the user, those of a known browser at the browser: guessing from elsewhere does
 * not lock out the user's own browsers.
 */
export async function isLockedOut(em: EntityManager, { user, device, at }: Attempt) {
  return isLocked((await findKnownDevice(em, user, device)) ?? user, at)
}

/** Counts a wrong password or code under a row lock, so that concurrent attempts are all counted. */
export async function recordFailedSignIn(em: EntityManager, { user, actor, device, at }: Attempt, details?: Record<string, unknown>) {
  await withLockedUser(em, user, async (em, user) => {
    const browser = await findKnownDevice(em, user, device)
    const isNowLocked = countFailure(browser ?? user, at)

    recordUserEvent(em, actor, user, 'user_sign_in_failed', details)
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
    record(em, { ip: actor.ip }, { name: 'user_sign_in_failed', entity: { type: 'Instance', id: 0, path: 'unknown user' } })
  })
}
