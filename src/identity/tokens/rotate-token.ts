import { LockMode } from '@mikro-orm/core'
import type { Actor } from '#audit/record-audit-event.ts'
import { Rejected } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { AccessToken } from './access-token.ts'
import { insertToken } from './issue-token.ts'
import { expiryOf, rotatedTokenDays } from './token-expiry.ts'

/** Revokes a token and issues its successor. The row lock lets one of two concurrent rotations win. */
export async function rotateToken(em: EntityManager, actor: Actor, id: number, expiresOn: string | null | undefined, at: Date) {
  const expiresAt = expiryOf(expiresOn, rotatedTokenDays, at)

  return em.transactional(async em => {
    const token = await em.findOneOrFail(AccessToken, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })

    if (token.isExpired(at)) throw new Rejected('Token already expired')
    if (!token.revoke(at)) throw new Rejected('Token already revoked')

    return insertToken(em, actor, { ...token.inheritable(), expiresAt }, 'rotated')
  })
}
