import { randomUUID } from 'node:crypto'
import type { Alert } from '../alerts/alert.ts'
import type { Queues } from '../platform/queue/queues.ts'
import { followAlerts } from './jobs.ts'

/** What follows when somebody resolved an alert. Asked for again it follows again: whoever got no answer the first time repeats it. */
export async function followResolved(queues: Queues, { projectId, iid, issueId, status }: Alert) {
  if (status !== 'resolved' || !issueId) return
  await queues.enqueue(followAlerts, { projectId, cause: randomUUID(), triggered: [], resolved: [iid], isByHand: true })
}
