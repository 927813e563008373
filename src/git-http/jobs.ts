import Type, { type Static } from 'typebox'
import { defineJob } from '#platform/queue/job.ts'

const Sha = Type.String({ pattern: '^[0-9a-f]{40}$' })

/** A branch or tag that a push created, moved or deleted. A sha of zeros means that it did not exist. */
export const RefChange = Type.Object({ ref: Type.String({ description: 'In full, such as `refs/heads/main`.' }), before: Sha, after: Sha })
export type RefChange = Static<typeof RefChange>

/** A push by git or through the REST API. It becomes one activity event for each branch and tag. */
export const recordPush = defineJob({
  name: 'pushes.record',
  queue: 'activity',
  item: Type.Object({
    projectId: Type.Integer(),
    userId: Type.Integer(),
    /** Random. With the ref it makes the deduplication key of an event. */
    id: Type.String(),
    pushedAt: Type.String(),
    changes: Type.Array(RefChange),
    /** The webhook event that led to it. */
    chain: Type.Optional(Type.String())
  }),
  tenant: item => item.projectId,
  weight: item => item.changes.length
})
