import { recordActivity } from '../../activity/record-activity.ts'
import { type Actor, record } from '../../audit/record-audit-event.ts'
import { Forbidden, NotFound, Problem, ValidationFailed } from '../../http/problems/problems.ts'
import type { User } from '../../identity/users/user.ts'
import { type EntityManager, query } from '../../platform/database/database.ts'
import { type Home, keyOf } from '../groups/parent-namespace.ts'
import { Member, Role, roleName } from './member.ts'
import { isLive } from './roles.ts'

export interface Terms {
  accessLevel?: number
  /** The last day; null for without end. */
  expiresAt?: string | null
}

/** Groups are their owners' business; in projects, maintainers deal with whoever is not above them. */
export function checkMayGrant({ type, role }: Home, accessLevel = 0) {
  if (role < (type === 'Group' ? Role.owner : Role.maintainer) || accessLevel > role) throw new Forbidden()
}

/** Makes somebody a member. One whose time is over takes the place of their former self. */
export async function addMember(em: EntityManager, home: Home, user: User, terms: Required<Terms>, by: Actor) {
  await em.transactional(async em => {
    await query(em, `DELETE FROM members m WHERE ${column(home)} = $1 AND user_id = $2 AND NOT ${isLive}`, [home.id, user.id])
    const [added] = await query(
      em,
      `INSERT INTO members (${column(home)}, user_id, access_level, expires_at, created_by_id) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT DO NOTHING RETURNING id`,
      [home.id, user.id, terms.accessLevel, terms.expiresAt, by.user?.id ?? null]
    )

    if (!added) throw new AlreadyMember()
    recordMember(em, by, 'member_added', home, user, { add: 'user_access', as: roleName(terms.accessLevel) })
    if (home.type === 'Project') await recordActivity(em, { projectId: home.id, authorId: user.id, action: 'joined' })
  })
}

export async function changeMember(em: EntityManager, home: Home, userId: number, terms: Terms, by: Actor) {
  checkMayGrant(home, terms.accessLevel)
  await em.transactional(async em => {
    const member = await findMember(em, home, userId)
    const before = member.accessLevel

    checkMayGrant(home, before)
    if (before === Role.owner && terms.accessLevel !== Role.owner) await keepAnOwner(em, home, userId)
    member.change(terms)
    const to = `${roleName(member.accessLevel)}${member.expiresAt ? `, until ${member.expiresAt}` : ''}`

    recordMember(em, by, 'member_updated', home, member.user as User, { change: 'access_level', from: roleName(before), to })
  })
}

/** People may always leave by themselves. */
export async function removeMember(em: EntityManager, home: Home, userId: number, by: Actor) {
  const isLeaving = by.user?.id === userId

  if (!isLeaving) checkMayGrant(home)
  await em.transactional(async em => {
    const member = await findMember(em, home, userId)

    if (!isLeaving) checkMayGrant(home, member.accessLevel)
    if (home.ownerId === userId) throw new Forbidden('A project in somebody’s own space is theirs')
    if (member.accessLevel === Role.owner) await keepAnOwner(em, home, userId)
    recordMember(em, by, 'member_removed', home, member.user as User, { remove: 'user_access', from: roleName(member.accessLevel) })
    em.remove(member)
  })
}

export class AlreadyMember extends Problem {
  constructor() {
    super(409, { message: 'Member already exists' })
  }
}

async function findMember(em: EntityManager, home: Home, userId: number) {
  const isLive = { $or: [{ expiresAt: null }, { expiresAt: { $gte: new Date().toISOString().slice(0, 10) } }] }
  const member = await em.findOne(Member, { ...keyOf(home), user: userId, ...isLive }, { populate: ['user'] })

  if (!member) throw new NotFound('Member')

  return member
}

/** Two owners who leave at the same time wait for each other here, so that one of them stays. */
async function keepAnOwner(em: EntityManager, { type, id, above }: Home, userId: number) {
  if (type !== 'Group') return
  await query(em, 'SELECT FROM namespaces WHERE id = $1 FOR NO KEY UPDATE', [id])
  const [other] = await query(
    em,
    `SELECT FROM members m WHERE m.group_id = ANY ($1::bigint[]) AND m.user_id <> $2 AND m.access_level = ${Role.owner} AND ${isLive} LIMIT 1`,
    [[id, ...above], userId]
  )

  if (!other) throw new ValidationFailed({ base: ['a group must keep at least one owner'] })
}

function recordMember(em: EntityManager, by: Actor, name: string, home: Home, user: User, details: Record<string, unknown>) {
  record(em, by, { name, entity: home, target: { type: 'User', id: user.id, details: user.username }, details })
}

function column({ type }: Home) {
  return type === 'Project' ? 'project_id' : 'group_id'
}
