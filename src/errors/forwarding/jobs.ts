import Type from 'typebox'
import { defineJob } from '#platform/queue/job.ts'
import type { Queues } from '#platform/queue/queues.ts'

/** Sends on what waits of a project. One job does so at a time. */
export const forwardEnvelopes = defineJob({
  name: 'errors.forward',
  queue: 'deliveries',
  item: Type.Object({ projectId: Type.Integer() })
})

/** Finds projects whose job was lost, or whose receiver is to be tried again. */
export const resumeForwarding = defineJob({ name: 'errors.resume-forwarding', queue: 'deliveries', item: Type.Object({}) })

/** One job for a project; `again` while it still runs. */
export function enqueueForwarding(queues: Pick<Queues, 'enqueue'>, projectId: number, { again = false } = {}) {
  const jobId = `${forwardEnvelopes.name}-${projectId}${again ? `-${Date.now()}` : ''}`

  return queues.enqueue(forwardEnvelopes, { projectId }, { jobId, removeOnComplete: true, removeOnFail: true })
}
