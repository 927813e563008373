import type { Actor } from '#audit/record-audit-event.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { User } from '../users/user.ts'
import { AccessToken, activeTokens } from './access-token.ts'
import { recordTokenEvent } from './record-token-event.ts'

/** Revoking a token twice changes nothing the second time. */
export async function revokeToken(em: EntityManager, actor: Actor, token: AccessToken, at: Date) {
  await em.transactional(async em => {
    await lockForChange(em, token)
    if (!token.revoke(at)) return

    await recordTokenEvent(em, actor, token, 'revoked')
    await em.flush()
    await retireBot(em, token, at)
  })
}

/** Reuse detection: a rotated token was used to rotate again, so it was copied, and all its successors are revoked. */
export async function revokeFamily(em: EntityManager, actor: Actor, token: AccessToken, at: Date) {
  const root = token.familyId ?? token.id

  await em.transactional(async em => {
    const revoked = await em.nativeUpdate(AccessToken, { revokedAt: null, $or: [{ id: root }, { familyId: root }] }, { revokedAt: at })

    if (revoked === 0) return
    await recordTokenEvent(em, actor, token, 'family_revoked')
    await em.flush()
    await retireBot(em, token, at)
  })
}

/** When its last token ends, a bot is blocked and loses its memberships. */
async function retireBot(em: EntityManager, { user, projectId, groupId }: AccessToken, at: Date) {
  if (!projectId && !groupId) return
  if ((await em.count(AccessToken, { user, ...activeTokens(at) })) > 0) return

  await em.nativeUpdate(User, { id: user.id }, { state: 'blocked' })
  await em.getKysely<Tables>().deleteFrom('members').where('user_id', '=', user.id).execute()
}
