import { defineEntity, p } from '@mikro-orm/core'

export type AuditedType = 'User' | 'Group' | 'Project' | 'Instance'

export const AuditEventSchema = defineEntity({
  name: 'AuditEvent',
  tableName: 'audit_events',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    name: p.text(),
    authorId: p.bigint('number').nullable(),
    entityType: p.text().$type<AuditedType>(),
    entityId: p.bigint('number'),
    details: p.json<Record<string, unknown>>(),
    createdAt: p.datetime(3).onCreate(() => new Date())
  }
})

/** Written once, never changed. */
export class AuditEvent extends AuditEventSchema.class {}

AuditEventSchema.setClass(AuditEvent)
