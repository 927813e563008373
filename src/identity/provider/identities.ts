import { NotFound, Rejected } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockTransaction } from '#platform/database/locks.ts'
import { recordUserEvent } from '../record-user-event.ts'
import type { AccountContext } from '../sessions/sessions.ts'
import { withLockedUser } from '../users/find-user.ts'
import { Identity } from './identity.ts'
import type { Person } from './person.ts'
import { connectIdentity, lockOf } from './sign-in-person.ts'

export function listIdentities(em: EntityManager, userId: number) {
  return em.find(Identity, { user: userId }, { orderBy: { id: 'asc' } })
}

/** Lets a person sign in as this user from now on. Connecting twice changes nothing the second time. */
export async function connectPerson(em: EntityManager, { user, actor, at }: AccountContext, person: Person) {
  const { issuer, subject } = person

  await em.transactional(async em => {
    await lockTransaction(em, lockOf(person))
    const known = await em.findOne(Identity, { issuer, subject })

    if (known?.user.id === user.id) return
    if (known) throw new Rejected('This account is connected to another user here')
    await withLockedUser(em, user, async (em, user) => {
      if ((await em.count(Identity, { user: user.id, issuer })) > 0) throw new Rejected('Disconnect the other account first')
      await connectIdentity(em, user, person, { ip: actor.ip, at, by: 'user' })
    })
  })
}

/** Refused without a password: it may be the last way in. */
export async function disconnectIdentity(em: EntityManager, { user, actor }: AccountContext, id: number) {
  await withLockedUser(em, user, async (em, user) => {
    const identity = await em.findOne(Identity, { id, user: user.id })

    if (!identity) throw new NotFound('Connected sign-in')
    if (!user.passwordHash) throw new Rejected('Set a password first, or you could not sign in any more')
    em.remove(identity)
    recordUserEvent(em, actor, user, 'identity_disconnected', { issuer: identity.issuer, subject: identity.subject })
  })
}
