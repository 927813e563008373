import type { EntityManager, Tables } from '#platform/database/database.ts'
import { Role } from './member.ts'

/** Makes a user, who may be a member already, an owner without expiry. */
export async function makeOwner(em: EntityManager, source: { project_id: number } | { group_id: number }, userId: number) {
  const at = new Date()
  const owner = { access_level: Role.owner, expires_at: null, updated_at: at }
  const column = 'project_id' in source ? 'project_id' : 'group_id'

  await em
    .getKysely<Tables>()
    .insertInto('members')
    .values({ ...source, user_id: userId, created_at: at, ...owner })
    .onConflict(conflict => conflict.columns([column, 'user_id']).doUpdateSet(owner))
    .execute()
}
