import type { EntityManager } from '#platform/database/database.ts'
import type { Delivery } from '../deliveries/delivery.ts'
import { withoutOptOuts } from '../deliveries/opt-out-store.ts'
import { narrow } from '../messages/load-message.ts'
import type { Message } from '../messages/message.ts'
import { listMembers } from '../recipients/recipient-store.ts'
import { optOutSubject } from './unsubscribe.ts'

/**
 * The message without what its recipient may no longer see, or has unsubscribed from. Hours may pass between an occurrence and
 * its e-mail. Returns a reason when nothing is left.
 */
export async function narrowToRecipient(em: EntityManager, delivery: Delivery, message: Message) {
  const { projectId, target, userId } = delivery
  const role = userId ? await findRole(em, projectId, userId) : Number.POSITIVE_INFINITY
  const visible = message.occurrences.filter(({ subject }) => subject.minRole <= role)

  if (visible.length === 0) return { reason: 'Not sent: the user has no access, is blocked, or has no confirmed e-mail address.' }
  const subscribed = await withoutOptOuts(
    em,
    visible.map(occurrence => ({ ...occurrence, projectId, target })),
    occurrence => optOutSubject(occurrence, delivery)
  )

  return { message: narrow(message, subscribed), reason: 'Not sent: the recipient has unsubscribed.' }
}

/** In the project; 0 for none. */
async function findRole(em: EntityManager, projectId: number, userId: number) {
  const [member] = await listMembers(em, projectId, [userId])

  return member?.role ?? 0
}
