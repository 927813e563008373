import { defineEntity, p } from '@mikro-orm/core'
import { updatedAt } from '#platform/database/updated-at.ts'

export const levels = ['disabled', 'participating', 'watch', 'global', 'mention', 'custom'] as const
export type Level = (typeof levels)[number]

/** Flags of the level `custom`, with their defaults. Most are about things that do not exist here. */
export const flagDefaults = {
  new_note: false,
  new_issue: false,
  reopen_issue: false,
  close_issue: false,
  reassign_issue: false,
  issue_due: false,
  new_merge_request: false,
  push_to_merge_request: false,
  reopen_merge_request: false,
  close_merge_request: false,
  reassign_merge_request: false,
  merge_merge_request: false,
  failed_pipeline: true,
  fixed_pipeline: true,
  success_pipeline: false,
  moved_project: true,
  merge_when_pipeline_succeeds: false,
  new_epic: false
}
export type Flag = keyof typeof flagDefaults
export const flags = Object.keys(flagDefaults) as Flag[]

export const NotificationSettingSchema = defineEntity({
  name: 'NotificationSetting',
  tableName: 'notification_settings',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    userId: p.bigint('number'),
    /** Without project and group, the setting is the user's global one. */
    projectId: p.bigint('number').nullable(),
    groupId: p.bigint('number').nullable(),
    /** `global` inherits: from the project's group, its ancestors, then the global setting. */
    level: p.text().$type<Level>(),
    /** Flags that were set; kept when the level is not `custom`. */
    events: p
      .json()
      .$type<Partial<Record<Flag, boolean>>>()
      .onCreate(() => ({})),
    /** Set only in the global setting. Null for the primary address. */
    notificationEmail: p.text().nullable(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt()
  }
})

/** What a user is notified about: everywhere, in a group or in a project. */
export class NotificationSetting extends NotificationSettingSchema.class {}

NotificationSettingSchema.setClass(NotificationSetting)

/** Whether a flag is set, or set by default. */
export function hasFlag({ events }: Pick<NotificationSetting, 'events'>, flag: Flag) {
  return events[flag] ?? flagDefaults[flag]
}
