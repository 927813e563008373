import { sendConfirmation, useConfirmedEmail } from '../src/identity/emails/jobs.ts'
import { mailConfirmation } from '../src/identity/emails/send-confirmation.ts'
import { sendPlaceMail } from '../src/notifications/place-mails/jobs.ts'
import { giveUpPlaceMail, mailAboutPlace } from '../src/notifications/place-mails/send-place-mail.ts'
import { handle } from '../src/platform/queue/handler.ts'
import { acceptConfirmed } from '../src/projects/invitations/accept-invitation.ts'

export const mail = [
  handle(sendConfirmation, async (items, { em, config, mail }) => {
    if (mail) for (const item of items) await mailConfirmation(em, mail, item, config)
  }),
  handle(
    sendPlaceMail,
    async (items, { em, config, mail }) => {
      for (const item of items) await mailAboutPlace(em, item, { config, mail }, new Date())
    },
    {
      failed: async (items, { em }) => {
        for (const item of items) await giveUpPlaceMail(em, item, new Date())
      }
    }
  ),
  handle(useConfirmedEmail, async (items, { em }) => {
    for (const { userId } of items) await acceptConfirmed(em, userId, new Date())
  })
]
