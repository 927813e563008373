import Type from 'typebox'
import { defineJob } from '#platform/queue/job.ts'

/** Alerts of one project were triggered or resolved: open or close incidents, as its settings say. */
export const updateIncidents = defineJob({
  name: 'incidents.follow',
  queue: 'incidents',
  item: Type.Object({
    projectId: Type.Integer(),
    /** The id of the request that changed the alerts; makes the job repeatable. */
    cause: Type.String(),
    triggered: Type.Array(Type.Integer()),
    resolved: Type.Array(Type.Integer()),
    /** The webhook event that led to it. */
    chain: Type.Optional(Type.String())
  }),
  key: ({ projectId, cause }) => `${projectId}-${cause}`
})
