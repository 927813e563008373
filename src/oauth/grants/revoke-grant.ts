import { LockMode } from '@mikro-orm/core'
import type { Actor } from '#audit/record-audit-event.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Grant } from './grant.ts'
import { recordGrantEvent } from './record-grant-event.ts'

/** Ends all tokens of a grant. Revoking it twice changes nothing the second time, and neither does revoking a deleted one. */
export async function revokeGrant(em: EntityManager, actor: Actor, id: number, at: Date, details?: { reason: string }) {
  await em.transactional(async em => {
    const grant = await em.findOne(Grant, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })

    if (!grant?.revoke(at)) return
    await em.populate(grant, ['user', 'application'])
    recordGrantEvent(em, actor, grant, 'revoked', details)
  })
}
