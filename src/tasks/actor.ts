import type { Actor } from '#audit/record-audit-event.ts'
import { User } from '#identity/users/user.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Origin, Task } from './task.ts'

export function originOf({ ip, sudoer, applicationId, chain }: Actor): Origin {
  return { ip, sudoerId: sudoer?.id, applicationId, chain }
}

/** Who began a task, for what its steps record. Without a user when they were deleted meanwhile. */
export async function actorOf(em: EntityManager, { author, origin }: Task): Promise<Actor> {
  const { sudoerId, ...others } = origin
  const [user, sudoer] = [await findUser(em, author?.id), await findUser(em, sudoerId)]

  return { ...others, ...(user && { user }), ...(sudoer && { sudoer }) }
}

async function findUser(em: EntityManager, id: number | undefined) {
  return (id && (await em.findOne(User, { id }))) || undefined
}
