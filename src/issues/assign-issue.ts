import { isMember } from '../error-tracking/groups/is-member.ts'
import { ValidationFailed } from '../http/problems/problems.ts'
import { User } from '../identity/users/user.ts'
import { type EntityManager, query } from '../platform/database/database.ts'

interface Assignable {
  id: number
  projectId: number
}

/**
 * Who works on an issue, or looks after an alert, from now on: members of its project. Tells the line of history that
 * this is worth, or nothing when it changed nothing.
 */
export async function assign(em: EntityManager, kind: 'issue' | 'alert', { id, projectId }: Assignable, userIds: number[]) {
  const wanted = [...new Set(userIds)]
  const rows = await query<{ user_id: string }>(em, `SELECT user_id FROM ${kind}_assignees WHERE ${kind}_id = $1`, [id])
  const before = rows.map(row => Number(row.user_id))
  const added = wanted.filter(userId => !before.includes(userId))

  for (const userId of added) {
    if (!(await isMember(em, projectId, userId))) throw new ValidationFailed({ assignee_ids: [`${userId} is not a member of the project`] })
  }
  if (added.length === 0 && before.length === wanted.length) return undefined
  await query(em, `DELETE FROM ${kind}_assignees WHERE ${kind}_id = $1 AND user_id <> ALL ($2::bigint[])`, [id, wanted])
  await query(em, `INSERT INTO ${kind}_assignees (${kind}_id, user_id) SELECT $1, unnest($2::bigint[]) ON CONFLICT DO NOTHING`, [id, added])
  const people = await em.find(User, { id: { $in: wanted } }, { orderBy: { id: 'asc' } })

  return people.length > 0 ? `assigned to ${people.map(({ username }) => `@${username}`).join(', ')}` : 'unassigned everybody'
}

/** Clients name one, or several; null, 0 or none for nobody. Nothing when they say nothing of it. */
export function readAssignees({ assignee_id: one, assignee_ids: all }: { assignee_id?: number | null; assignee_ids?: number[] }) {
  if (all !== undefined) return all.filter(id => id !== 0)

  return one === undefined ? undefined : one ? [one] : []
}
