import { follow } from '../src/alerts/incidents/follow.ts'
import { followAlerts } from '../src/alerts/incidents/jobs.ts'
import { tellPeople } from '../src/alerts/mail/jobs.ts'
import { wantedMail } from '../src/alerts/mail/wanted.ts'
import { handle } from '../src/platform/worker.ts'

export const incidents = [
  handle(followAlerts, async (items, { em, config, queues, signal }) => {
    for (const news of items) {
      await follow(em, news, { baseUrl: config.baseUrl, signal })
      if (config.smtp.url) await queues.enqueueAll(tellPeople, await wantedMail(em, news))
    }
  })
]
