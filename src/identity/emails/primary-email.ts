import { sql } from '@mikro-orm/core'
import type { EntityManager } from '#platform/database/database.ts'
import type { User } from '../users/user.ts'
import { EmailTaken } from '../users/username.ts'
import { claimEmail } from './claim-email.ts'
import { UserEmail } from './user-email.ts'

/**
 * Gives a user another primary address. When it was one of the user's other addresses, the two are exchanged. Within a
 * transaction that has locked the user.
 */
export async function changePrimaryEmail(em: EntityManager, user: User, email: string, confirmedAt: Date | null) {
  if (email.toLowerCase() === user.email.toLowerCase()) return
  if (!(await claimEmail(em, email, user.id))) throw new EmailTaken()
  const other = await em.findOne(UserEmail, { userId: user.id, [sql.lower('email')]: email.toLowerCase() })
  const former = { email: user.email, confirmedAt: user.confirmedAt }

  user.confirmedAt = other?.confirmedAt ?? confirmedAt
  user.email = email
  if (other) em.assign(other, former)
}
