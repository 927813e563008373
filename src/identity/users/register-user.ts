import type { Actor } from '#audit/record-audit-event.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { requestConfirmation } from '../emails/jobs.ts'
import { createUser, type NewUser } from './create-user.ts'

type Registration = Omit<NewUser, 'isConfirmed'> & { skip_confirmation?: boolean }

/** Creates a user for an admin. The address is confirmed by a link, unless the admin vouches for it or no mail can be sent. */
export async function registerUser(
  em: EntityManager,
  deps: Parameters<typeof requestConfirmation>[0],
  actor: Actor,
  { skip_confirmation: isSkipped, ...input }: Registration
) {
  const user = await createUser(em, actor, { ...input, isConfirmed: isSkipped || !deps.config.smtp.url })

  await requestConfirmation(deps, { ...user, userId: user.id }, new Date())

  return user
}
