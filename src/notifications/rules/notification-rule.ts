import { defineEntity, p } from '@mikro-orm/core'
import type { Severity } from '#lib/severity.ts'
import { updatedAt } from '#platform/database/updated-at.ts'

export const triggers = [
  'error.new',
  'error.regressed',
  'error.frequent',
  'error.unseen',
  'error.spike',
  'error.users',
  'feedback.new',
  'release.unhealthy',
  'alert.triggered',
  'alert.acknowledged',
  'alert.resolved',
  'incident.opened',
  'incident.closed'
] as const
export type Trigger = (typeof triggers)[number]

export const NotificationRuleSchema = defineEntity({
  name: 'NotificationRule',
  tableName: 'notification_rules',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    projectId: p.bigint('number'),
    name: p.text(),
    isActive: p.boolean().default(true),
    triggers: p.array<Trigger>().columnType('text[]'),
    /** Applies to alerts and incidents; null for any. */
    severityFloor: p.text().$type<Severity>().columnType('alert_severity').nullable(),
    /** Applies to errors. An empty list allows all, here and below. */
    levels: p.array<string>().columnType('text[]').default([]),
    /** Patterns; `*` stands for any text. */
    environments: p.array<string>().columnType('text[]').default([]),
    releases: p.array<string>().columnType('text[]').default([]),
    /** As `name=value`; all of them must match. */
    tags: p.array<string>().columnType('text[]').default([]),
    /** For `error.frequent`: more than this number of events within this number of minutes. */
    thresholdEvents: p.integer().nullable(),
    thresholdMinutes: p.integer().nullable(),
    /** For `error.users`: more than this number of new users within an hour. */
    thresholdUsers: p.integer().nullable(),
    /** For `release.unhealthy`: fewer sessions of the last hours than this share end without a crash. */
    crashFreePercent: p.double().nullable(),
    /** For `error.unseen`: unresolved, and without an assignee or a comment, for this long. */
    unseenHours: p.integer().nullable(),
    /** After a message, further occurrences are gathered for this long. */
    gatherMinutes: p.integer().default(5),
    channelIds: p.array<number>(Number).columnType('bigint[]').default([]),
    createdById: p.bigint('number').nullable(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt()
  }
})

/** When a project sends notifications, and over which channels. */
export class NotificationRule extends NotificationRuleSchema.class {}

NotificationRuleSchema.setClass(NotificationRule)
