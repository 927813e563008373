import type { Config } from '#config.ts'
import { avatarFiles } from '#platform/avatars.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { User } from './user.ts'

/** Deletes the files of avatars that were replaced, or whose user was deleted. */
export async function deleteOrphanAvatars(em: EntityManager, config: Config, at: Date) {
  await avatarFiles(config, 'user').deleteOrphans(at, async names => {
    const users = await em.find(User, { avatar: { $in: names } }, { fields: ['avatar'] })

    return users.map(({ avatar }) => avatar!)
  })
}
