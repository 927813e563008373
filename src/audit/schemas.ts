import Type from 'typebox'
import { keysetParameters } from '#api/pagination/keyset.ts'
import { paging } from '#api/pagination/offset.ts'
import { Time } from '#api/parameters/time.ts'
import { writeTime } from '#lib/time.ts'
import type { AuditEventRow } from './list-audit-events.ts'

export const AuditQuery = Type.Object({
  ...paging,
  ...keysetParameters,
  created_after: Type.Optional(Time()),
  created_before: Type.Optional(Time())
})

export const InstanceAuditQuery = Type.Object({
  ...AuditQuery.properties,
  entity_type: Type.Optional(Type.Enum(['User', 'Group', 'Project', 'Instance'])),
  entity_id: Type.Optional(Type.Integer())
})

export const AuditEventShape = Type.Object({
  id: Type.Integer(),
  author_id: Type.Union([Type.Integer(), Type.Null()]),
  entity_id: Type.Integer(),
  entity_type: Type.String(),
  event_name: Type.String(),
  event_type: Type.String(),
  details: Type.Record(Type.String(), Type.Unknown()),
  created_at: Type.String()
})

export function presentAuditEvent(event: AuditEventRow) {
  return {
    id: event.id,
    author_id: event.author_id,
    entity_id: event.entity_id,
    entity_type: event.entity_type,
    event_name: event.name,
    event_type: event.name,
    details: event.details,
    created_at: writeTime(event.created_at)
  }
}
