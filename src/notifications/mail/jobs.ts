import Type from 'typebox'
import { takeMails } from '#outbox/mail-store.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { defineJob } from '#platform/queue/job.ts'
import type { Queues } from '#platform/queue/queues.ts'

/** Sends a mail about access to a project or a group. */
export const sendPlaceMail = defineJob({
  name: 'mail.place',
  queue: 'mail',
  item: Type.Object({ mailId: Type.Integer() }),
  key: ({ mailId }) => String(mailId),
  attempts: 12
})

const batchSize = 500
const overdueMs = 60_000

/** The mails that were written since, and those whose job was lost. A mail whose job exists is not enqueued twice. */
export async function enqueuePlaceMails(em: EntityManager, queues: Queues) {
  for (let ids: number[] | undefined; !ids || ids.length === batchSize; ) {
    ids = await takeMails(em.fork(), batchSize, overdueMs)
    await queues.enqueueAll(
      sendPlaceMail,
      ids.map(mailId => ({ mailId }))
    )
  }
}
