import type { ErrorGroup } from '#errors/groups/error-group.ts'
import { User } from '#identity/users/user.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { findGroupPaths } from '#projects/members/assignee-group-store.ts'

type Assigned = Pick<ErrorGroup, 'assigneeId' | 'assigneeGroupId'>

/** Names the assignee of each of these errors: `@ann` or `#acme/billing`. */
export async function assigneeNames(em: EntityManager, groups: Assigned[]) {
  const ids = [...new Set(groups.flatMap(({ assigneeId }) => assigneeId ?? []))]
  const users = ids.length > 0 ? await em.find(User, { id: { $in: ids } }) : []
  const usernames = new Map(users.map(({ id, username }) => [id, username]))
  const paths = await findGroupPaths(
    em,
    groups.flatMap(({ assigneeGroupId }) => assigneeGroupId ?? [])
  )

  return ({ assigneeId, assigneeGroupId }: Assigned) => {
    if (assigneeId) return `@${usernames.get(assigneeId)}`

    return assigneeGroupId ? `#${paths.get(assigneeGroupId)}` : undefined
  }
}
