import Type from 'typebox'
import { statuses } from '../group.ts'
import { sorts } from '../list-groups.ts'

const Nullable = <T extends Type.TSchema>(type: T) => Type.Union([type, Type.Null()])
const Time = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }))

export const ProjectId = Type.Object({ id: Type.String() })

export const SettingShape = Type.Object({
  active: Type.Boolean(),
  project_name: Nullable(Type.String()),
  tracker_external_url: Nullable(Type.String()),
  sentry_external_url: Nullable(Type.String()),
  api_url: Nullable(Type.String()),
  integrated: Type.Boolean()
})

export const ClientKeyShape = Type.Object({
  id: Type.Integer(),
  active: Type.Boolean(),
  public_key: Type.String(),
  tracker_dsn: Type.String(),
  sentry_dsn: Type.String()
})

/** Per hour of the last day or per day of the last month: `[unix time, events]`. */
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
  stats: Type.Optional(Type.Object({ frequency: Type.Object({ '24h': Type.Optional(Frequency), '30d': Type.Optional(Frequency) }) }))
})

export const EventShape = Type.Object({
  project_id: Type.Integer(),
  fingerprint: Type.Integer(),
  event_id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  actor: Type.String(),
  platform: Nullable(Type.String()),
  environment: Nullable(Type.String()),
  release: Nullable(Type.String()),
  level: Type.String(),
  occurred_at: Type.String(),
  received_at: Type.String(),
  tags: Type.Record(Type.String(), Type.String()),
  payload: Type.String({ description: 'The whole event, as JSON in a text.' })
})

/** With its neighbours, to leaf through the events of an error. */
export const OneEventShape = Type.Object({
  ...EventShape.properties,
  previous_event_id: Nullable(Type.String()),
  next_event_id: Nullable(Type.String())
})

export const StackTraceShape = Type.Object({
  error: Type.Object({
    issue_id: Type.Integer(),
    date_received: Type.String(),
    stack_trace_entries: Type.Array(
      Type.Object({
        function: Nullable(Type.String()),
        filename: Nullable(Type.String()),
        lineNo: Nullable(Type.Integer()),
        colNo: Nullable(Type.Integer()),
        inApp: Type.Boolean(),
        context: Type.Array(Type.Tuple([Type.Integer(), Type.String()])),
        raw: Nullable(
          Type.Object(
            {
              function: Nullable(Type.String()),
              filename: Nullable(Type.String()),
              lineNo: Nullable(Type.Integer()),
              colNo: Nullable(Type.Integer())
            },
            { description: 'The same place in the minified code that ran, where a source map was used.' }
          )
        )
      })
    )
  })
})

export const TagsShape = Type.Array(
  Type.Object({
    key: Type.String(),
    total: Type.Integer({ description: 'Events that carry the tag, of the latest 1,000.' }),
    values: Type.Array(Type.Object({ value: Type.String(), count: Type.Integer() }))
  })
)

export const CommentShape = Type.Object({
  id: Type.Integer(),
  body: Type.String(),
  author_id: Nullable(Type.Integer()),
  created_at: Type.String()
})

const page = {
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
  level: Type.Optional(Type.String({ maxLength: 20 })),
  assignee_id: Type.Optional(Type.Integer()),
  first_seen_after: Time('First seen at or after this time.'),
  first_seen_before: Time('First seen at or before this time.'),
  last_seen_after: Time('Last seen at or after this time.'),
  last_seen_before: Time('Last seen at or before this time.'),
  sort: Type.Optional(Type.Enum(sortWords)),
  stats_period: Type.Optional(Type.Enum(['24h', '30d'])),
  query_period: Type.Optional(Type.String({ maxLength: 10, description: 'Taken for the sake of other clients.' }))
})

export const EventsQuery = Type.Object({ ...page, sort: Type.Optional(Type.Enum(['occurred_at_asc', 'occurred_at_desc'])) })
export const ErrorParams = Type.Object({ id: Type.String(), fingerprint: Type.Integer() })
export const EventParams = Type.Object({
  ...ErrorParams.properties,
  event_id: Type.String({ description: 'An id, `latest` or `oldest`.', pattern: '^(latest|oldest|[0-9a-fA-F-]{32,36})$' })
})

export const ErrorChanges = Type.Object({
  status: Type.Optional(Type.Enum([...statuses])),
  resolved_in: Type.Optional(
    Type.String({ minLength: 1, maxLength: 250, description: 'A release, or `next` for the one that comes after the last.' })
  ),
  ignored_for: Type.Optional(Type.Integer({ minimum: 1, maximum: 5_256_000, description: 'Minutes.' })),
  ignored_for_events: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000 })),
  assignee_id: Type.Optional(Nullable(Type.Integer()))
})
