import Type from 'typebox'
import { defineJob } from '../platform/queue/job.ts'

/** Alerts of one project were triggered or resolved: open or close incidents and send e-mail, as its settings say. */
export const updateIncidents = defineJob({
  name: 'incidents.follow',
  queue: 'incidents',
  item: Type.Object({
    projectId: Type.Integer(),
    /** The id of the request that changed the alerts; makes the job repeatable. */
    cause: Type.String(),
    triggered: Type.Array(Type.Integer()),
    resolved: Type.Array(Type.Integer()),
    /** A user resolved the alert: no e-mail. */
    isByHand: Type.Optional(Type.Boolean())
  }),
  key: ({ projectId, cause }) => `${projectId}-${cause}`
})
