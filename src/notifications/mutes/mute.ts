import { defineEntity, p } from '@mikro-orm/core'
import { updatedAt } from '#platform/database/updated-at.ts'

export const MuteSchema = defineEntity({
  name: 'NotificationMute',
  tableName: 'notification_mutes',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    projectId: p.bigint('number'),
    reason: p.text(),
    /** A pattern; null for all environments. */
    environment: p.text().nullable(),
    /** Tags that all have to match, as `name=value`. */
    tags: p.array<string>().columnType('text[]').fieldName('labels').default([]),
    startsAt: p.datetime(3),
    endsAt: p.datetime(3),
    /** When what still fired at its end was reported. */
    reportedAt: p.datetime(3).nullable(),
    createdById: p.bigint('number').nullable(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt()
  }
})

/** A maintenance window or a mute: until it ends, deliveries that match are held. */
export class Mute extends MuteSchema.class {}

MuteSchema.setClass(Mute)
