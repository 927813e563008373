import type { Actor } from '../../audit/record-audit-event.ts'
import { Forbidden } from '../../http/problems/problems.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { recordOf } from '../audited.ts'
import { Session } from '../sessions/session.ts'
import { getUser } from './find-user.ts'
import { keepAnAdmin } from './require-an-admin.ts'

/** Keeps somebody out, with whatever they come: their tokens do nothing, and every browser is signed out. */
export async function blockUser(em: EntityManager, actor: Actor, id: number) {
  await em.transactional(async em => {
    const user = await getUser(em, id)

    await keepAnAdmin(em, user, 'blocked')
    if (user.id === actor.user?.id) throw new Forbidden('The API initiating user cannot be blocked by the API')
    if (!user.block()) return
    await em.nativeDelete(Session, { user: user.id })
    recordOf(em, actor, user, 'user_blocked')
  })
}

export async function unblockUser(em: EntityManager, actor: Actor, id: number) {
  await em.transactional(async em => {
    const user = await getUser(em, id)

    if (user.unblock()) recordOf(em, actor, user, 'user_unblocked')
  })
}
