import { recordActivity } from '#activity/activity-store.ts'
import { type Actor, publishAuditEvent } from '#audit/record-audit-event.ts'
import type { User } from '#identity/users/user.ts'
import { Conflict, Forbidden, NotFound, ValidationFailed } from '#lib/refusals.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { lockRow } from '#platform/database/locks.ts'
import { Member, Role, roleName } from './member.ts'
import type { MemberSource } from './member-source.ts'
import { hasOwnerWithoutMember } from './owner-store.ts'
import { isActiveMembership } from './roles.ts'

/** What an audit event names of a project or a group. */
export type AuditedSource = Pick<MemberSource, 'type' | 'id' | 'path'>

export interface MemberAttributes {
  accessLevel?: number
  /** The last day of the membership; null for none. */
  expiresAt?: string | null
}

/** Maintainers manage the members of projects, owners those of groups; no user manages roles above their own. */
export function mayChange({ type, role }: MemberSource, accessLevel = 0) {
  return role >= (type === 'Group' ? Role.owner : Role.maintainer) && accessLevel <= role
}

export function authorizeChange(source: MemberSource, accessLevel = 0) {
  if (!mayChange(source, accessLevel)) throw new Forbidden()
}

export interface NewMember extends Required<MemberAttributes> {
  /** Who invited the user; otherwise who adds them. */
  createdById?: number | null
}

/** Adds a member for a caller who passed `authorizeChange`. An expired membership is replaced. */
export async function addMember(em: EntityManager, source: AuditedSource, user: User, attributes: NewMember, by: Actor) {
  const { accessLevel, expiresAt, createdById = by.user?.id ?? null } = attributes
  const column = source.type === 'Project' ? 'project_id' : 'group_id'

  if (user.isBot()) throw new ValidationFailed({ user: ['is the bot of an access token and cannot be added'] })

  await em.transactional(async em => {
    const db = em.getKysely<Tables>()
    const membership = { [column]: source.id, user_id: user.id }
    const at = new Date()

    await db
      .deleteFrom('members as m')
      .where(eb => eb.and([eb.and(membership), eb.not(isActiveMembership)]))
      .execute()
    const added = await db
      .insertInto('members')
      .values({
        ...membership,
        access_level: accessLevel,
        expires_at: expiresAt,
        created_by_id: createdById,
        created_at: at,
        updated_at: at
      })
      .onConflict(conflict => conflict.doNothing())
      .returning('id')
      .execute()

    if (added.length === 0) throw new AlreadyMember()
    await recordMember(em, by, 'member_added', source, user, { add: 'user_access', as: roleName(accessLevel) })
    if (source.type === 'Project') await recordActivity(em, { projectId: source.id, authorId: user.id, action: 'joined' })
  })
}

export async function updateMember(em: EntityManager, source: MemberSource, userId: number, attributes: MemberAttributes, by: Actor) {
  authorizeChange(source, attributes.accessLevel)
  await em.transactional(async em => {
    const member = await lockMember(em, source, userId)
    const before = member.accessLevel

    authorizeChange(source, before)
    if (before === Role.owner && ((attributes.accessLevel ?? before) !== Role.owner || attributes.expiresAt))
      await requireAnotherOwner(em, source, userId)
    member.change(attributes)
    const to = `${roleName(member.accessLevel)}${member.expiresAt ? `, until ${member.expiresAt}` : ''}`

    await recordMember(em, by, 'member_updated', source, member.user as User, { change: 'access_level', from: roleName(before), to })
  })
}

/** Members may always remove themselves. */
export async function removeMember(em: EntityManager, source: MemberSource, userId: number, by: Actor) {
  const isLeaving = by.user?.id === userId

  if (!isLeaving) authorizeChange(source)
  await em.transactional(async em => {
    const member = await lockMember(em, source, userId)

    if (!isLeaving) authorizeChange(source, member.accessLevel)
    if (source.ownerId === userId) throw new Forbidden('The owner of a personal project cannot be removed')
    if (member.accessLevel === Role.owner) await requireAnotherOwner(em, source, userId)
    await recordMember(em, by, 'member_removed', source, member.user as User, { remove: 'user_access', from: roleName(member.accessLevel) })
    em.remove(member)
  })
}

export class AlreadyMember extends Conflict {
  override code = 'already_member'
  override isSentence = true

  constructor() {
    super('Member already exists')
  }
}

/** Locks the group, too: two owners who leave at once must not both see the other as staying. */
async function lockMember(em: EntityManager, { type, id }: MemberSource, userId: number) {
  if (type === 'Group') await lockRow(em, 'namespaces', id)
  const isActive = { $or: [{ expiresAt: null }, { expiresAt: { $gte: new Date().toISOString().slice(0, 10) } }] }
  const source = type === 'Project' ? { project: id } : { group: id }
  const member = await em.findOne(Member, { ...source, user: userId, ...isActive }, { populate: ['user'] })

  if (!member) throw new NotFound('Member')
  await lockForChange(em, member)

  return member
}

async function requireAnotherOwner(em: EntityManager, { type, id }: MemberSource, userId: number) {
  if (type !== 'Group' || (await hasOwnerWithoutMember(em, id, userId))) return
  throw new ValidationFailed({ base: ['a group must keep at least one owner'] })
}

async function recordMember(
  em: EntityManager,
  by: Actor,
  name: string,
  source: AuditedSource,
  user: User,
  details: Record<string, unknown>
) {
  await publishAuditEvent(em, by, { name, entity: source, target: { type: 'User', id: user.id, details: user.username }, details })
}
