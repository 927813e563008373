import { LockMode } from '@mikro-orm/core'
import { Forbidden } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { recordUserEvent } from '../record-user-event.ts'
import { hashSecret, newSecret } from '../secrets.ts'
import { getUser } from '../users/find-user.ts'
import type { User } from '../users/user.ts'
import { Session } from './session.ts'

interface Impersonator {
  /** The secret of the admin's session. */
  session: string
  ip: string
}

/**
 * From here on, the session of an admin acts as another user. Returns the new secret of the session: the forms of the admin expire
 * with the former one.
 */
export function startImpersonation(em: EntityManager, { session: secret, ip }: Impersonator, id: number) {
  return withSession(em, secret, async (em, session) => {
    const user = await getUser(em, id)

    if (impersonatedIn(session)) throw new Forbidden('Stop impersonating first')
    if (!mayBeImpersonated(user)) throw new Forbidden('Only active users who are not admins can be impersonated')
    if (session.impersonated) recordEnd(em, session, ip)
    session.impersonated = user
    recordUserEvent(em, { user: session.user as User, ip }, user, 'impersonation_started')

    return renewSecret(session)
  })
}

/** The session is the admin's own again. Undefined when it is already. */
export function endImpersonation(em: EntityManager, { session: secret, ip }: Impersonator) {
  return withSession(em, secret, async (em, session) => {
    if (!session.impersonated) return undefined
    const user = recordEnd(em, session, ip)

    session.impersonated = null

    return { user, secret: renewSecret(session) }
  })
}

/** Admins have all rights anyway, and their password, sessions and tokens are out of reach. */
export function mayBeImpersonated(user: User) {
  return user.isActive() && !user.isBot() && !user.isAdmin
}

/** Whom the session acts as, besides its own user: nobody once either of them may not any more. */
export function impersonatedIn({ user, impersonated }: Session) {
  return impersonated && user.isAdmin && user.isActive() && mayBeImpersonated(impersonated as User) ? (impersonated as User) : undefined
}

/** In the unit of work that ends the session or its impersonation. */
export function recordEnd(em: EntityManager, { user, impersonated }: Session, ip: string) {
  recordUserEvent(em, { user: user as User, ip }, impersonated as User, 'impersonation_ended')

  return impersonated as User
}

function withSession<T>(em: EntityManager, secret: string, change: (em: EntityManager, session: Session) => Promise<T>) {
  return em.transactional(async em => {
    const session = await em.findOneOrFail(
      Session,
      { tokenHash: hashSecret(secret), awaitsCode: false },
      { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true }
    )

    await em.populate(session, ['user', 'impersonated'])

    return change(em, session)
  })
}

function renewSecret(session: Session) {
  const secret = newSecret()

  session.tokenHash = hashSecret(secret)

  return secret
}
