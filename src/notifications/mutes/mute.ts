import { defineEntity, p } from '@mikro-orm/core'
import { updatedAt } from '../../platform/database/updated-at.ts'

const MuteSchema = defineEntity({
  name: 'NotificationMute',
  tableName: 'notification_mutes',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    projectId: p.bigint('number'),
    reason: p.text(),
    /** A pattern; null for all environments. */
    environment: p.text().nullable(),
    /** Tags that all have to match, as `name=value`. */
    labels: p.array<string>().columnType('text[]').default([]),
    startsAt: p.datetime(3),
    endsAt: p.datetime(3),
    createdById: p.bigint('number').nullable(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt()
  }
})

/** A maintenance window or a mute: until it ends, deliveries that match are held. */
export class Mute extends MuteSchema.class {}

MuteSchema.setClass(Mute)
