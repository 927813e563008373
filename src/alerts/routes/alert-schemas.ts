import Type from 'typebox'
import { keysetParameters } from '../../http/pagination/keyset.ts'
import { paging } from '../../http/pagination/offset.ts'
import { CommaSeparated } from '../../http/parameters/coerce.ts'
import { Nullable } from '../../http/parameters/nullable.ts'
import { Person } from '../../projects/schemas.ts'
import { alertStatuses } from '../alert.ts'
import { orders } from '../list-alerts.ts'
import { severities } from '../severity.ts'

const Time = (description: string) => Type.Optional(Type.String({ maxLength: 40, description }))
const Text = Type.Optional(Type.String({ maxLength: 255 }))

export const ProjectId = Type.Object({ id: Type.String() })
export const AlertParams = Type.Object({
  id: Type.String(),
  alert_iid: Type.Integer({ description: 'The number of the alert in its project.' })
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
  source: Type.String({ description: 'The monitoring tool, or else the integration that it came by.' }),
  hosts: Type.Array(Type.String()),
  started_at: Type.String(),
  ended_at: Nullable(Type.String()),
  event_count: Type.Integer(),
  fingerprint: Nullable(Type.String()),
  environment: Nullable(Type.Object({ name: Type.String(), alerts_url: Type.String(), errors_url: Type.String() })),
  service_environment_name: Nullable(Type.String()),
  gitlab_environment_name: Nullable(Type.String({ description: 'The same.' })),
  runbook: Nullable(Type.String()),
  metric_expression: Nullable(Type.String()),
  integration: Nullable(Type.Object({ id: Type.Integer(), name: Type.String() })),
  issue_iid: Nullable(Type.Integer({ description: 'Of its incident.' })),
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
  system: Type.Boolean({ description: 'Whether it tells what was done, instead of what somebody said.' }),
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

/** With what is too much for a list. */
export const WholeAlertShape = Type.Object({
  ...AlertShape.properties,
  payload: Type.Unknown({ description: 'What began it, as it was sent.' }),
  details: Type.Record(Type.String(), Type.Unknown(), { description: 'Custom fields: what it says beyond what an alert has a place for.' }),
  service_y_label: Nullable(Type.String()),
  gitlab_y_label: Nullable(Type.String({ description: 'The same.' })),
  service_incident_markdown: Nullable(Type.String()),
  gitlab_incident_markdown: Nullable(Type.String({ description: 'The same.' })),
  notes: Type.Array(NoteShape, { description: 'The last 100 lines of its history, the oldest first.' }),
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
    Type.String({ maxLength: 200, description: 'Within the title, the description, the service or the monitoring tool.' })
  ),
  environment: Text,
  service: Text,
  monitoring_tool: Text,
  assignee_id: Type.Optional(Type.Integer({ description: '0 for those that nobody looks after.' })),
  assignee_username: Text,
  started_after: Time('Started at or after this time.'),
  started_before: Time('Started at or before this time.'),
  ended_after: Time('Ended at or after this time.'),
  ended_before: Time('Ended at or before this time.')
}

export const AlertsQuery = Type.Object({
  ...paging,
  ...keysetParameters,
  ...filters,
  order_by: Type.Optional(Type.Enum(Object.keys(orders) as (keyof typeof orders)[]))
})

export const AlertChanges = Type.Object({
  status: Type.Optional(Type.Enum([...alertStatuses])),
  assignee_ids: Type.Optional(Type.Array(Type.Integer(), { maxItems: 20, description: 'Of members; none for nobody.' })),
  assignee_id: Type.Optional(
    Nullable(Type.Integer({ description: 'For one alone, unless `assignee_ids` is given; null or 0 for nobody.' }))
  )
})

export const NoteParams = Type.Object({ ...AlertParams.properties, note_id: Type.Integer() })
export const NewNote = Type.Object({ body: Type.String({ minLength: 1, maxLength: 100_000 }) })

const Address = Type.Union([
  Type.String({ maxLength: 255, pattern: '^https?://', description: 'Where the chart is to be seen.' }),
  Type.Literal('', { description: 'None.' })
])

export const ImageParams = Type.Object({ ...AlertParams.properties, image_id: Type.Integer() })
export const ImageAddress = Type.Object({
  url: Type.Optional(Address),
  url_text: Type.Optional(Type.String({ maxLength: 128, description: 'What that is called.' }))
})
export const NewImage = Type.Object({
  ...ImageAddress.properties,
  urlText: Type.Optional(Type.String({ maxLength: 128, description: 'The same, as gitbeaker spells it in forms.' })),
  file: Type.Optional(Type.String({ format: 'binary', description: 'PNG, JPEG, GIF or WebP, at most 5 MiB; as multipart/form-data.' }))
})
