import type { FilterQuery } from '@mikro-orm/core'
import { hashSecret, isHexSecret } from '#identity/secrets.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { InvalidAccessToken } from '../errors.ts'
import { OAuthToken } from './oauth-token.ts'

/** By an access token or a refresh token; `token_type_hint` would only say where to look first (RFC 7009 §2.1). */
export function findToken(em: EntityManager, secret: string) {
  const hash = hashSecret(secret)

  return findBy(em, { $or: [{ accessHash: hash }, { refreshHash: hash }] })
}

/** The token that a request carries as its credential. Throws when it is not valid. */
export async function requireAccessToken(em: EntityManager, secret: string | undefined, at: Date) {
  const token = secret && isHexSecret(secret) ? await findBy(em, { accessHash: hashSecret(secret) }) : null

  if (!token) throw new InvalidAccessToken('is invalid')
  const problem = token.problem(at)
  if (problem) throw new InvalidAccessToken(problem === 'expired' ? 'expired' : 'was revoked')
  // RFC 6750 §3.1: an account that is blocked ends its tokens.
  if (token.grant.user?.isActive() === false) throw new InvalidAccessToken('is invalid')

  return token
}

function findBy(em: EntityManager, where: FilterQuery<OAuthToken>) {
  return em.findOne(OAuthToken, where, { populate: ['grant.user', 'grant.application'] })
}
