import Type from 'typebox'
import { paging } from '../http/pagination/offset.ts'
import { Nullable } from '../http/parameters/nullable.ts'
import { Person } from '../projects/schemas.ts'
import { actions, type TargetWord, targetTypes } from './actions.ts'

const Id = Type.Optional(Type.Integer({ minimum: 0 }))
const Text = Type.Optional(Type.String({ maxLength: 255 }))
const ActionWord = Type.Enum([...actions])
const Target = Type.Enum(Object.keys(targetTypes) as TargetWord[])
const Day = Type.Optional(Type.String({ description: 'A day as YYYY-MM-DD, which itself is left out.' }))

export const EventsQuery = Type.Object({
  ...paging,
  action: Type.Optional(ActionWord),
  target_type: Type.Optional(Target),
  before: Day,
  after: Day,
  sort: Type.Optional(Type.Enum(['asc', 'desc']))
})

export const OwnEventsQuery = Type.Object({
  ...EventsQuery.properties,
  scope: Type.Optional(Type.String({ description: '`all` for what anybody did in the projects that you are a member of.' }))
})

/** One thing that was done, as clients tell of it. */
export const EventRecord = Type.Object({
  action: ActionWord,
  target_type: Type.Optional(Target),
  target_id: Id,
  target_iid: Id,
  target_title: Text,
  created_at: Type.Optional(Type.String({ format: 'date-time', description: 'When it was done; now, if nothing is said.' })),
  note: Type.Optional(
    Type.Object({
      id: Id,
      body: Type.String({ minLength: 1, maxLength: 10_000 }),
      noteable_type: Type.Optional(Target),
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

export const mostRecords = 1000
export const EventRecords = Type.Union([EventRecord, Type.Array(EventRecord, { minItems: 1, maxItems: mostRecords })])

const Noted = Type.Object({
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
  commit_title: Nullable(Type.String())
})

export const EventShape = Type.Object({
  id: Type.Integer(),
  title: Type.Null(),
  project_id: Type.Integer(),
  action_name: Type.String(),
  target_id: Nullable(Type.Integer()),
  target_iid: Nullable(Type.Integer()),
  target_type: Nullable(Type.String()),
  author_id: Nullable(Type.Integer({ description: 'Nobody, where the platform noticed it by itself.' })),
  target_title: Nullable(Type.String()),
  created_at: Type.String(),
  author: Nullable(Person),
  author_username: Nullable(Type.String()),
  data: Type.Null(),
  note: Type.Optional(Noted),
  push_data: Type.Optional(PushData)
})
