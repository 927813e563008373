import type { Config } from '#config.ts'
import { escapeHtml } from '#lib/escape-html.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Mail } from '#platform/mail/mailer.ts'
import type { ItemOf } from '#platform/queue/job.ts'
import { User } from '../users/user.ts'
import { confirmationToken } from './confirm-email.ts'
import type { sendConfirmation } from './jobs.ts'
import { UserEmail } from './user-email.ts'

/** Nothing is sent when the address was confirmed or removed in the meantime. */
export async function mailConfirmation(
  em: EntityManager,
  mail: Mail,
  { userId, email, period }: ItemOf<typeof sendConfirmation>,
  config: Config
) {
  const user = await em.findOne(User, { id: userId })
  const address = user?.email === email ? user : await em.findOne(UserEmail, { userId, email })

  if (!user || !address || address.confirmedAt) return
  const token = await confirmationToken(config, userId, email)
  const url = `${config.baseUrl}/users/confirmation?confirmation_token=${token}`
  const opening = `${user.username} at ${config.baseUrl} has this e-mail address. Follow the link to confirm it:`
  const closing = 'If you do not know of this, ignore the message.'

  await mail.send({
    to: { name: user.name, address: email },
    subject: 'Confirm your e-mail address',
    text: [opening, url, closing].join('\n\n'),
    html: `<p>${escapeHtml(opening)}</p>\n<p><a href="${escapeHtml(url)}">Confirm ${escapeHtml(email)}</a></p>\n<p>${closing}</p>\n`,
    id: `confirmation-${token}-${period}`
  })
}
