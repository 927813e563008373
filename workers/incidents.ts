import { sendAlertMail } from '../src/alerts/mail/jobs.ts'
import { listAlertMails } from '../src/alerts/mail/list-alert-mails.ts'
import { updateIncidents } from '../src/incidents/jobs.ts'
import { updateIncidentsOf } from '../src/incidents/update-incidents.ts'
import { handle } from '../src/platform/queue/handler.ts'

export const incidents = [
  handle(updateIncidents, async (items, { em, config, queues, signal }) => {
    for (const item of items) {
      await updateIncidentsOf(em, item, { baseUrl: config.baseUrl, signal })
      if (config.smtp.url) await queues.enqueueAll(sendAlertMail, await listAlertMails(em, item))
    }
  })
]
