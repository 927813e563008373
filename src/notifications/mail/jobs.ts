import Type from 'typebox'
import { takeFromOutbox } from '#outbox/outbox-store.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { defineJob } from '#platform/queue/job.ts'
import type { Queues } from '#platform/queue/queues.ts'

/** Sends a mail to one person: about their account, or about access to a project or a group. */
export const sendLetter = defineJob({
  name: 'mail.send',
  queue: 'mail',
  item: Type.Object({ mailId: Type.Integer() }),
  key: ({ mailId }) => String(mailId),
  attempts: 12
})

const batchSize = 500

/** The mails that were written since, and those whose job was lost. A mail whose job exists is not enqueued twice. */
export async function enqueueLetters(em: EntityManager, queues: Queues) {
  for (let hasMore = true; hasMore; ) {
    const mails = await takeFromOutbox(em.fork(), 'mail', batchSize)

    await queues.enqueueAll(
      sendLetter,
      mails.map(({ id }) => ({ mailId: id }))
    )
    hasMore = mails.length === batchSize
  }
}
