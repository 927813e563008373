import type { Actor } from '../audit/record.ts'
import type { EntityManager } from '../platform/database.ts'
import { AccessToken } from './access-token.ts'
import { recordOf } from './audited.ts'
import { hashSecret, newSecret } from './secrets.ts'
import type { User } from './user.ts'

/** What each scope lets a token do, said to those who choose. */
export const personalScopes: Record<string, string> = {
  api: 'Everything its owner may do through the API.',
  read_api: 'Read everything its owner may read through the API.',
  read_user: "Read its owner's profile and activity.",
  read_repository: 'Fetch from repositories over HTTPS.',
  write_repository: 'Fetch from and push to repositories over HTTPS.',
  sudo: 'Act as any other user. For admins only.'
}

export function scopesFor(user: User) {
  return Object.keys(personalScopes).filter(scope => scope !== 'sudo' || user.isAdmin)
}

interface NewToken {
  name: string
  scopes: string[]
  expiresAt: Date | null
}

/** The secret can be told only now. */
export async function createToken(em: EntityManager, user: User, { name, scopes, expiresAt }: NewToken, actor: Actor) {
  const secret = newSecret('glpat-')
  const token = em.create(AccessToken, { user, name, scopes, expiresAt, tokenHash: hashSecret(secret) })

  recordOf(em, actor, user, 'personal_access_token_created', { token_name: name, scopes })
  await em.flush()

  return { token, secret }
}

/** Those that are good for something. */
export function listTokens(em: EntityManager, user: User, at: Date) {
  return em.find(
    AccessToken,
    { user, kind: 'personal', revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: at } }] },
    { orderBy: { id: 'desc' }, limit: 100 }
  )
}

/** False when there is no such token of theirs. */
export async function revokeToken(em: EntityManager, user: User, id: number, actor: Actor, at: Date) {
  const token = await em.findOne(AccessToken, { id, user, kind: 'personal', revokedAt: null })

  if (!token) return false
  token.revokedAt = at
  recordOf(em, actor, user, 'personal_access_token_revoked', { token_name: token.name })
  await em.flush()

  return true
}
