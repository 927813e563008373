import type { Config } from '#config.ts'
import { Namespace } from '#namespaces/namespace.ts'
import { avatarFiles } from '#platform/avatars.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Project } from '../project.ts'

/** Deletes the files of avatars that were replaced, or whose project or group was deleted. */
export async function deleteOrphanProjectAvatars(em: EntityManager, config: Config, at: Date) {
  await avatarFiles(config, 'project').deleteOrphans(at, async names => {
    const projects = await em.find(Project, { avatar: { $in: names } }, { fields: ['avatar'] })

    return projects.map(({ avatar }) => avatar!)
  })
  await avatarFiles(config, 'group').deleteOrphans(at, async names => {
    const groups = await em.find(Namespace, { avatar: { $in: names } }, { fields: ['avatar'] })

    return groups.map(({ avatar }) => avatar!)
  })
}
