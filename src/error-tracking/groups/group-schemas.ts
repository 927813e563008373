import Type from 'typebox'
import { Nullable } from '../../http/parameters/nullable.ts'
import { Time } from '../../http/parameters/time.ts'
import { AssigneeId } from '../../projects/members/assignees.ts'
import { statuses } from './error-group.ts'
import { type Period, periods } from './frequency.ts'
import { sorts } from './list-groups.ts'

const OptionalTime = (description: string) => Type.Optional(Time(description))

export const ProjectId = Type.Object({ id: Type.String() })

/** Per hour of the last day, or per day of a longer period: `[unix time, events]`. */
const Frequency = Type.Array(Type.Tuple([Type.Integer(), Type.Integer()]))

export const ErrorShape = Type.Object({
  fingerprint: Type.Integer(),
  project_id: Type.Integer(),
  name: Type.String(),
  description: Type.String(),
  actor: Type.String(),
  platform: Nullable(Type.String()),
  level: Type.String(),
  status: Type.Enum([...statuses]),
  event_count: Type.Integer(),
  approximated_user_count: Type.Integer({ description: 'Distinct users, told apart by a 64-bit hash of what is known of each.' }),
  first_seen_at: Type.String(),
  last_seen_at: Type.String(),
  first_release: Nullable(Type.String()),
  last_release: Nullable(Type.String()),
  environments: Type.Array(Type.String()),
  assignee_id: Nullable(Type.Integer()),
  resolved_at: Nullable(Type.String()),
  resolved_in: Nullable(Type.String()),
  is_resolved_in_next: Type.Boolean(),
  ignored_until: Nullable(Type.String()),
  ignored_until_events: Nullable(Type.Integer()),
  regressed_at: Nullable(Type.String()),
  stats: Type.Optional(Type.Object({ frequency: Type.Record(Type.String(), Frequency) })),
  regrouping: Type.Optional(
    Type.Object(
      { moved: Type.Integer(), total: Nullable(Type.Integer()) },
      { description: 'How many events a merge or unmerge has brought to their place; only while some are on their way.' }
    )
  )
})

export const Merge = Type.Object({
  fingerprints: Type.Array(Type.Integer(), { minItems: 1, maxItems: 100, description: 'Of the errors that become a part of this one.' })
})

export const Unmerge = Type.Object({
  hashes: Type.Array(Type.String({ pattern: '^[0-9a-f]{40}$' }), {
    minItems: 1,
    maxItems: 1000,
    description: 'Those that become an error of their own; at least one has to stay.'
  })
})

export const HashShape = Type.Object({
  hash: Type.String(),
  event_count: Type.Integer({ description: 'Events that it led here, of the latest 50,000 of the error.' }),
  latest_event_id: Nullable(Type.String()),
  latest_event_at: Nullable(Type.String())
})

export const TagsShape = Type.Array(
  Type.Object({
    key: Type.String(),
    total: Type.Integer({ description: 'Events that carry the tag, of the latest 1,000.' }),
    values: Type.Array(Type.Object({ value: Type.String(), count: Type.Integer() }))
  })
)

export const FeedbackShape = Type.Object({
  id: Type.Integer(),
  event_id: Nullable(Type.String()),
  fingerprint: Nullable(Type.Integer({ description: 'Of the error that it is about, where that is known.' })),
  name: Type.String(),
  email: Type.String(),
  comments: Type.String(),
  created_at: Type.String()
})

export const CommentShape = Type.Object({
  id: Type.Integer(),
  body: Type.String(),
  author_id: Nullable(Type.Integer()),
  created_at: Type.String()
})

export const page = {
  cursor: Type.Optional(Type.String({ maxLength: 500, description: 'Where the previous page ended; taken from its `Link`.' })),
  per_page: Type.Optional(Type.Integer({ minimum: 1 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, description: 'The same as `per_page`.' }))
}

const sortWords = Object.keys(sorts).flatMap(word => [`${word}_desc`, `${word}_asc`])

export const ErrorsQuery = Type.Object({
  ...page,
  status: Type.Optional(Type.Enum([...statuses, 'all'])),
  query: Type.Optional(Type.String({ maxLength: 200, description: 'Words of the name, the description or the place.' })),
  environment: Type.Optional(Type.String({ maxLength: 200 })),
  release: Type.Optional(Type.String({ maxLength: 250 })),
  level: Type.Optional(Type.Enum(['fatal', 'error', 'warning', 'info', 'debug'])),
  assignee_id: Type.Optional(AssigneeId),
  first_seen_after: OptionalTime('First seen at or after this time.'),
  first_seen_before: OptionalTime('First seen at or before this time.'),
  last_seen_after: OptionalTime('Last seen at or after this time.'),
  last_seen_before: OptionalTime('Last seen at or before this time.'),
  sort: Type.Optional(Type.Enum(sortWords)),
  stats_period: Type.Optional(Type.Enum(Object.keys(periods) as Period[], { description: 'What `stats` tells of; `24h` unless told.' })),
  query_period: Type.Optional(
    Type.String({ pattern: '^[1-9]\\d{0,3}[mhd]$', description: 'Only errors last seen within it, such as `30d` or `12h`.' })
  )
})

export const FeedbackQuery = Type.Object(page)
export const ErrorParams = Type.Object({ id: Type.String(), fingerprint: Type.Integer() })
export const ErrorChanges = Type.Object({
  status: Type.Optional(Type.Enum([...statuses])),
  resolved_in: Type.Optional(
    Type.String({ minLength: 1, maxLength: 250, description: 'A release, or `next` for the one that comes after the last.' })
  ),
  ignored_for: Type.Optional(Type.Integer({ minimum: 1, maximum: 5_256_000, description: 'Minutes.' })),
  ignored_for_events: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000 })),
  assignee_id: Type.Optional(Nullable(Type.Integer({ description: 'Of a member; null or 0 for nobody.' })))
})
