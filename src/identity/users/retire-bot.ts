import { type EntityManager, query } from '../../platform/database/database.ts'
import { AccessToken } from '../tokens/access-token.ts'
import { User } from './user.ts'

/** When its last token ends, a bot is blocked and loses its memberships. */
export async function retireBot(em: EntityManager, { user, projectId, groupId }: AccessToken, at: Date) {
  if (!projectId && !groupId) return
  const active = await em.count(AccessToken, { user, revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: at } }] })

  if (active > 0) return
  await em.nativeUpdate(User, { id: user.id }, { state: 'blocked' })
  await query(em, 'DELETE FROM members WHERE user_id = $1', [user.id])
}
