import { type EntityManager, query } from '../../platform/database/database.ts'
import { type Mail, type MailMessage, MailRefused } from '../../platform/mail/mailer.ts'
import type { ItemOf } from '../../platform/queue/job.ts'
import { Project } from '../../projects/project.ts'
import { Alert } from '../alert.ts'
import { alertUrl } from '../alert-url.ts'
import type { tellPeople } from './jobs.ts'
import { type Recipient, recipientsOf } from './recipients.ts'
import { write } from './write-alert-mail.ts'

/** Writes to everybody who should hear of it, and has not heard. One whom it does not reach does not keep it from the others. */
export async function tell(em: EntityManager, mail: Mail, { projectId, iid, became }: ItemOf<typeof tellPeople>, baseUrl: string) {
  const alert = await em.findOne(Alert, { projectId, iid })
  const project = await em.findOne(Project, projectId)

  if (!alert || !project) return
  const content = write({ alert, became, projectName: project.name, url: alertUrl(baseUrl, projectId, iid) })
  const refusals: MailRefused[] = []

  for (const person of await recipientsOf(em, alert)) {
    const idOf = (what: string) => `alert-${alert.id}-${what}-${person.id}`
    const letter = {
      ...content,
      to: { name: person.name, address: person.email },
      id: idOf(became),
      ...(became === 'resolved' && { inReplyTo: idOf('triggered') })
    }

    try {
      await sendOnce(em, mail, { alertId: alert.id, became, person, letter })
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
  person: Recipient
  letter: MailMessage
}

/**
 * The mark is kept when the server has taken the letter, and not otherwise; whoever comes at the same time waits for that.
 * Only a process that dies in between sends it again, under the same id.
 */
function sendOnce(em: EntityManager, mail: Mail, { alertId, became, person, letter }: Delivery) {
  return em.fork().transactional(async em => {
    const marked = await query(
      em,
      'INSERT INTO alert_mails (alert_id, became, user_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING 1',
      [alertId, became, person.id]
    )

    if (marked.length > 0) await mail.send(letter)
  })
}
