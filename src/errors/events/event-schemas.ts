import Type from 'typebox'
import { Nullable } from '#lib/nullable.ts'
import { ErrorParams, page } from '../groups/group-schemas.ts'

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
  payload: Type.String({ description: 'The event as JSON text.' })
})

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
        abs_path: Nullable(Type.String()),
        lineNo: Nullable(Type.Integer()),
        colNo: Type.Integer({ description: '0 if it is not known.' }),
        inApp: Type.Boolean(),
        context: Type.Array(Type.Tuple([Type.Integer(), Type.String()])),
        raw: Nullable(
          Type.Object(
            {
              function: Nullable(Type.String()),
              filename: Nullable(Type.String()),
              lineNo: Nullable(Type.Integer()),
              colNo: Type.Integer({ description: '0 if it is not known.' })
            },
            { description: 'The frame in the minified code, when a source map was applied.' }
          )
        )
      })
    )
  })
})

export const AttachmentShape = Type.Object({
  id: Type.Integer(),
  filename: Type.String(),
  content_type: Nullable(Type.String({ description: 'As sent by the client; downloads are always `application/octet-stream`.' })),
  size: Type.Integer({ description: 'Bytes.' }),
  created_at: Type.String()
})

export const EventsQuery = Type.Object({ ...page, sort: Type.Optional(Type.Enum(['occurred_at_asc', 'occurred_at_desc'])) })
export const EventId = Type.String({
  description: 'An id, `latest` or `oldest`.',
  pattern: '^(latest|oldest|[0-9a-fA-F]{8}(-?[0-9a-fA-F]{4}){3}-?[0-9a-fA-F]{12})$'
})

export const EventParams = Type.Object({
  ...ErrorParams.properties,
  event_id: EventId
})
