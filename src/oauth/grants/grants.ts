import { exchangeCode } from './authorization-code.ts'
import { exchangeClientCredentials } from './client-credentials.ts'
import { exchangePassword } from './password.ts'
import { exchangeRefreshToken } from './refresh-token.ts'
import type { ExchangeGrant } from './token-request.ts'

/** The grants of the token endpoint by `grant_type`. Another grant is another file, and a line here. */
export const grants = new Map<string, ExchangeGrant>([
  ['authorization_code', exchangeCode],
  ['refresh_token', exchangeRefreshToken],
  ['password', exchangePassword],
  ['client_credentials', exchangeClientCredentials]
])
