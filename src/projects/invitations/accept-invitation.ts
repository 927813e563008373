import { LockMode } from '@mikro-orm/core'
import { sql } from 'kysely'
import type { Actor } from '#audit/record-audit-event.ts'
import { User } from '#identity/users/user.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { AlreadyMember, addMember } from '../members/change-members.ts'
import { recordInvitation } from './change-invitations.ts'
import { Invitation } from './invitation.ts'

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
    const place = invitation.place()

    await addMember(em, place.audited(), user, { accessLevel, expiresAt, createdById: createdBy?.id ?? null }, by).catch(error => {
      if (!(error instanceof AlreadyMember)) throw error
    })
    em.remove(invitation)

    return place
  })
}

/** Undefined as with `acceptInvitation`. */
export function declineInvitation(em: EntityManager, id: number, by: Actor, at: Date) {
  return em.transactional(async em => {
    const invitation = await lockOpen(em, id, at)

    if (!invitation) return undefined
    const place = invitation.place()

    recordInvitation(em, by, 'invitation_declined', place.audited(), invitation, { remove: 'invitation' })
    em.remove(invitation)

    return place
  })
}

/** Accepts what was sent to addresses that users have confirmed: of one user, or of all. */
export async function acceptConfirmed(em: EntityManager, userId: number | undefined, at: Date) {
  const { rows } = await sql<{ id: number; user_id: number }>`
    SELECT i.id, a.user_id FROM invitations i JOIN (
      SELECT id AS user_id, lower(email) AS email, confirmed_at FROM users WHERE kind = 'human'
      UNION ALL SELECT user_id, lower(email), confirmed_at FROM user_emails
    ) a ON a.email = lower(i.email) AND a.confirmed_at IS NOT NULL
    WHERE i.open_until > ${at} AND (${userId ?? null}::bigint IS NULL OR a.user_id = ${userId ?? null}::bigint)
    ORDER BY i.id LIMIT ${maxAccepted}`.execute(em.getKysely())

  for (const { id, user_id } of rows) {
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
