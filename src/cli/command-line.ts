import type { Actor } from '#audit/record-audit-event.ts'
import type { NewToken } from '#identity/tokens/issue-token.ts'
import { issuePersonalToken } from '#identity/tokens/personal-token.ts'
import { findUser as findByName } from '#identity/users/find-user.ts'
import type { User } from '#identity/users/user.ts'
import type { EntityManager } from '#platform/database/database.ts'

/** The actor of commands: it has an admin's rights, and is not a user. */
export const commandLine: Actor = { name: 'Command line', scopes: 'all', ip: '127.0.0.1' }

export async function findUser(em: EntityManager, username: string) {
  const user = await findByName(em, username)

  if (!user) throw new Error(`There is no user "${username}". List them with: tocsin user list`)

  return user
}

export function issueFor(em: EntityManager, user: User, input: Partial<NewToken> & Pick<NewToken, 'scopes'>) {
  if (input.expires_at && !/^\d{4}-\d\d-\d\d$/.test(input.expires_at)) throw new Error('--expires is a day, such as 2027-06-30.')

  return issuePersonalToken(em, commandLine, user, { name: 'command line', ...input }, new Date())
}
