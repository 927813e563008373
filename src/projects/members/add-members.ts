import type { Actor } from '#audit/record-audit-event.ts'
import { User } from '#identity/users/user.ts'
import { NotFound, Refusal } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { escapeLike } from '#platform/database/filter.ts'
import { addMember, authorizeChange, type MemberAttributes } from './change-members.ts'
import type { MemberSource } from './member-source.ts'

type UserList = { ids: number[]; usernames?: undefined } | { ids?: undefined; usernames: string[] }

/** Adds one user, or fails; adds several users, and returns by username why one could not be added. */
export async function addMembers(
  em: EntityManager,
  source: MemberSource,
  { ids, usernames }: UserList,
  attributes: Required<MemberAttributes>,
  by: Actor
) {
  authorizeChange(source, attributes.accessLevel)
  const users = await em.find(
    User,
    ids ? { id: { $in: ids } } : { $or: usernames.map(name => ({ username: { $ilike: escapeLike(name) } })) }
  )
  const failed: Record<string, Refusal> = {}

  if ((ids ?? usernames).length === 1) {
    const [user] = users

    if (!user) throw new NotFound('User')
    await addMember(em, source, user, attributes, by)

    return { added: user, failed }
  }
  for (const user of users) {
    await addMember(em, source, user, attributes, by).catch(error => {
      if (!(error instanceof Refusal)) throw error
      failed[user.username] = error
    })
  }

  return { failed }
}
