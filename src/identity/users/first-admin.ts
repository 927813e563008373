import type { Config } from '#config.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { isGuessable } from '../guessable-password.ts'
import { hashPassword, hashSecret, newPassword, newSecret, verifyPassword } from '../secrets.ts'
import { AccessToken } from '../tokens/access-token.ts'
import { insertUser } from './create-user.ts'
import { User } from './user.ts'

/** Displayed once: only the hashes are stored. */
export interface FirstAdmin {
  username: string
  /** A generated one-time password; undefined when the settings name one. */
  password?: string
  token?: string
}

/** Creates the first admin of an empty installation; undefined when there is a user already. */
export async function createFirstAdmin(em: EntityManager, { root }: Config): Promise<FirstAdmin | undefined> {
  if ((await em.count(User)) > 0) return undefined
  const { username, password } = root
  const attributes = { username, name: 'Administrator', email: `${username}@localhost` }

  if (password && isGuessable(password, attributes)) throw new Error('ROOT_PASSWORD is too easy to guess: choose one that is not common.')

  return em.transactional(async em => {
    const admin = await insertUser(em, { ...attributes, isAdmin: true })

    return resetCredentials(em, admin, root)
  })
}

/** The settings that have no effect, because the first admin was created with other credentials. */
export async function ignoredCredentials(em: EntityManager, { root: { username, password, token } }: Config) {
  const admin = await em.findOne(User, { username })
  const accessToken = token && admin ? await em.findOne(AccessToken, { user: admin, tokenHash: hashSecret(token) }) : undefined
  const ignored: string[] = []

  if (password && !(await verifyPassword(password, admin?.passwordHash))) ignored.push('ROOT_PASSWORD')
  if (token && !accessToken?.isActive(new Date())) ignored.push('ROOT_TOKEN')

  return ignored
}

/** Sets a new password and creates a token; generates those that are not chosen. */
export async function resetCredentials(em: EntityManager, admin: User, chosen: { password?: string; token?: string }): Promise<FirstAdmin> {
  const password = chosen.password ?? newPassword()
  const token = chosen.token ?? newSecret('glpat-')

  admin.setPassword(await hashPassword(password), { isOneTime: !chosen.password })
  em.create(AccessToken, { user: admin, name: 'first steps', tokenHash: hashSecret(token), scopes: ['api', 'sudo'] })
  await em.flush()

  return { username: admin.username, password: chosen.password ? undefined : password, token: chosen.token ? undefined : token }
}
