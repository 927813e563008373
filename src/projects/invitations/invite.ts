import type { Actor } from '#audit/record-audit-event.ts'
import { User } from '#identity/users/user.ts'
import { isEmail } from '#identity/users/user-attributes.ts'
import { NotFound, Refusal, ValidationFailed } from '#lib/refusals.ts'
import { addMail } from '#outbox/outbox-store.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { AlreadyMember, addMember, authorizeChange, type MemberAttributes } from '../members/change-members.ts'
import type { MemberSource } from '../members/member-source.ts'
import { createInvitation } from './change-invitations.ts'
import { findByConfirmedEmail } from './invitation-store.ts'

interface Invited {
  emails: string[]
  userIds: number[]
}

/** Invites addresses and adds users. Returns by address or username why one could not be invited. */
export async function invite(
  em: EntityManager,
  source: MemberSource,
  { emails, userIds }: Invited,
  attributes: Required<MemberAttributes>,
  by: Actor
) {
  authorizeChange(source, attributes.accessLevel)
  const users = await em.find(User, { id: { $in: userIds } })
  const failed: Record<string, Refusal> = {}
  const attempt = async (name: string, change: () => Promise<unknown>) => {
    await change().catch(error => {
      failed[name] = reasonOf(error)
    })
  }

  for (const email of emails) await attempt(email, () => inviteAddress(em.fork(), source, email, attributes, by))
  for (const id of userIds) {
    const user = users.find(user => user.id === id)

    await attempt(user?.username ?? String(id), async () => {
      if (!user) throw new NotFound('User')
      await addAndMail(em.fork(), source, user, attributes, by)
    })
  }

  return failed
}

/** The user whose confirmed address it is becomes a member at once: returns them, or undefined for others, who are invited. */
export async function inviteAddress(
  em: EntityManager,
  source: MemberSource,
  email: string,
  attributes: Required<MemberAttributes>,
  by: Actor
) {
  authorizeChange(source, attributes.accessLevel)
  if (!isEmail(email) || email.length > 255) throw new ValidationFailed({ 'Invite email': ['is invalid'] })
  const user = await findByConfirmedEmail(em, email)

  if (user) await addAndMail(em, source, user, attributes, by)
  else await createInvitation(em, source, email, attributes, by)

  return user
}

/** Adds a member, who gets a mail about it. */
function addAndMail(em: EntityManager, source: MemberSource, user: User, attributes: Required<MemberAttributes>, by: Actor) {
  return em.transactional(async em => {
    await addMember(em, source, user, attributes, by)
    await addMail(em, {
      kind: 'access.granted',
      owner: source,
      subjectId: user.id,
      actorId: by.user?.id ?? null,
      data: { accessLevel: attributes.accessLevel }
    })
  })
}

function reasonOf(error: unknown) {
  if (!(error instanceof Refusal)) throw error

  return error instanceof AlreadyMember ? new AlreadyInSource() : error
}

class AlreadyInSource extends AlreadyMember {
  override code = 'already_in_source'
  override message = 'User already exists in source'
}
