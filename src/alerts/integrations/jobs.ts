import Type from 'typebox'
import { defineJob } from '#platform/queue/job.ts'

/** Requests the URL that confirms the subscription of an integration to an SNS topic. */
export const confirmSubscription = defineJob({
  name: 'alerts.confirm-subscription',
  queue: 'maintenance',
  item: Type.Object({
    integrationId: Type.Integer(),
    /** The id of the alert request; makes the job repeatable. */
    cause: Type.String(),
    message: Type.Record(Type.String(), Type.String())
  }),
  key: ({ cause }) => cause
})
