import { useConfirmedEmail } from '#identity/emails/jobs.ts'
import { sendLetter } from '#notifications/mail/jobs.ts'
import { giveUpLetter, mailLetter } from '#notifications/mail/send-letter.ts'
import { handle } from '#platform/queue/handler.ts'
import { acceptConfirmed } from '#projects/invitations/accept-invitation.ts'

export const mail = [
  handle(
    sendLetter,
    async (items, { em, config, mail }) => {
      for (const item of items) await mailLetter(em, item, { config, mail }, new Date())
    },
    {
      failed: async (items, { em }) => {
        for (const item of items) await giveUpLetter(em, item, new Date())
      }
    }
  ),
  handle(useConfirmedEmail, async (items, { em }) => {
    for (const { userId } of items) await acceptConfirmed(em, userId, new Date())
  })
]
