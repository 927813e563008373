import type { Viewer } from '#identity/viewer.ts'
import { Namespace } from '#namespaces/namespace.ts'
import type { SettingScope } from '#notifications/settings/change-setting.ts'
import type { Level } from '#notifications/settings/notification-setting.ts'
import { NotificationSetting } from '#notifications/settings/notification-setting.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Role } from '#projects/members/member.ts'
import { memberGroupIds } from '#projects/visibility/membership-store.ts'
import { visibleProjects } from '#projects/visibility/visible-projects.ts'

const maxMemberships = 50

/** A group or project of the user, and the user's setting for it. */
export interface Membership {
  scope: SettingScope
  name: string
  path: string
  level: Level
}

/** The groups and projects of the user that match a search. */
export async function findMemberships(em: EntityManager, user: Viewer, search: string) {
  const settings = await em.find(NotificationSetting, { userId: user.id })
  const levelOf = ({ projectId, groupId }: SettingScope) =>
    settings.find(setting => (setting.projectId ?? null) === projectId && (setting.groupId ?? null) === groupId)?.level ?? 'global'
  const memberships = [...(await findGroups(em, user, search)), ...(await findProjects(em, user, search))]

  return memberships.map((membership): Membership => ({ ...membership, level: levelOf(membership.scope) }))
}

async function findGroups(em: EntityManager, user: Viewer, search: string) {
  const groups = await em.find(Namespace, { id: { $in: await memberGroupIds(em, user) }, kind: 'group' }, { orderBy: { fullPath: 'asc' } })
  const text = search.toLowerCase()

  return groups
    .filter(({ name, fullPath }) => `${name} ${fullPath}`.toLowerCase().includes(text))
    .slice(0, maxMemberships)
    .map(({ id, name, fullPath }) => ({ scope: { projectId: null, groupId: id }, name, path: fullPath as string }))
}

async function findProjects(em: EntityManager, user: Viewer, search: string) {
  const { list } = await visibleProjects(em, user, { minRole: Role.guest, orderBy: 'last_activity_at', ...(search && { search }) })
  const projects = await list(maxMemberships, 0)

  return projects.map(({ id, name, full_path: path }) => ({ scope: { projectId: id, groupId: null }, name, path }))
}
