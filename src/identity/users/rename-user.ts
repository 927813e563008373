import { Namespace } from '../../namespaces/namespace.ts'
import { renameNamespace } from '../../namespaces/rename-namespace.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import type { User } from './user.ts'
import { checkUsername } from './username.ts'

interface Names {
  username: string
  name: string
}

/** Names a user's own space as the user; what lies in it is found by its former paths, too. Within a transaction. */
export async function renameUser(em: EntityManager, user: User, { username, name }: Names) {
  const space = await em.findOneOrFail(Namespace, { ownerId: user.id, kind: 'user' })

  space.name = name
  if (username === user.username) return
  checkUsername(username)
  await renameNamespace(em, space, username)
}
