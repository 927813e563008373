import type { RequiredEntityData } from '@mikro-orm/core'
import type { Actor } from '#audit/record-audit-event.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { hashSecret, newSecret } from '../secrets.ts'
import type { Viewer } from '../viewer.ts'
import { AccessToken, type TokenKind } from './access-token.ts'
import { recordTokenEvent } from './record-token-event.ts'
import { expiryOf, newTokenDays } from './token-expiry.ts'
import { checkTokenScopes, checkWithinScopes } from './token-scopes.ts'

export interface NewToken {
  name: string
  description?: string | null
  scopes: string[]
  expires_at?: string | null
}

/** The user that the token authenticates as, and the project or group that it belongs to. */
interface TokenOwner {
  user: Viewer
  kind: TokenKind
  projectId?: number
  groupId?: number
}

export async function issueToken(em: EntityManager, actor: Actor, { user, ...owner }: TokenOwner, input: NewToken, at: Date) {
  const { name, description, scopes } = input

  checkTokenScopes(scopes, owner.kind, user)
  const expiresAt = expiryOf(input.expires_at, newTokenDays, at)

  return em.transactional(async em => {
    const attributes = { ...owner, user: user.id, name, description, scopes: [...new Set(scopes)], expiresAt }

    return insertToken(em, actor, attributes, 'created')
  })
}

/** Every token is inserted here, new or rotated, and recorded. The secret is available only now: the database stores its hash. */
export async function insertToken(em: EntityManager, actor: Actor, attributes: TokenAttributes, event: 'created' | 'rotated') {
  checkWithinScopes(attributes.scopes as string[], actor.scopes)
  const secret = newSecret('glpat-')
  const token = em.create(AccessToken, { ...attributes, tokenHash: hashSecret(secret) })

  await em.flush()
  await recordTokenEvent(em, actor, token, event)

  return { token, secret }
}

type TokenAttributes = Omit<RequiredEntityData<AccessToken>, 'tokenHash'>
