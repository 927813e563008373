import { LockMode } from '@mikro-orm/core'
import type { Actor } from '#audit/record-audit-event.ts'
import { User } from '#identity/users/user.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { AlreadyMember, addMember } from '../members/change-members.ts'
import { recordInvitation } from './change-invitations.ts'
import { Invitation } from './invitation.ts'
import { findConfirmed } from './invitation-store.ts'

const maxAccepted = 1000

/**
 * Makes the user a member; a membership that exists stays as it is. Undefined when the invitation is no longer open, such
 * as the second time.
 */
export function acceptInvitation(em: EntityManager, id: number, user: User, by: Actor, at: Date) {
  return em.transactional(async em => {
    const invitation = await lockOpen(em, id, at)

    if (!invitation) return undefined
    const { accessLevel, expiresAt = null, createdBy } = invitation
    const source = invitation.source()

    await addMember(em, source.audited(), user, { accessLevel, expiresAt, createdById: createdBy?.id ?? null }, by).catch(error => {
      if (!(error instanceof AlreadyMember)) throw error
    })
    em.remove(invitation)

    return source
  })
}

/** Undefined as with `acceptInvitation`. */
export function declineInvitation(em: EntityManager, id: number, by: Actor, at: Date) {
  return em.transactional(async em => {
    const invitation = await lockOpen(em, id, at)

    if (!invitation) return undefined
    const source = invitation.source()

    recordInvitation(em, by, 'invitation_declined', source.audited(), invitation, { remove: 'invitation' })
    em.remove(invitation)

    return source
  })
}

/** Accepts what was sent to addresses that users have confirmed: of one user, or of all. */
export async function acceptConfirmed(em: EntityManager, userId: number | undefined, at: Date) {
  for (const { id, user_id } of await findConfirmed(em, userId, at, maxAccepted)) {
    const fork = em.fork()
    const user = await fork.findOne(User, { id: user_id })

    if (user) await acceptInvitation(fork, id, user, { user, ip: '' }, at)
  }
}

async function lockOpen(em: EntityManager, id: number, at: Date) {
  const invitation = await em.findOne(Invitation, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })

  if (!invitation?.isOpen(at)) return undefined

  return em.populate(invitation, ['project', 'group'])
}
