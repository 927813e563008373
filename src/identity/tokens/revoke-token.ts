import type { Actor } from '../../audit/record-audit-event.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { retireBot } from '../users/retire-bot.ts'
import { AccessToken } from './access-token.ts'
import { recordToken } from './record-token.ts'

/** Ends a token. Doing so twice changes nothing the second time. */
export async function revokeToken(em: EntityManager, actor: Actor, token: AccessToken, at: Date) {
  await em.transactional(async em => {
    if (!token.revoke(at)) return

    await recordToken(em, actor, token, 'revoked')
    await em.flush()
    await retireBot(em, token, at)
  })
}

/** Ends all that came of one another: somebody used what had been replaced, so it was in two hands. */
export async function revokeFamily(em: EntityManager, actor: Actor, token: AccessToken, at: Date) {
  const root = token.familyId ?? token.id

  await em.transactional(async em => {
    const ended = await em.nativeUpdate(AccessToken, { revokedAt: null, $or: [{ id: root }, { familyId: root }] }, { revokedAt: at })

    if (ended === 0) return
    await recordToken(em, actor, token, 'family_revoked')
    await em.flush()
    await retireBot(em, token, at)
  })
}
