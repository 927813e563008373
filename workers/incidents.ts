import { wantedMail } from '../src/alerts/mail/alert-mail-follow-ups.ts'
import { tellPeople } from '../src/alerts/mail/jobs.ts'
import { followAlerts } from '../src/incidents/jobs.ts'
import { follow } from '../src/incidents/update-incidents.ts'
import { handle } from '../src/platform/queue/worker.ts'

export const incidents = [
  handle(followAlerts, async (items, { em, config, queues, signal }) => {
    for (const news of items) {
      await follow(em, news, { baseUrl: config.baseUrl, signal })
      if (config.smtp.url) await queues.enqueueAll(tellPeople, await wantedMail(em, news))
    }
  })
]
