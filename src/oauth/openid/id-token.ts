import { createHash } from 'node:crypto'
import { SignJWT } from 'jose'
import type { Config } from '#config.ts'
import type { Viewer } from '#identity/viewer.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { claimsOf } from './claims.ts'
import { algorithm, signingKey } from './key-ring.ts'

/** An ID token is read at once, by the application that asked for it. */
export const idTokenSeconds = 120

interface Authentication {
  user: Viewer
  /** The `client_id`. */
  clientId: string
  scopes: string[]
  /** When the user signed in; null when unknown. */
  authTime?: Date | null
  nonce?: string | null
  accessToken: string
}

/** OpenID Connect Core §2: proves to the application who signed in, and when. */
export async function signIdToken(em: EntityManager, config: Config, authentication: Authentication, at: Date) {
  const { user, clientId, scopes, authTime, nonce, accessToken } = authentication
  const { kid, key } = await signingKey(em, config, at)
  const issuedAt = unixTime(at)
  const claims = {
    ...(await claimsOf(em, user, scopes, { baseUrl: config.baseUrl, groups: 'direct' })),
    ...(nonce && { nonce }),
    ...(authTime && { auth_time: unixTime(authTime) }),
    at_hash: accessTokenHash(accessToken)
  }

  return new SignJWT(claims)
    .setProtectedHeader({ alg: algorithm, kid, typ: 'JWT' })
    .setIssuer(config.baseUrl)
    .setAudience(clientId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + idTokenSeconds)
    .sign(key)
}

/** OpenID Connect Core §3.1.3.6: the left half of the SHA-256 of the access token. */
function accessTokenHash(accessToken: string) {
  return createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url')
}

function unixTime(at: Date) {
  return Math.floor(at.getTime() / 1000)
}
