import { sendConfirmation } from '../src/identity/emails/jobs.ts'
import { mailConfirmation } from '../src/identity/emails/send-confirmation.ts'
import { handle } from '../src/platform/queue/handler.ts'

export const mail = [
  handle(sendConfirmation, async (items, { em, config, mail }) => {
    if (mail) for (const item of items) await mailConfirmation(em, mail, item, config)
  })
]
