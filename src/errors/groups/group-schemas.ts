import Type from 'typebox'
import { Time } from '#api/parameters/time.ts'
import { Nullable } from '#lib/nullable.ts'
import { AssigneeId } from '#projects/members/assignees.ts'
import { statuses } from './error-group.ts'
import { type Period, periods } from './frequency.ts'
import { levels, sorts } from './group-filter.ts'
import { priorities } from './priority.ts'

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
  approximated_user_count: Type.Integer({ description: 'Distinct users, by a 64-bit hash of their attributes.' }),
  first_seen_at: Type.String(),
  last_seen_at: Type.String(),
  first_release: Nullable(Type.String()),
  last_release: Nullable(Type.String()),
  environments: Type.Array(Type.String()),
  assignee_id: Nullable(Type.Integer()),
  assignee_group_id: Nullable(Type.Integer({ description: 'The group that has the error, instead of a user.' })),
  priority: Type.Enum([...priorities]),
  resolved_at: Nullable(Type.String()),
  resolved_in: Nullable(Type.String()),
  is_resolved_in_next: Type.Boolean(),
  ignored_until: Nullable(Type.String()),
  ignored_until_events: Nullable(Type.Integer()),
  ignored_until_users: Nullable(Type.Integer()),
  regressed_at: Nullable(Type.String()),
  stats: Type.Optional(Type.Object({ frequency: Type.Record(Type.String(), Frequency) })),
  regrouping: Type.Optional(
    Type.Object(
      { moved: Type.Integer(), total: Nullable(Type.Integer()) },
      { description: 'Progress of a pending merge or unmerge, in moved events.' }
    )
  )
})

export const TagsShape = Type.Array(
  Type.Object({
    key: Type.String(),
    total: Type.Integer({ description: 'Events with the tag among the latest 1,000.' }),
    values: Type.Array(Type.Object({ value: Type.String(), count: Type.Integer() }))
  })
)

export const CommentShape = Type.Object({
  id: Type.Integer(),
  body: Type.String(),
  author_id: Nullable(Type.Integer()),
  created_at: Type.String()
})

export const page = {
  cursor: Type.Optional(Type.String({ maxLength: 500, description: 'Position after the previous page, from its `Link` header.' })),
  per_page: Type.Optional(Type.Integer({ minimum: 1 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, description: 'Alias of `per_page`.' }))
}

const sortOptions = Object.keys(sorts).flatMap(name => [`${name}_desc`, `${name}_asc`])

export const ErrorsQuery = Type.Object({
  ...page,
  status: Type.Optional(Type.Enum([...statuses, 'all'])),
  query: Type.Optional(
    Type.String({
      maxLength: 500,
      description:
        'Words and conditions, as on the page of errors: `checkout !level:info release:>=shop@1.2`. Without `status` and `is:`, unresolved errors.'
    })
  ),
  environment: Type.Optional(Type.String({ maxLength: 200 })),
  release: Type.Optional(Type.String({ maxLength: 250 })),
  level: Type.Optional(Type.Enum([...levels])),
  assignee_id: Type.Optional(AssigneeId),
  first_seen_after: OptionalTime('First seen at or after this time.'),
  first_seen_before: OptionalTime('First seen at or before this time.'),
  last_seen_after: OptionalTime('Last seen at or after this time.'),
  last_seen_before: OptionalTime('Last seen at or before this time.'),
  sort: Type.Optional(Type.Enum(sortOptions)),
  stats_period: Type.Optional(Type.Enum(Object.keys(periods) as Period[], { description: 'Period of `stats`; `24h` by default.' })),
  query_period: Type.Optional(
    Type.String({ pattern: '^[1-9]\\d{0,3}[mhd]$', description: 'Errors last seen within this period, such as `30d` or `12h`.' })
  )
})

export const ErrorParams = Type.Object({ id: Type.String(), fingerprint: Type.Integer() })
export const ErrorChanges = Type.Object({
  status: Type.Optional(Type.Enum([...statuses])),
  resolved_in: Type.Optional(
    Type.String({ minLength: 1, maxLength: 250, description: 'A release, or `next` for the one after the newest.' })
  ),
  ignored_for: Type.Optional(Type.Integer({ minimum: 1, maximum: 5_256_000, description: 'Minutes to ignore the error.' })),
  ignored_for_events: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000 })),
  ignored_for_users: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Further users that may be affected.' })),
  assignee_id: Type.Optional(Nullable(Type.Integer({ description: 'A member of the project; null or 0 to unassign.' }))),
  assignee_group_id: Type.Optional(
    Nullable(Type.Integer({ description: 'A group that the project is in or shared with, instead of a user; null or 0 to unassign.' }))
  ),
  priority: Type.Optional(Type.Enum([...priorities], { description: 'High for new errors that are fatal or were not handled.' }))
})

export const ErrorsChanges = Type.Object({
  fingerprints: Type.Array(Type.Integer(), { minItems: 1, maxItems: 100 }),
  ...ErrorChanges.properties
})
