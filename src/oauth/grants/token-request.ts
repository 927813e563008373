import type { Actor } from '#audit/record-audit-event.ts'
import type { Config } from '#config.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { ClientRequest } from '../client-credentials.ts'
import type { TokenResponse } from '../tokens/token-response.ts'
import type { GrantParties } from './record-grant-event.ts'

/** A request to the token endpoint (RFC 6749 §3.2). */
export interface TokenRequest extends ClientRequest {
  em: EntityManager
  config: Config
  actor: Actor
  at: Date
}

/** The tokens that a grant was exchanged for. */
export interface Exchange {
  grant: Pick<GrantParties, 'application' | 'user'> & { authTime?: Date | null }
  response: TokenResponse
  /** From the authorization request, for the ID token. */
  nonce?: string | null | undefined
}

/** Throws an OAuthError when the grant is not valid. */
export type ExchangeGrant = (request: TokenRequest) => Promise<Exchange>
