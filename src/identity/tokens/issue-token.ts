import type { Actor } from '../../audit/record-audit-event.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { hashSecret, newSecret } from '../secrets.ts'
import type { Viewer } from '../viewer.ts'
import { AccessToken, type TokenKind } from './access-token.ts'
import { recordToken } from './record-token.ts'
import { expiryOf, newTokenDays } from './token-expiry.ts'
import { checkTokenScopes } from './token-scopes.ts'

export interface NewToken {
  name: string
  description?: string | null
  scopes: string[]
  expires_at?: string | null
}

/** Who acts by the token, and what it is confined to. */
export interface Holder {
  user: Viewer
  kind: TokenKind
  projectId?: number
  groupId?: number
}

/** Makes a token for somebody. The secret can be told only now. */
export async function issueToken(em: EntityManager, actor: Actor, { user, ...holder }: Holder, wanted: NewToken, at: Date) {
  const { name, description, scopes } = wanted

  checkTokenScopes(scopes, holder.kind, user)
  const expiresAt = expiryOf(wanted.expires_at, newTokenDays, at)
  const secret = newSecret('glpat-')

  return em.transactional(async em => {
    const token = em.create(AccessToken, {
      ...holder,
      user: user.id,
      name,
      description,
      scopes: [...new Set(scopes)],
      expiresAt,
      tokenHash: hashSecret(secret)
    })

    await em.flush()
    await recordToken(em, actor, token, 'created')

    return { token, secret }
  })
}
