import { sendAlertMail } from '../src/alerts/mail/jobs.ts'
import { mailRecipients } from '../src/alerts/mail/send-alert-mail.ts'
import { sendConfirmation } from '../src/identity/emails/jobs.ts'
import { mailConfirmation } from '../src/identity/emails/send-confirmation.ts'
import { handle } from '../src/platform/queue/handler.ts'

export const mail = [
  handle(sendAlertMail, async (items, { em, config, mail }) => {
    // Without a mail server, nothing is sent: a retry would fail, too.
    if (mail) for (const item of items) await mailRecipients(em, mail, item, config.baseUrl)
  }),
  handle(sendConfirmation, async (items, { em, config, mail }) => {
    if (mail) for (const item of items) await mailConfirmation(em, mail, item, config)
  })
]
