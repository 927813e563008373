import Type from 'typebox'

const Nullable = <T extends Type.TSchema>(type: T) => Type.Union([type, Type.Null()])

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

export const ErrorShape = Type.Object({
  fingerprint: Type.Integer(),
  project_id: Type.Integer(),
  name: Type.String(),
  description: Type.String(),
  actor: Type.String(),
  platform: Nullable(Type.String()),
  level: Type.String(),
  status: Type.String(),
  event_count: Type.Integer(),
  first_seen_at: Type.String(),
  last_seen_at: Type.String()
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
  payload: Type.String()
})

const page = {
  cursor: Type.Optional(Type.String({ maxLength: 500 })),
  per_page: Type.Optional(Type.Integer({ minimum: 1 })),
  limit: Type.Optional(Type.Integer({ minimum: 1 }))
}

export const ErrorsQuery = Type.Object({ ...page, status: Type.Optional(Type.Enum(['unresolved', 'resolved', 'ignored'])) })
export const EventsQuery = Type.Object({ ...page, sort: Type.Optional(Type.Enum(['occurred_at_asc', 'occurred_at_desc'])) })
export const ErrorParams = Type.Object({ id: Type.String(), fingerprint: Type.Integer() })
