import type { Config } from '#config.ts'
import { User } from '#identity/users/user.ts'
import type { OutboxMail } from '#outbox/outbox-entry.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { MailMessage } from '#platform/mail/mailer.ts'
import { cut } from '../messages/wording.ts'
import { findMailbox } from './send-by-mail.ts'

export interface Letter {
  subject: string
  opening: string
  link: { label: string; url: string }
  closing: string
}

export interface Context {
  mail: OutboxMail
  actor: User | null
  config: Config
  at: Date
}

export type Written = { to: MailMessage['to']; letter: Letter } | undefined
/** Undefined when there is no reason to send it any more. */
export type Writer = (em: EntityManager, context: Context) => Promise<Written>

/** Users get mail while they can sign in, at a confirmed address. */
export async function toUser(em: EntityManager, { subjectId: id }: OutboxMail, letter: Letter) {
  const user = await em.findOne(User, { id, state: 'active', confirmedAt: { $ne: null } })

  return user ? { to: await findMailbox(em, user.id), letter } : undefined
}

export function nameOf({ name, username }: User) {
  return `${cut(name, 100)} (@${username})`
}
