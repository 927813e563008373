import { ownsEmail } from '#identity/emails/claim-email.ts'
import { ValidationFailed } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { lockRow } from '#platform/database/locks.ts'
import { type Flag, type Level, NotificationSetting } from './notification-setting.ts'

/** Where a setting applies: in a project, in a group, or everywhere. */
export interface SettingScope {
  projectId: number | null
  groupId: number | null
}

export interface SettingChanges {
  level?: Level
  notificationEmail?: string
  events?: Partial<Record<Flag, boolean>>
}

interface Owner {
  id: number
  email: string
}

/** The user's setting; when there is none, its defaults, which are not stored. */
export async function findSetting(em: EntityManager, user: { id: number }, scope: SettingScope) {
  return (await em.findOne(NotificationSetting, { userId: user.id, ...scope })) ?? defaultSetting(em, user, scope)
}

function defaultSetting(em: EntityManager, { id: userId }: { id: number }, scope: SettingScope) {
  const isGlobal = scope.projectId === null && scope.groupId === null
  const at = new Date()

  return em.create(
    NotificationSetting,
    { userId, ...scope, level: isGlobal ? 'participating' : 'global', events: {}, createdAt: at, updatedAt: at },
    { persist: false }
  )
}

/** Undefined values stay unchanged. The lock on the user makes that there is one setting for each scope. */
export function changeSetting(em: EntityManager, user: Owner, scope: SettingScope, changes: SettingChanges) {
  const { level, notificationEmail, events } = changes

  return em.transactional(async em => {
    await lockRow(em, 'users', user.id)
    const setting = await findSetting(em, user, scope)

    if (setting.id) await lockForChange(em, setting)
    if (notificationEmail !== undefined && !(await ownsEmail(em, user, notificationEmail))) {
      throw new ValidationFailed({ notification_email: ['must be an email you have verified'] })
    }
    if (level) setting.level = level
    if (notificationEmail !== undefined) setting.notificationEmail = notificationEmail === user.email ? null : notificationEmail
    if (events) setting.events = { ...setting.events, ...events }
    em.persist(setting)

    return setting
  })
}
