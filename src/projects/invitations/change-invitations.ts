import { randomBytes } from 'node:crypto'
import { sql } from '@mikro-orm/core'
import { type Actor, recordAuditEvent } from '#audit/record-audit-event.ts'
import { NotFound, ValidationFailed } from '#lib/refusals.ts'
import { addMail, countRecentInvitations } from '#outbox/outbox-store.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { type AuditedSource, authorizeChange, type MemberAttributes } from '../members/change-members.ts'
import { roleName } from '../members/member.ts'
import { lockSource, type MemberSource, ownedBy } from '../members/member-source.ts'
import { Invitation, openUntil } from './invitation.ts'

const maxInvitations = 1000
/** Limit per source, and per user. */
const maxMailsAnHour = 200

/** Invites an address, for a caller who passed `authorizeChange`. An expired invitation is replaced. */
export async function createInvitation(
  em: EntityManager,
  source: MemberSource,
  email: string,
  { accessLevel, expiresAt }: Required<MemberAttributes>,
  by: Actor
) {
  return em.transactional(async em => {
    const at = new Date()

    await lockSource(em, source)
    const existing = await findByEmail(em, source, email)

    if (existing?.isOpen(at)) throw new ValidationFailed({ 'Invite email': ['has already been taken'] })
    if (existing) await em.remove(existing).flush()
    if ((await em.count(Invitation, ownedBy(source))) >= maxInvitations) {
      throw new ValidationFailed({ base: [`has ${maxInvitations} invitations already`] })
    }
    const createdBy = by.user?.id ?? null
    const attributes = { ...ownedBy(source), email, accessLevel, expiresAt, createdBy, salt: randomBytes(32), openUntil: openUntil(at) }
    const invitation = em.create(Invitation, attributes)

    await em.flush()
    await mailInvitation(em, source, invitation, by)
    recordInvitation(em, by, 'member_invited', source, invitation, { add: 'invitation', as: roleName(accessLevel) })

    return invitation
  })
}

export async function updateInvitation(em: EntityManager, source: MemberSource, email: string, attributes: MemberAttributes, by: Actor) {
  authorizeChange(source, attributes.accessLevel)

  return em.transactional(async em => {
    const invitation = await lockInvitation(em, source, email)
    const before = invitation.accessLevel

    authorizeChange(source, before)
    invitation.change(attributes)
    const { accessLevel, expiresAt } = invitation
    const to = `${roleName(accessLevel)}${expiresAt ? `, until ${expiresAt}` : ''}`

    recordInvitation(em, by, 'invitation_updated', source, invitation, { change: 'access_level', from: roleName(before), to })

    return invitation
  })
}

/** The link of the mail stays the same. */
export async function resendInvitation(em: EntityManager, source: MemberSource, email: string, by: Actor) {
  authorizeChange(source)
  await em.transactional(async em => {
    await lockSource(em, source)
    const invitation = await lockInvitation(em, source, email)

    authorizeChange(source, invitation.accessLevel)
    invitation.renew(new Date())
    await mailInvitation(em, source, invitation, by)
  })
}

export async function withdrawInvitation(em: EntityManager, source: MemberSource, email: string, by: Actor) {
  authorizeChange(source)
  await em.transactional(async em => {
    const invitation = await lockInvitation(em, source, email)

    authorizeChange(source, invitation.accessLevel)
    recordInvitation(em, by, 'invitation_removed', source, invitation, { remove: 'invitation' })
    em.remove(invitation)
  })
}

/** An invitation of the source that is still open. */
export async function getInvitation(em: EntityManager, source: MemberSource, email: string) {
  const invitation = await findByEmail(em, source, email)

  if (!invitation?.isOpen(new Date())) throw new NotFound('Invitation')

  return invitation
}

export function recordInvitation(
  em: EntityManager,
  by: Actor,
  name: string,
  source: AuditedSource,
  { id, email }: Invitation,
  details: Record<string, unknown>
) {
  recordAuditEvent(em, by, { name, entity: source, target: { type: 'Invitation', id, details: email }, details })
}

async function lockInvitation(em: EntityManager, source: MemberSource, email: string) {
  const invitation = await getInvitation(em, source, email)

  await lockForChange(em, invitation)

  return invitation
}

function findByEmail(em: EntityManager, source: MemberSource, email: string) {
  return em.findOne(Invitation, { ...ownedBy(source), [sql.lower('email')]: email.toLowerCase() })
}

/** Withdrawn invitations count, too: who invites and withdraws sends mail as well. */
async function mailInvitation(em: EntityManager, source: MemberSource, { id: invitationId }: Invitation, by: Actor) {
  const actorId = by.user?.id ?? null

  if ((await countRecentInvitations(em, source, actorId)) >= maxMailsAnHour) {
    throw new ValidationFailed({ base: [`at most ${maxMailsAnHour} invitations are sent an hour`] })
  }
  await addMail(em, { kind: 'invitation', owner: source, subjectId: invitationId, actorId })
}
