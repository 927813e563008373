import { defineEntity, p } from '@mikro-orm/core'
import { updatedAt } from '#platform/database/updated-at.ts'
import type { ChannelKind } from './web-channels.ts'

export const NotificationChannelSchema = defineEntity({
  name: 'NotificationChannel',
  tableName: 'notification_channels',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    projectId: p.bigint('number'),
    kind: p.text().$type<ChannelKind>(),
    name: p.text(),
    isActive: p.boolean().default(true),
    /** Messages an hour, to each recipient of the channel. */
    hourlyLimit: p.integer().default(20),
    /** Everything that is not secret. */
    settings: p.json().$type<Record<string, unknown>>(),
    /** Encrypted JSON: secret addresses and tokens. */
    secrets: p.blob().nullable(),
    createdById: p.bigint('number').nullable(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt()
  }
})

/** A way in which a project sends notifications, such as a Slack webhook or e-mail to its maintainers. */
export class NotificationChannel extends NotificationChannelSchema.class {}

NotificationChannelSchema.setClass(NotificationChannel)
