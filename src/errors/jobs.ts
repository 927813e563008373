import Type from 'typebox'
import { Bytes, defineJob, type ItemOf } from '#platform/queue/job.ts'

/** The user agent of what is sent on. A Tocsin does not send that on again: two projects could do so for ever. */
export const forwardingClient = 'tocsin-forwarding'

/** A request body as received. */
export const receiveEnvelopes = defineJob({
  name: 'errors.receive',
  queue: 'errors',
  batched: true,
  item: Type.Object({
    projectId: Type.Integer(),
    keyId: Type.Integer(),
    receivedAt: Type.String(),
    /** Identifies the envelope, and its first event when that has no id. */
    id: Type.String({ pattern: '^[0-9a-f]{32}$' }),
    encoding: Type.String(),
    body: Bytes,
    /** Number of events in the envelope; 1 when missing. */
    events: Type.Optional(Type.Integer()),
    /** Received during a spike: its events are counted, but not stored. */
    isInSpike: Type.Optional(Type.Boolean()),
    /** Its events, with their attachments, are dropped. */
    isOverQuota: Type.Optional(Type.Boolean()),
    /** Another Tocsin sent it on: it is not sent on again. */
    isForwarded: Type.Optional(Type.Boolean()),
    /** Format of the body; an envelope when missing. */
    kind: Type.Optional(Type.Enum(['store', 'transaction', 'security'])),
    /** From the query of a browser report, which has no such fields. */
    release: Type.Optional(Type.String()),
    environment: Type.Optional(Type.String())
  }),
  binary: 'body',
  tenant: item => item.projectId,
  weight: ({ events = 1 }) => events,
  size: item => item.body.length
})

export type ReceivedEnvelope = ItemOf<typeof receiveEnvelopes>

export const maintainPartitions = defineJob({
  name: 'errors.maintain-partitions',
  queue: 'maintenance',
  item: Type.Object({})
})

/** Deletes data that is older than its retention period. */
export const expireErrors = defineJob({ name: 'errors.expire', queue: 'maintenance', item: Type.Object({}) })

/** Moves events to the groups that merges and unmerges assigned them to. One job finishes all pending moves. */
export const moveEvents = defineJob({ name: 'errors.move-events', queue: 'maintenance', item: Type.Object({}) })

/** Deletes the events of a deleted group. */
export const deleteEvents = defineJob({
  name: 'errors.delete-events',
  queue: 'maintenance',
  item: Type.Object({ projectId: Type.Integer(), groupId: Type.Integer() }),
  key: ({ groupId }) => String(groupId)
})

/** Records a new or regressed error as activity. */
export const recordGroupChange = defineJob({
  name: 'errors.record-change',
  queue: 'activity',
  item: Type.Object({
    groupId: Type.Integer(),
    projectId: Type.Integer(),
    kind: Type.Enum(['new', 'regressed']),
    /** The envelope that created or reopened the group. */
    envelopeId: Type.String()
  }),
  key: ({ groupId, kind, envelopeId }) => `${groupId}-${kind}-${envelopeId}`
})

/** A group that an envelope created or reopened. */
export type GroupChange = ItemOf<typeof recordGroupChange>
