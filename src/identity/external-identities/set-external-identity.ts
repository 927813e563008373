import type { Actor } from '../../audit/record-audit-event.ts'
import { lockForChange } from '../../http/conditional-requests.ts'
import { BadRequest, NotFound } from '../../http/problems/problems.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { recordUserEvent } from '../record-user-event.ts'
import { getAccount } from '../users/find-user.ts'
import type { User } from '../users/user.ts'
import { ExternalIdentity } from './external-identity.ts'

const maxIdentities = 20

/** Adds the identity, or changes the one at the same provider. Within a transaction that has locked the user. */
export async function setExternalIdentity(
  em: EntityManager,
  actor: Actor,
  user: User,
  { provider, externUid }: { provider: string; externUid: string }
) {
  const identities = await em.find(ExternalIdentity, { userId: user.id })
  const existing = identities.find(identity => identity.provider === provider)

  if (existing?.externUid === externUid) return
  if (existing) existing.externUid = externUid
  else if (identities.length >= maxIdentities) throw new BadRequest(`The user has ${maxIdentities} identities already`)
  else em.create(ExternalIdentity, { userId: user.id, provider, externUid })
  recordUserEvent(em, actor, user, 'identity_set', { provider, extern_uid: externUid })
}

export function removeExternalIdentity(em: EntityManager, actor: Actor, userId: number, provider: string) {
  return em.transactional(async em => {
    const user = await getAccount(em, userId)
    const identity = await em.findOne(ExternalIdentity, { userId, provider })

    if (!identity) throw new NotFound('Identity')
    await lockForChange(em, identity, actor)
    recordUserEvent(em, actor, user, 'identity_removed', { provider, extern_uid: identity.externUid })
    em.remove(identity)
  })
}
