import { createLocalJWKSet, jwtVerify } from 'jose'
import type { Config } from '#config.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { algorithm, publicKeys } from './key-ring.ts'

/**
 * The id of the user whom an ID token of ours for this client names, expired or not (OpenID Connect Core §3.1.2.1). Undefined
 * for any other token, and for one whose key is no longer published.
 */
export async function userOfIdToken(em: EntityManager, config: Config, token: string, clientId: string, at: Date) {
  const keys = createLocalJWKSet(await publicKeys(em, config, at))
  const options = { issuer: config.baseUrl, audience: clientId, algorithms: [algorithm], currentDate: new Date(0) }

  return jwtVerify(token, keys, options).then(
    ({ payload }) => Number(payload.sub),
    () => undefined
  )
}
