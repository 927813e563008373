import { randomBytes } from 'node:crypto'
import type { EntityManager } from '../../platform/database/database.ts'
import { Member } from '../../projects/members/member.ts'
import { AccessToken } from '../tokens/access-token.ts'
import type { TokenResource } from '../tokens/token-resource.ts'
import type { Viewer } from '../viewer.ts'
import { User } from './user.ts'

/** Makes the user that a project's or group's token acts as, and lets it in with a role. Joins the unit of work at hand. */
export function makeBot(em: EntityManager, { type, id }: TokenResource, name: string, accessLevel: number, maker: Viewer) {
  const username = `${type}_${id}_bot_${randomBytes(16).toString('hex')}`
  const bot = em.create(User, {
    kind: type === 'project' ? 'project_bot' : 'group_bot',
    username,
    name,
    email: `${username}@noreply.invalid`,
    canCreateGroup: false,
    isExternal: true
  })

  em.create(Member, { [type]: id, user: bot, accessLevel, createdBy: maker.id })

  return bot
}

/** A bot goes with its last token: it is in nothing any more, and can do nothing. */
export async function retireBot(em: EntityManager, { user, projectId, groupId }: AccessToken, at: Date) {
  if (!projectId && !groupId) return
  const left = await em.count(AccessToken, { user, revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: at } }] })

  if (left > 0) return
  await em.nativeUpdate(User, { id: user.id }, { state: 'blocked' })
  await em.nativeDelete(Member, { user: user.id })
}
