import Type from 'typebox'
import { keysetParameters } from '../http/pagination/keyset.ts'
import { paging } from '../http/pagination/offset.ts'
import type { AuditEvent } from './audit-event.ts'

export const AuditQuery = Type.Object({
  ...paging,
  ...keysetParameters,
  created_after: Type.Optional(Type.String()),
  created_before: Type.Optional(Type.String())
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
  details: Type.Record(Type.String(), Type.Unknown()),
  created_at: Type.String()
})

export function presentAuditEvent(event: AuditEvent) {
  return {
    id: event.id,
    author_id: event.authorId ?? null,
    entity_id: event.entityId,
    entity_type: event.entityType,
    event_name: event.name,
    details: event.details,
    created_at: event.createdAt.toISOString()
  }
}
