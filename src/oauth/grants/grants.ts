import type { Actor } from '../../audit/record-audit-event.ts'
import type { Config } from '../../config.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import type { Parameters } from '../parameters.ts'
import type { TokenResponse } from '../tokens/token-response.ts'

/** A request to the token endpoint. */
export interface TokenRequest {
  em: EntityManager
  config: Config
  params: Parameters
  /** The value of `Authorization`. */
  authorization: string | undefined
  actor: Actor
  at: Date
}

/** Throws an OAuthError when the grant is not valid. */
type ExchangeGrant = (request: TokenRequest) => Promise<TokenResponse>

/** The grants of the token endpoint by `grant_type`. Another grant is another file, and a line here. */
export const grants = new Map<string, ExchangeGrant>()
