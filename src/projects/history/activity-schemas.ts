import Type from 'typebox'
import { ActionName, TargetType } from '#activity/schemas.ts'
import { paging } from '#api/pagination/offset.ts'
import { Time } from '#api/parameters/time.ts'
import { Nullable } from '#lib/nullable.ts'
import { Person } from '../schemas.ts'

const Day = Type.Optional(Time('A date as YYYY-MM-DD, exclusive.'))

export const EventsQuery = Type.Object({
  ...paging,
  action: Type.Optional(ActionName),
  target_type: Type.Optional(TargetType),
  before: Day,
  after: Day,
  sort: Type.Optional(Type.Enum(['asc', 'desc']))
})

export const OwnEventsQuery = Type.Object({
  ...EventsQuery.properties,
  scope: Type.Optional(Type.String({ description: '`all` for everyone’s activity in your projects.' }))
})

const Note = Type.Object({
  id: Nullable(Type.Integer()),
  body: Type.String(),
  attachment: Type.Null(),
  author: Nullable(Person),
  created_at: Type.String(),
  system: Type.Boolean(),
  noteable_id: Nullable(Type.Integer()),
  noteable_type: Nullable(Type.String()),
  noteable_iid: Nullable(Type.Integer())
})

const PushData = Type.Object({
  commit_count: Type.Integer(),
  action: Nullable(Type.String()),
  ref_type: Nullable(Type.String()),
  commit_from: Nullable(Type.String()),
  commit_to: Nullable(Type.String()),
  ref: Nullable(Type.String()),
  commit_title: Nullable(Type.String()),
  ref_count: Type.Optional(Type.Integer({ description: 'For an event that covers more than three branches or tags of one push.' }))
})

export const EventShape = Type.Object({
  id: Type.Integer(),
  title: Type.Null(),
  project_id: Type.Integer(),
  action_name: Type.String(),
  target_id: Nullable(Type.Integer()),
  target_iid: Nullable(Type.Integer()),
  target_type: Nullable(Type.String()),
  author_id: Nullable(Type.Integer({ description: 'Null for system events.' })),
  target_title: Nullable(Type.String()),
  created_at: Type.String(),
  author: Nullable(Person),
  author_username: Nullable(Type.String()),
  data: Type.Null(),
  note: Type.Optional(Note),
  push_data: Type.Optional(PushData)
})
