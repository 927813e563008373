import Type from 'typebox'
import { defineJob } from '../platform/queue/job.ts'

/** What came through the door, its bytes untouched (base64, for a queue carries JSON). */
export const receiveEnvelopes = defineJob({
  name: 'errors.receive',
  queue: 'errors',
  batched: true,
  item: Type.Object({
    projectId: Type.Integer(),
    keyId: Type.Integer(),
    receivedAt: Type.String(),
    /** Of the envelope, and of an event in it that brings none. */
    id: Type.String({ pattern: '^[0-9a-f]{32}$' }),
    encoding: Type.String(),
    body: Type.String(),
    /** How many events the envelope holds; 1 when left out. */
    events: Type.Optional(Type.Integer()),
    /** It came when its project sent far more than usual: its events are counted, and not kept. */
    isInSpike: Type.Optional(Type.Boolean()),
    /** What the body is: an envelope unless something is said. */
    kind: Type.Optional(Type.Enum(['store', 'security'])),
    /** What a browser's report cannot say itself. */
    release: Type.Optional(Type.String()),
    environment: Type.Optional(Type.String())
  }),
  turn: item => item.projectId,
  weight: ({ events = 1 }) => events,
  size: item => item.body.length
})

export const keepPartitions = defineJob({
  name: 'errors.keep-partitions',
  queue: 'maintenance',
  item: Type.Object({})
})

/** Removes what is too old to keep. */
export const expireErrors = defineJob({ name: 'errors.expire', queue: 'maintenance', item: Type.Object({}) })

/** Brings events to the groups that merges and unmerges gave them to. Whoever does it takes all there are. */
export const moveEvents = defineJob({ name: 'errors.move-events', queue: 'maintenance', item: Type.Object({}) })

/** A new error, or one that came back: what is to be made of it beside storing it. */
export const followUp = defineJob({
  name: 'errors.follow-up',
  queue: 'activity',
  item: Type.Object({
    groupId: Type.Integer(),
    projectId: Type.Integer(),
    kind: Type.Enum(['new', 'regressed']),
    /** That made it so. */
    envelopeId: Type.String()
  }),
  key: ({ groupId, kind, envelopeId }) => `${groupId}-${kind}-${envelopeId}`
})
