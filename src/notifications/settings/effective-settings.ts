import { Namespace } from '#namespaces/namespace.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Project } from '#projects/project.ts'
import { type Flag, hasFlag, type Level, NotificationSetting } from './notification-setting.ts'

export interface EffectiveSetting {
  level: Exclude<Level, 'global'>
  /** Counts with the level `custom`. */
  wants: (flag: Flag) => boolean
}

const defaultSetting: EffectiveSetting = { level: 'participating', wants: () => false }

/** What users are notified about in a project: its own setting, or that of its group, of the ancestors, or the global one. */
export async function findEffectiveSettings(em: EntityManager, projectId: number, userIds: number[]) {
  const project = await em.findOne(Project, { id: projectId }, { populate: ['namespace'] })
  const lineage = project?.namespace instanceof Namespace ? project.namespace.lineage : []
  const rows = await em.find(NotificationSetting, {
    userId: { $in: userIds },
    $or: [{ projectId }, { groupId: { $in: lineage } }, { projectId: null, groupId: null }]
  })
  const byUser = Map.groupBy(rows, ({ userId }) => userId)

  return (userId: number): EffectiveSetting => {
    const [nearest] = (byUser.get(userId) ?? [])
      .filter(({ level }) => level !== 'global')
      .sort((one, other) => distance(one, lineage) - distance(other, lineage))

    return nearest ? { level: nearest.level as EffectiveSetting['level'], wants: flag => hasFlag(nearest, flag) } : defaultSetting
  }
}

/** The lineage begins with the root. */
function distance({ projectId, groupId }: NotificationSetting, lineage: number[]) {
  if (projectId) return 0

  return groupId ? lineage.length - lineage.indexOf(groupId) : lineage.length + 1
}
