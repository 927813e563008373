import type { EntityManager } from '../../platform/database/database.ts'
import { type Mail, type MailMessage, MailRefused } from '../../platform/mail/mailer.ts'
import type { ItemOf } from '../../platform/queue/job.ts'
import { Project } from '../../projects/project.ts'
import { Alert } from '../alert.ts'
import type { sendAlertMail } from './jobs.ts'
import { findRecipients } from './recipients.ts'
import { renderAlertMail } from './write-alert-mail.ts'

/** Sends the e-mail to each recipient that has not received it. A refused recipient does not stop the others. */
export async function mailRecipients(
  em: EntityManager,
  mail: Mail,
  { projectId, iid, became }: ItemOf<typeof sendAlertMail>,
  baseUrl: string
) {
  const alert = await em.findOne(Alert, { projectId, iid })
  const project = await em.findOne(Project, projectId)

  if (!alert || !project) return
  const content = renderAlertMail({ alert, became, projectName: project.name, url: alert.url(baseUrl) })
  const refusals: MailRefused[] = []

  for (const { id: userId, name, email } of await findRecipients(em, alert)) {
    const messageId = (state: string) => `alert-${alert.id}-${state}-${userId}`
    const message = {
      ...content,
      to: { name, address: email },
      id: messageId(became),
      ...(became === 'resolved' && { inReplyTo: messageId('triggered') })
    }

    try {
      await sendOnce(em, mail, { alertId: alert.id, became, userId, message })
    } catch (error) {
      if (!(error instanceof MailRefused && error.isPermanent)) throw error
      refusals.push(error)
    }
  }
  if (refusals[0]) throw refusals[0]
}

interface Delivery {
  alertId: number
  became: string
  userId: number
  message: MailMessage
}

/**
 * The row in `alert_mails` commits only when the server has accepted the message; a concurrent insert waits for that.
 * Only a process that dies in between sends the message again, with the same message id.
 */
function sendOnce(em: EntityManager, mail: Mail, { alertId, became, userId, message }: Delivery) {
  return em.fork().transactional(async em => {
    const inserted = await em
      .getKysely<{ alert_mails: { alert_id: number; became: string; user_id: number } }>()
      .insertInto('alert_mails')
      .values({ alert_id: alertId, became, user_id: userId })
      .onConflict(conflict => conflict.doNothing())
      .returning('alert_id')
      .execute()

    if (inserted.length > 0) await mail.send(message)
  })
}
