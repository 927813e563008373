import type { Actor } from '../../audit/record-audit-event.ts'
import { Forbidden } from '../../http/problems/problems.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { recordUserEvent } from '../record-user-event.ts'
import { Session } from '../sessions/session.ts'
import { getAccount } from './find-user.ts'
import { requireAnotherAdmin } from './require-another-admin.ts'

/** Ends all sessions of the user; access tokens are rejected while the user is blocked. */
export async function blockUser(em: EntityManager, actor: Actor, id: number) {
  await em.transactional(async em => {
    const user = await getAccount(em, id)

    await requireAnotherAdmin(em, user, 'blocked')
    if (user.id === actor.user?.id) throw new Forbidden('The API initiating user cannot be blocked by the API')
    if (!user.block()) return
    await em.nativeDelete(Session, { user: user.id })
    recordUserEvent(em, actor, user, 'user_blocked')
  })
}

export async function unblockUser(em: EntityManager, actor: Actor, id: number) {
  await em.transactional(async em => {
    const user = await getAccount(em, id)

    if (user.unblock()) recordUserEvent(em, actor, user, 'user_unblocked')
  })
}
