import Type from 'typebox'
import { Time } from '#api/parameters/time.ts'
import { actions, type TargetName, targetTypes } from './actions.ts'

const Id = Type.Optional(Type.Integer({ minimum: 0 }))
const Text = Type.Optional(Type.String({ maxLength: 255 }))
export const ActionName = Type.Enum([...actions])
export const TargetType = Type.Enum(Object.keys(targetTypes) as TargetName[])

/** An activity event as clients record it. */
export const EventRecord = Type.Object({
  action: ActionName,
  target_type: Type.Optional(TargetType),
  target_id: Id,
  target_iid: Id,
  target_title: Text,
  created_at: Type.Optional(Time('Defaults to now.')),
  note: Type.Optional(
    Type.Object({
      id: Id,
      body: Type.String({ minLength: 1, maxLength: 10_000 }),
      noteable_type: Type.Optional(TargetType),
      noteable_id: Id,
      noteable_iid: Id
    })
  ),
  push_data: Type.Optional(
    Type.Object({
      commit_count: Id,
      action: Type.Optional(Type.Enum(['created', 'removed', 'pushed'])),
      ref_type: Type.Optional(Type.Enum(['branch', 'tag'])),
      commit_from: Text,
      commit_to: Text,
      ref: Text,
      commit_title: Text
    })
  )
})

export const EventRecords = Type.Union([EventRecord, Type.Array(EventRecord, { minItems: 1, maxItems: 1000 })])
