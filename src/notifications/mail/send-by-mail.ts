import { ownsEmail } from '#identity/emails/claim-email.ts'
import { User } from '#identity/users/user.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Mailbox } from '#platform/mail/mailbox.ts'
import { MailRefused } from '#platform/mail/mailer.ts'
import type { Delivery } from '../deliveries/delivery.ts'
import { withoutOptOuts } from '../deliveries/opt-out-store.ts'
import type { Outcome, SendDeps } from '../deliveries/outcome.ts'
import { narrow } from '../messages/load-message.ts'
import type { Message } from '../messages/message.ts'
import { listMembers } from '../recipients/recipient-store.ts'
import { findSetting } from '../settings/change-setting.ts'
import { optOutSubject, unsubscribeUrl } from './unsubscribe.ts'
import { type MailOptions, writeMail } from './write-mail.ts'

/** Sends a message to the user or the address of a delivery. */
export async function sendByMail(em: EntityManager, delivery: Delivery, message: Message, deps: SendDeps): Promise<Outcome> {
  const { message: rest, reason } = await narrowToRecipient(em, delivery, message)

  if (!rest) return { status: 'discarded', answer: reason }
  const to = delivery.userId ? await findMailbox(em, delivery.userId) : { name: '', address: delivery.address! }
  const timeZone = delivery.userId ? (await em.findOneOrFail(User, { id: delivery.userId })).timeZone : undefined
  const outcome = await sendMail(to, rest, deps, { unsubscribeUrl: await unsubscribeUrl(deps.config, delivery, rest), timeZone })

  // Developers see the answer, but not the address of another member.
  return delivery.userId ? { ...outcome, answer: outcome.answer.replaceAll(to.address, 'the user') } : outcome
}

/** Never throws for what the mail server does. */
export async function sendMail(to: Mailbox, message: Message, { mail }: SendDeps, options?: MailOptions): Promise<Outcome> {
  if (!mail.isConfigured) return { status: 'failed', answer: 'No mail server is configured.' }

  try {
    await mail.send({ ...writeMail(message, options), to })

    return { status: 'sent', answer: `Accepted by the mail server for ${to.address}.` }
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error

    return { status: error.isPermanent ? 'failed' : 'retry', answer: error.message }
  }
}

/** The address in the user's global notification setting, while it is confirmed; otherwise the primary one. */
export async function findMailbox(em: EntityManager, userId: number): Promise<Mailbox> {
  const user = await em.findOneOrFail(User, { id: userId })
  const { notificationEmail } = await findSetting(em, user, { projectId: null, groupId: null })

  if (notificationEmail && (await ownsEmail(em, user, notificationEmail))) return { name: user.name, address: notificationEmail }

  return { name: user.name, address: user.email }
}

/**
 * The message without what its recipient may no longer see, or has unsubscribed from. Hours may pass between an occurrence and
 * its e-mail. Returns a reason when nothing is left.
 */
async function narrowToRecipient(em: EntityManager, delivery: Delivery, message: Message) {
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
