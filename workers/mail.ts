import { tellPeople } from '../src/alerts/mail/jobs.ts'
import { tell } from '../src/alerts/mail/send-alert-mail.ts'
import { handle } from '../src/platform/queue/worker.ts'

export const mail = [
  handle(tellPeople, async (items, { em, config, mail }) => {
    // Without a way out there is nothing to wait for.
    if (mail) for (const item of items) await tell(em, mail, item, config.baseUrl)
  })
]
