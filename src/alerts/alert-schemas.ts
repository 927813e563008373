import Type from 'typebox'
import { keysetParameters } from '#api/pagination/keyset.ts'
import { paging } from '#api/pagination/offset.ts'
import { CommaSeparated } from '#api/parameters/coerce.ts'
import { Time } from '#api/parameters/time.ts'
import { Nullable } from '#lib/nullable.ts'
import { severities } from '#lib/severity.ts'
import { AssigneeId } from '#projects/members/assignees.ts'
import { Person } from '#projects/schemas.ts'
import { alertStatuses } from './alert.ts'
import { orders } from './list-alerts.ts'

const OptionalTime = (description: string) => Type.Optional(Time(description))
const Text = Type.Optional(Type.String({ maxLength: 255 }))

export const ProjectId = Type.Object({ id: Type.String() })
export const AlertParams = Type.Object({
  id: Type.String(),
  alert_iid: Type.Integer({ description: 'The alert’s number in its project.' })
})

export const AlertShape = Type.Object({
  id: Type.Integer(),
  iid: Type.Integer(),
  project_id: Type.Integer(),
  title: Type.String(),
  description: Nullable(Type.String()),
  severity: Type.Enum([...severities]),
  status: Type.Enum([...alertStatuses]),
  service: Nullable(Type.String()),
  monitoring_tool: Nullable(Type.String()),
  source: Type.String({ description: 'The monitoring tool, or the integration if there is none.' }),
  hosts: Type.Array(Type.String()),
  labels: Type.Array(Type.String(), { description: 'The labels from the sender, as `name=value`.' }),
  started_at: Type.String(),
  ended_at: Nullable(Type.String()),
  last_seen_at: Type.String({ description: 'When it last occurred.' }),
  event_count: Type.Integer(),
  fingerprint: Nullable(Type.String()),
  environment: Nullable(Type.Object({ name: Type.String(), alerts_url: Type.String(), errors_url: Type.String() })),
  service_environment_name: Nullable(Type.String()),
  gitlab_environment_name: Nullable(Type.String({ description: 'Alias for GitLab clients.' })),
  runbook: Nullable(Type.String()),
  metric_expression: Nullable(Type.String()),
  integration: Nullable(Type.Object({ id: Type.Integer(), name: Type.String() })),
  issue_iid: Nullable(Type.Integer({ description: 'The number of its incident.' })),
  assignees: Type.Array(Person),
  reference: Type.String(),
  web_url: Type.String(),
  created_at: Type.String(),
  updated_at: Type.String()
})

export const NoteShape = Type.Object({
  id: Type.Integer(),
  body: Type.String(),
  author: Nullable(Person),
  system: Type.Boolean({ description: 'Whether it records a change, instead of being a comment.' }),
  action: Nullable(Type.String()),
  created_at: Type.String()
})

export const MetricImageShape = Type.Object({
  id: Type.Integer(),
  created_at: Type.String(),
  filename: Type.String(),
  file_path: Type.String(),
  url: Nullable(Type.String()),
  url_text: Nullable(Type.String())
})

export const AlertDetailsShape = Type.Object({
  ...AlertShape.properties,
  payload: Type.Unknown({ description: 'The payload that created the alert, as received.' }),
  details: Type.Record(Type.String(), Type.Unknown(), {
    description: 'Custom fields: payload fields that are not attributes of an alert.'
  }),
  service_y_label: Nullable(Type.String()),
  gitlab_y_label: Nullable(Type.String({ description: 'Alias for GitLab clients.' })),
  service_incident_markdown: Nullable(Type.String()),
  gitlab_incident_markdown: Nullable(Type.String({ description: 'Alias for GitLab clients.' })),
  notes: Type.Array(NoteShape, { description: 'The last 100 notes, oldest first.' }),
  metric_images: Type.Array(MetricImageShape)
})

export const CountsShape = Type.Object({
  all: Type.Integer(),
  open: Type.Integer({ description: 'Triggered and acknowledged.' }),
  ...(Object.fromEntries(alertStatuses.map(status => [status, Type.Integer()])) as Record<(typeof alertStatuses)[number], Type.TInteger>)
})

export const filters = {
  status: Type.Optional(CommaSeparated(Type.Enum([...alertStatuses]))),
  severity: Type.Optional(CommaSeparated(Type.Enum([...severities]))),
  search: Type.Optional(
    Type.String({ maxLength: 200, description: 'Text in the title, the description, the service or the monitoring tool.' })
  ),
  environment: Text,
  service: Text,
  monitoring_tool: Text,
  assignee_id: Type.Optional(AssigneeId),
  assignee_username: Text,
  started_after: OptionalTime('Started at or after this time.'),
  started_before: OptionalTime('Started at or before this time.'),
  ended_after: OptionalTime('Ended at or after this time.'),
  ended_before: OptionalTime('Ended at or before this time.')
}

export const AlertsQuery = Type.Object({
  ...paging,
  ...keysetParameters,
  ...filters,
  order_by: Type.Optional(Type.Enum(Object.keys(orders) as (keyof typeof orders)[]))
})

export const AlertChangesBody = Type.Object({
  status: Type.Optional(Type.Enum([...alertStatuses])),
  assignee_ids: Type.Optional(Type.Array(Type.Integer(), { maxItems: 20, description: 'Member IDs; empty to unassign everyone.' })),
  assignee_id: Type.Optional(
    Nullable(Type.Integer({ description: 'A single assignee, unless `assignee_ids` is given; null or 0 to unassign everyone.' }))
  )
})

export const NoteParams = Type.Object({ ...AlertParams.properties, note_id: Type.Integer() })
export const NewNote = Type.Object({ body: Type.String({ minLength: 1, maxLength: 100_000 }) })

const Address = Type.Union([
  Type.String({ maxLength: 255, pattern: '^https?://', description: 'The URL of the chart.' }),
  Type.Literal('', { description: 'Removes the URL.' })
])

export const ImageParams = Type.Object({ ...AlertParams.properties, image_id: Type.Integer() })
export const ImageAddress = Type.Object({
  url: Type.Optional(Address),
  url_text: Type.Optional(Type.String({ maxLength: 128, description: 'The text of the link.' }))
})
export const NewImage = Type.Object({
  ...ImageAddress.properties,
  urlText: Type.Optional(Type.String({ maxLength: 128, description: 'Alias: gitbeaker sends this name in forms.' }))
})
export const imageUpload = { field: 'file', isRequired: true as const, description: 'PNG, JPEG, GIF or WebP, at most 5 MiB.' }
