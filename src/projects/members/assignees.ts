import { sql } from 'kysely'
import Type from 'typebox'
import { User } from '#identity/users/user.ts'
import { ValidationFailed } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { allOf } from '#platform/database/filter.ts'
import type { PersonLike } from '../present-project.ts'
import { type AssignableType, findAssigneeIds, replaceAssignees } from './assignee-store.ts'
import { isMember } from './member-store.ts'

interface Assignable {
  id: number
  projectId: number
}

/** The new assignees, or how to derive them from the current ones. */
export type AssigneeChange = number[] | ((current: number[]) => number[])

export interface Assignment {
  /** The body of the system note. */
  note: string
  added: number[]
  removed: number[]
}

/**
 * Assigns an issue or an alert to members of its project. Runs in the caller's transaction, which has locked the row.
 * Returns undefined when nothing changed.
 */
export async function assign(
  em: EntityManager,
  type: AssignableType,
  { id, projectId }: Assignable,
  change: AssigneeChange
): Promise<Assignment | undefined> {
  const current = await findAssigneeIds(em, type, id)
  const assigneeIds = [...new Set(typeof change === 'function' ? change(current) : change)]
  const added = assigneeIds.filter(userId => !current.includes(userId))

  for (const userId of added) {
    if (!(await isMember(em, projectId, userId))) throw new ValidationFailed({ assignee_ids: [`${userId} is not a member of the project`] })
  }
  if (added.length === 0 && current.length === assigneeIds.length) return undefined
  await replaceAssignees(em, type, id, assigneeIds)
  const users = await em.find(User, { id: { $in: assigneeIds } }, { orderBy: { id: 'asc' } })

  const note = users.length > 0 ? `assigned to ${users.map(({ username }) => `@${username}`).join(', ')}` : 'unassigned everybody'

  return { note, added, removed: current.filter(userId => !assigneeIds.includes(userId)) }
}

/** `assignee_ids`, or else `assignee_id`; null and 0 unassign. Undefined when the request has neither. */
export function readAssigneeIds({ assignee_id: id, assignee_ids: ids }: { assignee_id?: number | null; assignee_ids?: number[] }) {
  if (ids !== undefined) return ids.filter(id => id !== 0)

  return id === undefined ? undefined : id ? [id] : []
}

/** In the query of a list. 0 means the same as `None`. */
export const AssigneeId = Type.Union([Type.Integer(), Type.Enum(['None', 'Any', 'none', 'any'])], {
  description: 'The ID of a user, `None` or `Any`.'
})

/** Filters a list of alerts or issues by assignee. */
export function isAssigned(type: AssignableType, id: Type.Static<typeof AssigneeId> | undefined, username: string | undefined) {
  const assignees = sql`SELECT FROM ${sql.table(`${type}_assignees`)} s JOIN users u ON u.id = s.user_id
    WHERE ${sql.ref(`s.${type}_id`)} = ${sql.ref(`${type}s.id`)}`

  return allOf(
    (id === 0 || /^none$/i.test(String(id))) && sql`NOT EXISTS (${assignees})`,
    isAny(id) && sql`EXISTS (${assignees})`,
    typeof id === 'number' && id !== 0 && sql`EXISTS (${assignees} AND u.id = ${id})`,
    username !== undefined && sql`EXISTS (${assignees} AND lower(u.username) = lower(${username}))`
  )
}

export function isAny(id: unknown) {
  return id === 'Any' || id === 'any'
}

/** A joined user as JSON; NULL where the outer join found none. */
export function personJson(user: string) {
  return sql<PersonLike | null>`CASE WHEN ${sql.ref(`${user}.id`)} IS NOT NULL THEN ${personObject(user)} END`
}

/** The assignees of the joined row as a JSON array. */
export function assigneesJson(type: AssignableType, subject: string) {
  return sql<PersonLike[]>`(SELECT coalesce(jsonb_agg(${personObject('u')} ORDER BY u.id), '[]')
    FROM ${sql.table(`${type}_assignees`)} s JOIN users u ON u.id = s.user_id
    WHERE ${sql.ref(`s.${type}_id`)} = ${sql.ref(`${subject}.id`)})`
}

function personObject(user: string) {
  const column = (name: string) => sql.ref(`${user}.${name}`)

  return sql`jsonb_build_object('id', ${column('id')}, 'username', ${column('username')}, 'name', ${column('name')}, 'state', ${column('state')},
    'avatar', ${column('avatar')})`
}
