import type { EntityManager } from '../../platform/database/database.ts'
import type { Viewer } from '../viewer.ts'
import { AccessToken } from './access-token.ts'

/** Scopes that the settings page offers, with descriptions. */
export const personalScopes: Record<string, string> = {
  api: 'Full access to the API as you.',
  read_api: 'Read access to the API as you.',
  read_user: 'Read your profile and activity.',
  read_repository: 'Clone and fetch repositories over HTTPS.',
  write_repository: 'Clone, fetch and push repositories over HTTPS.',
  sudo: 'Act as any other user. Admins only.'
}

export function scopesFor(user: Viewer) {
  return Object.keys(personalScopes).filter(scope => scope !== 'sudo' || user.isAdmin)
}

export function listActiveTokens(em: EntityManager, user: Viewer, at: Date) {
  return em.find(
    AccessToken,
    { user: user.id, kind: 'personal', revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: at } }] },
    { orderBy: { id: 'desc' }, limit: 100 }
  )
}

/** Finds a personal token that is not revoked. */
export function findToken(em: EntityManager, user: Viewer, id: number) {
  return em.findOne(AccessToken, { id, user: user.id, kind: 'personal', revokedAt: null })
}
