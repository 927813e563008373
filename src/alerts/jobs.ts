import Type from 'typebox'
import { defineJob } from '#platform/queue/job.ts'

/** Processes payloads as received. The client waits for the receipt. */
export const receiveAlerts = defineJob({
  name: 'alerts.receive',
  queue: 'alerts',
  batched: true,
  item: Type.Object({
    /** The same for repetitions of a request. */
    id: Type.String({ pattern: '^[0-9a-f]{32}$' }),
    projectId: Type.Integer(),
    /** Null for an alert of Tocsin's own. */
    integrationId: Type.Union([Type.Integer(), Type.Null()]),
    receivedAt: Type.String(),
    /** The webhook event that led to it. */
    chain: Type.Optional(Type.String()),
    /** JSON: a generic or a metrics payload. */
    body: Type.String()
  }),
  // Keeps the order of firing and resolved alerts, across the integrations of a project.
  shard: item => item.projectId,
  size: item => item.body.length,
  receiptWithin: 2000
})
