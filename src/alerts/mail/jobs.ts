import Type from 'typebox'
import { defineJob } from '../../platform/queue/job.ts'

/** Tells people by e-mail what became of an alert; once each, however often it becomes that again. */
export const tellPeople = defineJob({
  name: 'mail.alert',
  queue: 'mail',
  item: Type.Object({ projectId: Type.Integer(), iid: Type.Integer(), became: Type.Enum(['triggered', 'resolved']) }),
  key: ({ projectId, iid, became }) => `${projectId}-${iid}-${became}`,
  // Over an hour, in which a mail server may be away.
  attempts: 12
})
