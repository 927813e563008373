import type { Actor } from '#audit/record-audit-event.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { requestConfirmation } from '../emails/jobs.ts'
import { type UserChange, updateUser } from './update-user.ts'

type Change = Omit<UserChange, 'isConfirmed'> & { skip_reconfirmation?: boolean }

/** Changes a user for an admin. A new address is confirmed like that of a new user. */
export async function changeUser(
  em: EntityManager,
  deps: Parameters<typeof requestConfirmation>[0],
  actor: Actor,
  id: number,
  { skip_reconfirmation: isSkipped, ...input }: Change
) {
  const user = await updateUser(em, actor, id, { ...input, isConfirmed: isSkipped || !deps.config.smtp.url })

  if (input.email) await requestConfirmation(deps, { ...user, userId: user.id }, new Date())

  return user
}
