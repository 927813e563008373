import { addToOutbox } from '#outbox/outbox-store.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { findDueTomorrow } from './due-issue-store.ts'

const batchSize = 1000

/** Notifies people of the open issues that are due tomorrow (UTC). The key of the outbox makes that it happens once for each due date. */
export async function notifyOfDueIssues(em: EntityManager, at: Date) {
  for (let isFull = true; isFull; ) {
    isFull = await em.fork().transactional(async em => {
      const issues = await findDueTomorrow(em, at, batchSize)

      await addToOutbox(
        em,
        issues.map(issue => ({ kind: 'issue.due', ...issue }))
      )

      return issues.length === batchSize
    })
  }
}
