import type { Config } from '../../config.ts'
import { Namespace } from '../../namespaces/namespace.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { hashPassword, hashSecret, newPassword, newSecret } from '../secrets.ts'
import { AccessToken } from '../tokens/access-token.ts'
import { User } from './user.ts'

/** What can be told only once: from here on the secrets are hashes. */
export interface FirstAdmin {
  username: string
  /** Set when it was made here, and has to be replaced at the first sign-in. */
  password?: string
  token?: string
}

/** Makes the first admin of an empty installation; nothing when there is one. */
export async function makeFirstAdmin(em: EntityManager, { root }: Config): Promise<FirstAdmin | undefined> {
  if ((await em.count(User)) > 0) return undefined

  return em.transactional(async em => {
    const admin = em.create(User, { username: root.username, name: 'Administrator', email: `${root.username}@localhost`, isAdmin: true })

    await em.flush()
    em.create(Namespace, { kind: 'user', name: admin.name, path: admin.username, fullPath: admin.username, ownerId: admin.id })

    return setCredentials(em, admin, root)
  })
}

/** Gives an admin a new password and token: what was given, or made up. */
export async function setCredentials(em: EntityManager, admin: User, given: { password?: string; token?: string }): Promise<FirstAdmin> {
  const password = given.password ?? newPassword()
  const token = given.token ?? newSecret('glpat-')

  admin.setPassword(await hashPassword(password), { isOneTime: !given.password })
  em.create(AccessToken, { user: admin, name: 'first steps', tokenHash: hashSecret(token), scopes: ['api', 'sudo'] })
  await em.flush()

  return { username: admin.username, password: given.password ? undefined : password, token: given.token ? undefined : token }
}
