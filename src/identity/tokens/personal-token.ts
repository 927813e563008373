import type { FilterQuery } from '@mikro-orm/core'
import type { Actor } from '#audit/record-audit-event.ts'
import type { Caller } from '#lib/caller.ts'
import { Forbidden, InsufficientScope, NotFound, Unauthenticated } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Viewer } from '../viewer.ts'
import { AccessToken } from './access-token.ts'
import { issueToken, type NewToken } from './issue-token.ts'

/** A user sees their own tokens, except impersonation tokens; an admin sees the tokens of all users, or of one. */
export function tokensVisibleTo(viewer: Viewer, userId?: number): FilterQuery<AccessToken> & object {
  if (userId && userId !== viewer.id && !viewer.isAdmin) throw new Unauthenticated()
  const user = viewer.isAdmin ? userId : viewer.id

  return { kind: { $ne: 'impersonation' }, ...(user && { user }) }
}

export async function findPersonalToken(em: EntityManager, viewer: Viewer, id: number) {
  const token = await em.findOne(AccessToken, { id, ...tokensVisibleTo(viewer) })

  if (!token) throw new NotFound('Personal Access Token')

  return token
}

/** A bot's tokens belong to its project or group: a personal token would outlive them. */
export async function issuePersonalToken(em: EntityManager, actor: Actor, user: Viewer, input: NewToken, at: Date) {
  if (user.isBot()) throw new Forbidden()

  return issueToken(em, actor, { user, kind: 'personal' }, input, at)
}

/** With the scope `self_rotate` alone, a token can rotate only itself. */
export async function findRotatableToken(em: EntityManager, { user, scopes, by }: Caller, id: number) {
  const token = await findPersonalToken(em, user as Viewer, id)
  const isSelf = by.kind === 'token' && by.id === id

  if (!isSelf && scopes !== 'all' && !scopes.includes('api')) throw new InsufficientScope(['api'])

  return token
}
