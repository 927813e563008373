import type { Actor } from '#audit/record-audit-event.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { requestConfirmation } from '../emails/jobs.ts'
import { sendPasswordLink } from '../passwords/send-password-link.ts'
import { createUser, type NewUser } from './create-user.ts'

type Registration = Omit<NewUser, 'isConfirmed'> & { skip_confirmation?: boolean }

/**
 * Creates a user for an admin. The address is confirmed by a link, unless the admin vouches for it or no mail can be sent. A user
 * without a password is mailed a link to choose one, which confirms the address, too.
 */
export async function registerUser(
  em: EntityManager,
  deps: Parameters<typeof requestConfirmation>[0] & { config: Parameters<typeof sendPasswordLink>[1] },
  actor: Actor,
  { skip_confirmation: isSkipped, ...input }: Registration
) {
  const { config } = deps
  const user = await createUser(em, actor, { ...input, isConfirmed: isSkipped || !config.smtp.url })
  const isWelcomed = Boolean(input.reset_password && config.smtp.url)

  if (isWelcomed) await sendPasswordLink(em, config, actor, user.id, new Date())
  if (!isWelcomed || user.confirmedAt) await requestConfirmation(deps, { ...user, userId: user.id }, new Date())

  return user
}
