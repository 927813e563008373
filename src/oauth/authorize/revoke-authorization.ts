import type { Actor } from '#audit/record-audit-event.ts'
import { recordUserEvent } from '#identity/record-user-event.ts'
import type { User } from '#identity/users/user.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Grant } from '../grants/grant.ts'
import { lockParties } from '../lock-order.ts'
import { AuthorizationCode } from './authorization-code.ts'
import { Consent } from './consent.ts'

interface Revocation {
  user: User
  actor: Actor
  at: Date
}

/**
 * Ends what a user allowed an application: consent, codes and all tokens. Null is for passwords that were used without an
 * application. False when there was nothing to revoke.
 */
export async function revokeAuthorization(em: EntityManager, { user, actor, at }: Revocation, application: number | null) {
  return em.transactional(async em => {
    const key = { user: user.id, application }

    if (!(await lockParties(em, { user, application: application === null ? null : { id: application } }))) return false
    // Codes first: an exchange that has locked one commits its grant before the grants are revoked.
    const codes = application === null ? 0 : await em.nativeDelete(AuthorizationCode, { user: user.id, application })
    const consents = application === null ? 0 : await em.nativeDelete(Consent, { user: user.id, application })
    const grants = await em.nativeUpdate(Grant, { ...key, revokedAt: null }, { revokedAt: at })
    const isRevoked = codes + consents + grants > 0

    if (isRevoked) recordUserEvent(em, actor, user, 'oauth_authorization_revoked', { application_id: application, grants })

    return isRevoked
  })
}
