import { sendConfirmation, useConfirmedEmail } from '#identity/emails/jobs.ts'
import { mailConfirmation } from '#identity/emails/send-confirmation.ts'
import { sendPlaceMail } from '#notifications/mail/jobs.ts'
import { giveUpPlaceMail, mailAboutPlace } from '#notifications/mail/send-place-mail.ts'
import { handle } from '#platform/queue/handler.ts'
import { acceptConfirmed } from '#projects/invitations/accept-invitation.ts'

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
