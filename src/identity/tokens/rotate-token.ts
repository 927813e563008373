import { LockMode } from '@mikro-orm/core'
import type { Actor } from '../../audit/record-audit-event.ts'
import { BadRequest } from '../../http/problems/problems.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { hashSecret, newSecret } from '../secrets.ts'
import { AccessToken } from './access-token.ts'
import { recordToken } from './record-token.ts'
import { expiryOf, rotatedTokenDays } from './token-expiry.ts'

/** Puts a new token in the place of one, which ends at once. Of two that want to at the same time, one is too late. */
export async function rotateToken(em: EntityManager, actor: Actor, id: number, expiresOn: string | null | undefined, at: Date) {
  const expiresAt = expiryOf(expiresOn, rotatedTokenDays, at)
  const secret = newSecret('glpat-')

  return em.transactional(async em => {
    const old = await em.findOneOrFail(AccessToken, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })

    if (old.isExpired(at)) throw new BadRequest('Token already expired')
    if (!old.revoke(at)) throw new BadRequest('Token already revoked')
    const token = em.create(AccessToken, {
      user: old.user.id,
      kind: old.kind,
      projectId: old.projectId,
      groupId: old.groupId,
      familyId: old.familyId ?? old.id,
      name: old.name,
      description: old.description,
      scopes: old.scopes,
      expiresAt,
      tokenHash: hashSecret(secret)
    })

    await em.flush()
    await recordToken(em, actor, token, 'rotated')

    return { token, secret }
  })
}
