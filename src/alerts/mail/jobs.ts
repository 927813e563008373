import Type from 'typebox'
import { defineJob } from '../../platform/queue/job.ts'

/** Sends e-mail about a triggered or resolved alert; at most one per recipient and state, however often the alert changes. */
export const sendAlertMail = defineJob({
  name: 'mail.alert',
  queue: 'mail',
  item: Type.Object({ projectId: Type.Integer(), iid: Type.Integer(), became: Type.Enum(['triggered', 'resolved']) }),
  key: ({ projectId, iid, became }) => `${projectId}-${iid}-${became}`,
  // More than an hour: outlasts an outage of the mail server.
  attempts: 12
})
