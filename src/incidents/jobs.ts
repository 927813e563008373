import Type from 'typebox'
import { defineJob } from '../platform/queue/job.ts'

/** What became of alerts of one project: some want an incident, or an e-mail, of it. */
export const followAlerts = defineJob({
  name: 'incidents.follow',
  queue: 'incidents',
  item: Type.Object({
    projectId: Type.Integer(),
    /** What brought the news; the same again brings the same. */
    cause: Type.String(),
    triggered: Type.Array(Type.Integer()),
    resolved: Type.Array(Type.Integer()),
    /** People who did it need no e-mail of it. */
    isByHand: Type.Optional(Type.Boolean())
  }),
  key: ({ projectId, cause }) => `${projectId}-${cause}`
})
