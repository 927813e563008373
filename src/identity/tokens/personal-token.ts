import type { EntityManager } from '../../platform/database/database.ts'
import type { Viewer } from '../viewer.ts'
import { AccessToken } from './access-token.ts'

/** What each scope lets a token do, said to those who choose. */
export const personalScopes: Record<string, string> = {
  api: 'Everything its owner may do through the API.',
  read_api: 'Read everything its owner may read through the API.',
  read_user: "Read its owner's profile and activity.",
  read_repository: 'Fetch from repositories over HTTPS.',
  write_repository: 'Fetch from and push to repositories over HTTPS.',
  sudo: 'Act as any other user. For admins only.'
}

export function scopesFor(user: Viewer) {
  return Object.keys(personalScopes).filter(scope => scope !== 'sudo' || user.isAdmin)
}

/** Those that are good for something. */
export function listTokens(em: EntityManager, user: Viewer, at: Date) {
  return em.find(
    AccessToken,
    { user: user.id, kind: 'personal', revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: at } }] },
    { orderBy: { id: 'desc' }, limit: 100 }
  )
}

/** One of their own that still works. */
export function findToken(em: EntityManager, user: Viewer, id: number) {
  return em.findOne(AccessToken, { id, user: user.id, kind: 'personal', revokedAt: null })
}
