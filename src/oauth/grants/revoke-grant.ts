import type { Actor } from '../../audit/record-audit-event.ts'
import { lockForChange } from '../../http/conditional-requests.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import type { Grant } from './grant.ts'
import { recordGrantEvent } from './record-grant-event.ts'

/** Ends all tokens of a grant. Its user and application are loaded. Revoking it twice changes nothing the second time. */
export async function revokeGrant(em: EntityManager, actor: Actor, grant: Grant, at: Date) {
  await em.transactional(async em => {
    await lockForChange(em, grant, actor)
    if (grant.revoke(at)) recordGrantEvent(em, actor, grant, 'revoked')
  })
}
