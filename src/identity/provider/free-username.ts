import { sql } from '@mikro-orm/core'
import { isPathFree } from '#namespaces/path-store.ts'
import { toPath, topLevelPathError } from '#namespaces/paths.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { newSecret } from '../secrets.ts'
import { User } from '../users/user.ts'
import type { Person } from './person.ts'

/** A username like the one at the provider, or like the address, that nobody has. */
export async function freeUsername(em: EntityManager, { username, email }: Pick<Person, 'username' | 'email'>) {
  const base = toPath((username || email).split('@')[0]!).slice(0, 60) || 'user'
  const numbered = Array.from({ length: 20 }, (_, n) => `${base}-${n + 2}`)

  for (const candidate of [base, ...numbered]) if (await isFree(em, candidate)) return candidate

  return `${base}-${newSecret()
    .replaceAll(/[^a-z\d]/gi, '')
    .slice(0, 8)
    .toLowerCase()}`
}

async function isFree(em: EntityManager, username: string) {
  if (topLevelPathError(username)) return false

  return (await em.count(User, { [sql.lower('username')]: username })) === 0 && isPathFree(em, username)
}
